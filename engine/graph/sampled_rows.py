"""Logits only where they are sampled: the head of a model is as costly as several layers, and a prefill wants one row.

The rows are picked right before the head's MatMul, through an input of the shard.
"""

from __future__ import annotations

import numpy as np
import openvino as ov
import openvino.opset13 as op

ROWS = "sampled_rows"
"""Name of the input: `[rows]` int64, indices along the token axis."""

ELEMENTWISE = frozenset({"Convert", "Multiply", "Divide", "Tanh", "Add"})
"""What may stand between the head's MatMul and the logits: type, scale, soft cap and bias act on each row alone."""


def pick_sampled_rows(tail: ov.Model) -> bool:
    """Give the last stage the input `sampled_rows`, in place; its logits become `[batch, rows, vocabulary]`.

    Returns False, and leaves the model as it is, where no MatMul is found behind the logits.
    """
    head = tail.get_results()[0].input(0).get_source_output().get_node()
    while head.get_type_name() in ELEMENTWISE:
        head = head.input(0).get_source_output().get_node()
    if head.get_type_name() != "MatMul":
        return False
    rows = op.parameter(ov.PartialShape([-1]), ov.Type.i64, name=ROWS)
    rows.output(0).set_names({ROWS})
    picked = op.gather(head.input(0).get_source_output(), rows, op.constant(np.int64(1)))
    head.input(0).replace_source_output(picked.output(0))
    tail.add_parameters([rows])
    tail.validate_nodes_and_infer_types()
    return True
