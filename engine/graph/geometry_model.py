"""The graph that evaluates a shard's geometry: small, for one sequence of any length, run by the host."""

from __future__ import annotations

import numpy as np
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.graph.dimensions import Length, Measured, Shape
from idlepool.engine.graph.geometry import GeometryPort, values_of

TOKENS_INPUT, PAST_INPUT = "tokens", "past"
"""Inputs `[1]` int64: how many tokens, from which position on."""


def geometry_model(graph: Measured, ports: tuple[GeometryPort, ...]) -> ov.Model:
    """The graph that evaluates the ports' tensors, in their order; leaves the measured graph as it is.

    Inputs, as far as they are read: `attention_mask [1, past + tokens]`, `position_ids [1, tokens]`, `tokens [1]`,
    `past [1]`.
    """
    snapshot = graph.snapshot
    model = snapshot.model.clone()
    nodes = list(model.get_ordered_ops())
    values = values_of(snapshot)
    inputs = [op.parameter(ov.PartialShape([1]), ov.Type.i64, name=name) for name in (TOKENS_INPUT, PAST_INPUT)]
    for parameter, name in zip(inputs, (TOKENS_INPUT, PAST_INPUT), strict=True):
        parameter.output(0).set_names({name})
    for i in snapshot.of_kind("ShapeOf"):
        if snapshot.feeds[i][0] in values:
            _answer(nodes[i], graph.shape_read(i), *inputs)
    results = [op.result(nodes[node].output(index)) for node, index in (port.tensor for port in ports)]
    kept = reached(results)
    candidates = [*inputs, *model.get_parameters()]
    return ov.Model(results, [p for p in candidates if p.get_name() in kept], "geometry")


def reached(results: list[ov.Node]) -> set[str]:
    """Names of all nodes that the results are computed from."""
    seen: set[str] = set()
    stack = list(results)
    while stack:
        node = stack.pop()
        if node.get_name() not in seen:
            seen.add(node.get_name())
            stack.extend(port.get_source_output().get_node() for port in node.inputs())
    return seen


def _answer(shape_of: ov.Node, shape: Shape, tokens: ov.Node, past: ov.Node) -> None:
    """Replace the ShapeOf of a tensor that is not here by what it would say."""
    lengths = {Length.TOKENS: tokens, Length.PAST: past, Length.TOTAL: op.add(past, tokens)}
    parts = [lengths[d] if isinstance(d, Length) else op.constant(np.array([d], np.int64)) for d in shape]
    answer = op.convert(op.concat(parts, 0), shape_of.get_output_element_type(0).get_type_name())
    for user in list(shape_of.output(0).get_target_inputs()):
        user.replace_source_output(answer.output(0))
