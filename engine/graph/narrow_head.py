"""A head that says only some of the vocabulary: a draft spends most of its time on tokens that hardly ever come."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.graph.sampled_rows import head_of

Ids = npt.NDArray[np.int64]

_ARITHMETIC = {"Multiply": op.multiply, "Subtract": op.subtract}
"""Scales and zero points of compressed weights."""


class _Unknown(Exception):
    """The weights are kept in a form that is not known here."""


def narrow_head(tail: ov.Model, ids: Ids) -> bool:
    """Leave only the logits of `ids`, in that order, in place. The embedding table stays whole, also where it is tied.

    Returns False, and leaves the model as it is, where the head is not a MatMul with weights `[vocabulary, hidden]`, or
    something else than a type stands between it and the logits.
    """
    head, between = head_of(tail)
    if head is None or any(node.get_type_name() != "Convert" for node in between):
        return False
    if not head.get_attributes().get("transpose_b"):
        return False
    weights = head.input(1).get_source_output()
    try:
        narrow = _rows(weights.get_node(), weights.get_partial_shape()[0].get_length(), ids)
    except _Unknown:
        return False
    head.input(1).replace_source_output(narrow.output(0))
    tail.validate_nodes_and_infer_types()
    return True


def _rows(node: ov.Node, vocabulary: int, ids: Ids) -> ov.Node:
    """The same computation of the rows `ids` alone, on constants of their own."""
    kind = node.get_type_name()
    sources = [port.get_source_output().get_node() for port in node.inputs()]
    if kind == "Constant":
        return _constant_rows(node, vocabulary, ids)
    if kind == "Convert":
        return op.convert(_rows(sources[0], vocabulary, ids), node.get_element_type().get_type_name())
    if kind in _ARITHMETIC:
        return _ARITHMETIC[kind](*(_rows(source, vocabulary, ids) for source in sources))
    if kind == "Reshape":
        shape = op.constant(np.array([len(ids), *list(node.get_output_shape(0))[1:]], np.int64))
        return op.reshape(_rows(sources[0], vocabulary, ids), shape, special_zero=False)
    raise _Unknown


def _constant_rows(constant: ov.Node, vocabulary: int, ids: Ids) -> ov.Node:
    shape = list(constant.get_output_shape(0))
    if not shape or shape[0] != vocabulary:
        return constant  # the same for all rows
    if constant.get_element_type().bitwidth < 8:
        raise _Unknown  # packed: two values in a byte
    return op.constant(np.ascontiguousarray(constant.data[ids]))
