"""Shape arithmetic of a graph whose shapes are known, replaced by its results.

OpenVINO's own constant folding would also unpack compressed weights, which must stay as they are.
"""

from __future__ import annotations

import math

import numpy as np
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.graph.snapshot import Snapshot

MOST_FLOATS = 64
"""Elements up to which a tensor of fractions is still arithmetic and no weight."""

_WHOLE = frozenset({"i32", "i64", "boolean"})
_FRACTIONS = frozenset({"f32", "f64"})


def fold_shapes(model: ov.Model) -> None:
    """Replace every ShapeOf of a static tensor, and what is computed from constants alone, by constants, in place."""
    snapshot = Snapshot(model)
    constants = {i: node.output(0) for i, node in enumerate(snapshot.nodes) if snapshot.kinds[i] == "Constant"}
    for i, node in enumerate(snapshot.nodes):
        if i in constants or node.get_output_size() != 1 or not node.inputs() or snapshot.kinds[i] == "Result":
            continue
        folded = _folded(snapshot, i, constants)
        if folded is None:
            continue
        constants[i] = folded.output(0)
        for user in list(node.output(0).get_target_inputs()):
            user.replace_source_output(folded.output(0))
    model.validate_nodes_and_infer_types()


def _folded(snapshot: Snapshot, i: int, constants: dict[int, ov.Output]) -> ov.Node | None:
    node, feeds = snapshot.nodes[i], snapshot.feeds[i]
    output = node.output(0)
    if snapshot.kinds[i] == "ShapeOf":
        source = node.input(0).get_source_output().get_partial_shape()
        return _constant(np.array([size.get_length() for size in source]), output) if source.is_static else None
    if not all(source in constants for source in feeds) or not _is_arithmetic(output):
        return None
    results = [ov.Tensor(output.get_element_type(), ov.Shape(output.get_shape()))]
    inputs = [_tensor(constants[source].get_node()) for source in feeds]
    return _constant(results[0].data, output) if node.evaluate(results, inputs) else None


def _is_arithmetic(output: ov.Output) -> bool:
    """Whether the tensor is what shapes are computed with, and not a weight."""
    if output.get_partial_shape().is_dynamic:
        return False
    kind = output.get_element_type().get_type_name()
    return kind in _WHOLE or (kind in _FRACTIONS and math.prod(output.get_shape()) <= MOST_FLOATS)


def _tensor(constant: ov.Node) -> ov.Tensor:
    return ov.Tensor(np.ascontiguousarray(constant.data).reshape(tuple(constant.get_output_shape(0))))


def _constant(values: np.ndarray, output: ov.Output) -> ov.Node:
    # A scalar's data comes back with one axis.
    return op.constant(values.reshape(tuple(output.get_shape())), dtype=output.get_element_type())
