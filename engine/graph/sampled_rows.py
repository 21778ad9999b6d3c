"""Logits only where they are sampled: the head of a model is as costly as several layers, and a prefill wants one row.

The rows are picked right before the head's MatMul, through an input of the shard.
"""

from __future__ import annotations

import numpy as np
import openvino as ov
import openvino.opset13 as op

ROWS = "sampled_rows"
"""Name of the input: `[rows]` int64, indices along the token axis."""

BEST_LOGITS = "best_logits"
"""Name of the output: `[rows, 1, BEST]` float32, largest first; equal ones in any order."""

BEST_IDS = "best_ids"
"""Name of the output: `[rows, 1, BEST]` int32."""

BEST = 64
"""Candidates picked inside the graph."""

_SEARCHED_GROUPS = 8
"""What a TopK costs for each group's maximum against each of the candidates; measured, about."""

ELEMENTWISE = frozenset({"Convert", "Multiply", "Divide", "Tanh", "Add"})
"""What may stand between the head's MatMul and the logits: type, scale, soft cap and bias act on each row alone."""


def pick_sampled_rows(tail: ov.Model, *, axis: int = 1) -> bool:
    """Give the last stage the input `sampled_rows`, in place; its logits become `[batch, rows, vocabulary]`.

    `axis` is the token axis: 1, or 0 after the PagedAttention transformation.

    Returns False, and leaves the model as it is, where no MatMul is found behind the logits.
    """
    head, _ = head_of(tail)
    if head is None:
        return False
    rows = op.parameter(ov.PartialShape([-1]), ov.Type.i64, name=ROWS)
    rows.output(0).set_names({ROWS})
    picked = op.gather(head.input(0).get_source_output(), rows, op.constant(np.int64(axis)))
    head.input(0).replace_source_output(picked.output(0))
    tail.add_parameters([rows])
    tail.validate_nodes_and_infer_types()
    return True


def head_of(tail: ov.Model) -> tuple[ov.Node | None, list[ov.Node]]:
    """The MatMul that makes the logits, None where there is none, and what stands between it and them."""
    node, between = tail.get_results()[0].input(0).get_source_output().get_node(), []
    while node.get_type_name() in ELEMENTWISE:
        between.append(node)
        node = node.input(0).get_source_output().get_node()
    return (node if node.get_type_name() == "MatMul" else None), between


def add_best(tail: ov.Model) -> None:
    """Give the last stage the outputs `best_logits` and `best_ids` beside its logits, in place."""
    logits = tail.get_results()[0].input(0).get_source_output()
    for output, name in zip(_best(logits), (BEST_LOGITS, BEST_IDS), strict=True):
        result = op.result(output)
        result.output(0).set_names({name})
        tail.add_results([result])
    tail.validate_nodes_and_infer_types()


def _best(logits: ov.Output) -> list[ov.Output]:
    """The BEST largest of `[rows, 1, vocabulary]` and their ids.

    Whatever is among them lies in one of the BEST groups with the largest maxima, so only those groups are searched.
    Maxima cost next to nothing: for 8 rows of a 49k vocabulary that takes 0.2 ms, one TopK over all of it 0.6.
    """
    vocabulary = logits.get_partial_shape()[-1]
    size = _group_size(vocabulary.get_length()) if vocabulary.is_static else 0
    if not size:
        return _top(logits, min(BEST, vocabulary.get_length()) if vocabulary.is_static else BEST)
    grouped = op.reshape(logits, _ints(-1, 1, vocabulary.get_length() // size, size), special_zero=False)
    _, groups = _top(op.reduce_max(grouped, _ints(3)).output(0), BEST, sort="none")
    candidates = op.gather(grouped, groups, _ints(2), batch_dims=2)
    best, places = _top(op.reshape(candidates, _ints(-1, 1, BEST * size), special_zero=False).output(0), BEST)
    width = op.constant(np.int32(size))
    group = op.gather_elements(groups, op.divide(places, width), 2)
    return [best, op.add(op.multiply(group, width), op.mod(places, width)).output(0)]


def _top(values: ov.Output, count: int, *, sort: str = "value") -> list[ov.Output]:
    # Not `stable`: the CPU plugin then takes 246 ms for 16 rows instead of 1.3. Whoever reads them orders equal ones.
    return list(op.topk(values, op.constant(np.int64(count)), -1, "max", sort, index_element_type="i32").outputs())


def _group_size(vocabulary: int) -> int:
    """The size of equal groups with which the two searches cost least; 0 where one search costs less."""
    costs = {
        _SEARCHED_GROUPS * (vocabulary // size) + BEST * size: size
        for size in range(2, vocabulary // BEST + 1)
        if vocabulary % size == 0
    }
    cheapest = min(costs, default=vocabulary)
    return costs[cheapest] if cheapest < vocabulary else 0


def _ints(*values: int) -> ov.Node:
    return op.constant(np.array(values, np.int64))
