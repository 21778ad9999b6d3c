"""What a token adds to the caches, as the graph file says it."""

from __future__ import annotations

from xml.etree import ElementTree

import openvino as ov
import openvino.opset13 as op
import pytest
from openvino.op.util import Variable, VariableInfo
from tiny_model import TinyShape, build_tiny_model

from idlepool.engine.graph.cache_size import cache_values


def test_keys_and_values_of_all_layers_count(tmp_path):
    shape = TinyShape(layers=3, hidden=64, heads=2)
    folder = build_tiny_model(tmp_path, shape)
    assert cache_values(folder / "openvino_model.xml") == 3 * 2 * 64


def test_a_state_that_does_not_grow_takes_nothing_for_a_token(tmp_path):
    info = VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([-1, 8, 16]), ov.Type.f32, "state"
    variable = Variable(info)
    given = op.parameter([-1, 8, 16], ov.Type.f32)
    kept = op.assign(op.add(op.read_value(given, variable), given), variable)
    ov.save_model(ov.Model([op.result(given)], [kept], [given], "still"), tmp_path / "still.xml")
    assert cache_values(tmp_path / "still.xml") == 0


def test_what_is_no_graph_is_told_apart(tmp_path):
    (tmp_path / "broken.xml").write_text("<net", encoding="utf-8")
    with pytest.raises(ElementTree.ParseError):
        cache_values(tmp_path / "broken.xml")
