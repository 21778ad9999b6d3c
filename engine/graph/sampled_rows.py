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
"""Candidates picked inside the graph. For 16 rows of a 49k vocabulary that takes 1.3 ms; NumPy needs 16."""

ELEMENTWISE = frozenset({"Convert", "Multiply", "Divide", "Tanh", "Add"})
"""What may stand between the head's MatMul and the logits: type, scale, soft cap and bias act on each row alone."""


def pick_sampled_rows(tail: ov.Model, *, axis: int = 1) -> bool:
    """Give the last stage the input `sampled_rows`, in place; its logits become `[batch, rows, vocabulary]`.

    `axis` is the token axis: 1, or 0 after the PagedAttention transformation.

    Returns False, and leaves the model as it is, where no MatMul is found behind the logits.
    """
    head = tail.get_results()[0].input(0).get_source_output().get_node()
    while head.get_type_name() in ELEMENTWISE:
        head = head.input(0).get_source_output().get_node()
    if head.get_type_name() != "MatMul":
        return False
    rows = op.parameter(ov.PartialShape([-1]), ov.Type.i64, name=ROWS)
    rows.output(0).set_names({ROWS})
    picked = op.gather(head.input(0).get_source_output(), rows, op.constant(np.int64(axis)))
    head.input(0).replace_source_output(picked.output(0))
    tail.add_parameters([rows])
    tail.validate_nodes_and_infer_types()
    return True


def add_best(tail: ov.Model) -> None:
    """Give the last stage the outputs `best_logits` and `best_ids` beside its logits, in place."""
    logits = tail.get_results()[0].input(0).get_source_output()
    vocabulary = logits.get_partial_shape()[-1]
    best = min(BEST, vocabulary.get_length()) if vocabulary.is_static else BEST
    # Not `stable`: the CPU plugin then takes 246 ms for 16 rows instead of 1.3. Whoever reads them orders equal ones.
    found = op.topk(logits, op.constant(np.int64(best)), -1, "max", "value", index_element_type="i32")
    for output, name in zip(found.outputs(), (BEST_LOGITS, BEST_IDS), strict=True):
        result = op.result(output)
        result.output(0).set_names({name})
        tail.add_results([result])
    tail.validate_nodes_and_infer_types()
