"""Whether the paged form of a shard looks where its own masks look.

PagedAttention takes no mask: it is causal, with a sliding window and ALiBi slopes that the transformation must have
recognised in the graph. One it has not would be lost without a word, so the masks are computed once, by themselves, for
a token far from the beginning, and compared with what the paged attention will do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.backends.mask_probe import MASKED, mask_rows
from idlepool.engine.errors import ModelCannotBeCut
from idlepool.engine.graph.paged import PAGED_ATTENTION, to_paged

SLIDING_WINDOW = 10
ALIBI_SLOPES = 11
"""Inputs of OpenVINO's PagedAttentionExtension: `[]` int32, 0 for none; `[heads]` or empty."""

TOLERANCE = 1e-3
"""Biases differ by so much, relative to the largest, where only rounding does; a lost slope differs by all of it."""

Row = npt.NDArray[Any]


def to_checked_paged(core: ov.Core, shard: ov.Model) -> ov.Model:
    """to_paged(), in place, with the certainty that no mask was lost.

    Raises:
        ModelCannotBeCut: the paged form would look elsewhere, or there is none, or it cannot be told.
    """
    rows = mask_rows(core, shard)
    paged = to_paged(shard)
    if rows is None:
        raise ModelCannotBeCut("its attention masks cannot be compared with the paged form's")
    for layer, (row, reach) in enumerate(zip(rows, _reaches(core, paged), strict=True)):
        reason = _difference(row, *reach)
        if reason:
            raise ModelCannotBeCut(f"its attention {layer} has no paged form ({reason} is not carried over)")
    return paged


def _reaches(core: ov.Core, paged: ov.Model) -> list[tuple[Row, Row]]:
    """Sliding window and slopes of each attention, in their order. The transformation leaves them as small sums of
    constants, so they are computed."""
    attentions = [node for node in paged.get_ordered_ops() if node.get_type_name() == PAGED_ATTENTION]
    ports = [node.input_value(port) for node in attentions for port in (SLIDING_WINDOW, ALIBI_SLOPES)]
    request = core.compile_model(
        ov.Model([op.result(port) for port in ports], [], "reach"), "CPU"
    ).create_infer_request()
    request.infer()
    values = [np.array(request.get_output_tensor(i).data) for i in range(len(ports))]
    return list(zip(values[::2], values[1::2], strict=True))


def _difference(row: Row, window: Row, slopes: Row) -> str:
    """What of a mask row, `[1, heads or 1, 1, slots]`, the paged attention leaves out; "" where nothing."""
    slots = row.shape[-1]
    seen = row if row.dtype == np.bool_ else row > MASKED
    reach = int(window.reshape(-1)[0]) if window.size else 0
    expected = np.arange(slots) >= slots - reach if reach else np.ones(slots, np.bool_)
    if not np.array_equal(np.broadcast_to(expected, seen.shape), seen):
        return "which tokens it sees"
    if row.dtype == np.bool_:
        return ""
    bias = (row - row[..., -1:])[..., expected]
    distance = (np.arange(slots) - (slots - 1))[expected]
    wanted = slopes.reshape(1, -1, 1, 1) * distance if slopes.size else np.zeros_like(bias)
    close = np.abs(bias - wanted).max() <= TOLERANCE * max(np.abs(bias).max(), 1.0)
    return "" if close else "its bias by distance"
