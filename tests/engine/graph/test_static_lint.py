"""The lint finds what an NPU would refuse, and takes nothing else."""

from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest

from idlepool.engine.errors import NoStaticForm
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.cut import cut
from idlepool.engine.graph.static_lint import check_static
from idlepool.engine.types import ElementType, Span


def graph_of(make, shape=(1, 4), kind=ov.Type.f32) -> ov.Model:
    value = op.parameter(ov.PartialShape(list(shape)), kind, name="value")
    return ov.Model([op.result(make(value))], [value], "made")


def test_a_graph_of_known_operations_and_fixed_shapes_passes() -> None:
    check_static(graph_of(lambda value: op.softmax(op.add(value, op.constant(np.float32(1))), 1)))


@pytest.mark.parametrize(
    ("graph", "fault"),
    [
        (graph_of(op.relu, shape=(1, -1)), "the shape of value depends"),
        (graph_of(lambda value: op.non_zero(value)), "NonZero"),
        (graph_of(op.is_nan), "IsNaN"),
        (graph_of(op.shape_of), "ShapeOf"),
        (graph_of(op.relu, kind=ov.Type.f8e4m3), "f8e4m3"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_its_compiler_does_not_take_is_named(graph: ov.Model, fault: str) -> None:
    with pytest.raises(NoStaticForm, match=fault):
        check_static(graph)


def test_a_shard_that_keeps_states_is_refused(tiny_model: Path) -> None:
    shard = cut(find_layers(ov.Core().read_model(tiny_model / "openvino_model.xml")), Span(0, 2), wire=ElementType.F32)
    with pytest.raises(NoStaticForm):
        check_static(shard)
    static = op.constant(np.zeros((1, 4), np.float32))
    info = ov.op.util.VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([1, 4]), ov.Type.f32, "kept"
    variable = ov.op.util.Variable(info)
    read = op.read_value(static, variable)
    with pytest.raises(NoStaticForm, match="keeps a state"):
        check_static(ov.Model([op.result(read)], [op.assign(read, variable)], [], [variable], "stateful"))
