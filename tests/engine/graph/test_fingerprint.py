"""A graph has one name however often it is made, and another one as soon as it computes something else."""

from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest

from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.cut import cut
from idlepool.engine.graph.fingerprint import fingerprint
from idlepool.engine.graph.paged import to_paged
from idlepool.engine.types import ElementType, Span


def stage(folder: Path, first: int, last: int, wire: ElementType = ElementType.BF16) -> ov.Model:
    return cut(find_layers(ov.Core().read_model(folder / "openvino_model.xml")), Span(first, last), wire=wire)


def test_the_same_cut_has_the_same_name(tiny_model: Path) -> None:
    assert fingerprint(stage(tiny_model, 1, 3)) == fingerprint(stage(tiny_model, 1, 3))
    assert fingerprint(to_paged(stage(tiny_model, 2, 4))) == fingerprint(to_paged(stage(tiny_model, 2, 4)))


def test_each_stage_form_and_precision_has_its_own(tiny_model: Path) -> None:
    graphs = [
        stage(tiny_model, 0, 2),
        stage(tiny_model, 1, 3),
        stage(tiny_model, 1, 4),
        stage(tiny_model, 1, 3, ElementType.F16),
        to_paged(stage(tiny_model, 1, 3)),
    ]
    assert len({fingerprint(graph) for graph in graphs}) == len(graphs)


def small(*, axis: int = 1, scale: float = 2.0, width: int = 4, swapped: bool = False, name: str = "x") -> ov.Model:
    x = op.parameter(ov.PartialShape([-1, width]), ov.Type.f32, name="p")
    x.output(0).set_names({name})
    parts = [x, op.multiply(x, op.constant(np.float32(scale)))]
    result = op.result(op.concat(parts[::-1] if swapped else parts, axis))
    result.output(0).set_names({"y"})
    return ov.Model([result], [x], "small")


@pytest.mark.parametrize(
    "change", [{"axis": 0}, {"scale": 3.0}, {"width": 5}, {"swapped": True}, {"name": "z"}], ids=str
)
def test_a_change_of_what_is_computed_shows(change) -> None:
    assert fingerprint(small(**change)) != fingerprint(small())
    assert fingerprint(small(**change)) == fingerprint(small(**change))
