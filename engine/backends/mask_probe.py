"""Whether a model's attention looks past void cache slots: asked of its own mask, once, when a shard is loaded.

A hole is harmless where a row of the mask with holes is the row without them, with masked slots put in between. A
sliding window that counts slots, biases by slot, or no mask at all show at once. The subgraph that makes the masks is
run by itself, with a longer past than any published window; no weight and no cache is touched.
"""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov
import openvino.opset13 as op

from idlepool.engine.graph.boundaries import ATTENTION
from idlepool.engine.graph.snapshot import Snapshot

log = logging.getLogger("idlepool.device")

PAST = "past"
"""Name of the probe's input for the number of slots before the new token."""

POSITIONS_BEFORE = 1 << 16
HOLES = 64
"""Void slots right before the new token: any window of slots that is shorter than the past sees them."""

MASKED = -1e4
"""What additive masks go below for a slot that is not seen."""


def sees_past_holes(core: ov.Core, shard: ov.Model) -> bool:
    """Whether holes in `attention_mask` change nothing but the order of sums; False where it cannot be told.

    Positions must be an input, since those that a model counts itself would count the holes.
    """
    inputs = {name for port in shard.inputs for name in port.get_names()}
    if not {"attention_mask", "position_ids"} <= inputs:
        return False
    probe = _mask_model(Snapshot(shard.clone()))
    if probe is None:
        return False
    try:
        compiled = core.compile_model(probe, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        whole = _rows(compiled, np.ones(POSITIONS_BEFORE + 1, np.bool_))
        held = np.ones(POSITIONS_BEFORE + HOLES + 1, np.bool_)
        held[-1 - HOLES : -1] = False
        holed = _rows(compiled, held)
    except RuntimeError as error:
        log.info("the attention mask cannot be computed by itself: %s", error)
        return False
    return all(
        np.array_equal(row[..., held], reference) and not _seen(row[..., ~held]).any()
        for row, reference in zip(holed, whole, strict=True)
    )


def mask_rows(core: ov.Core, shard: ov.Model) -> list[npt.NDArray[Any]] | None:
    """For each attention the mask row, `[1, heads or 1, 1, slots]`, of a token behind POSITIONS_BEFORE others.

    None where the masks cannot be computed by themselves.
    """
    snapshot = Snapshot(shard.clone())
    order = [snapshot.feeds[i][3] for i in snapshot.of_kind(ATTENTION) if len(snapshot.feeds[i]) > 3]
    probe = _mask_model(snapshot)
    if probe is None:
        return None
    try:
        compiled = core.compile_model(probe, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        rows = _rows(compiled, np.ones(POSITIONS_BEFORE + 1, np.bool_))
    except RuntimeError as error:
        log.info("the attention mask cannot be computed by itself: %s", error)
        return None
    by_mask = dict(zip(sorted(set(order)), rows, strict=True))
    return [by_mask[mask] for mask in order]


def _mask_model(snapshot: Snapshot) -> ov.Model | None:
    """The masks of all attentions as a model of their own; None where one has no mask or needs a cache's values."""
    attentions = snapshot.of_kind(ATTENTION)
    if not attentions or any(len(snapshot.feeds[i]) < 4 for i in attentions):
        return None
    masks = sorted({snapshot.feeds[i][3] for i in attentions})
    cache_shapes = [i for i in snapshot.of_kind("ShapeOf") if _is_cache(snapshot, snapshot.feeds[i][0])]
    kept = snapshot.ancestors(masks, frozenset(cache_shapes))
    if any(snapshot.kinds[i] == "ReadValue" for i in kept):
        return None
    past = op.parameter(ov.PartialShape([1]), ov.Type.i64, name=PAST)
    past.output(0).set_names({PAST})
    for i in kept.intersection(cache_shapes):
        _answer_cache_shape(snapshot.nodes[i], past)
    parameters = [snapshot.nodes[i] for i in kept if snapshot.kinds[i] == "Parameter"]
    return ov.Model([op.result(snapshot.nodes[i].output(0)) for i in masks], [past, *parameters], "masks")


def _answer_cache_shape(shape_of: ov.Node, past: ov.Node) -> None:
    """Put `past` in place of the axis that grows, the last dynamic one; the other dynamic one is the batch of 1."""
    shape = list(shape_of.input(0).get_source_output().get_partial_shape())
    grown = max(axis for axis, size in enumerate(shape) if size.is_dynamic)
    known = [1 if size.is_dynamic else size.get_length() for size in shape]
    parts = [past if axis == grown else op.constant(np.array([size], np.int64)) for axis, size in enumerate(known)]
    whole = op.convert(op.concat(parts, 0), shape_of.output(0).get_element_type().get_type_name())
    for port in list(shape_of.output(0).get_target_inputs()):
        port.replace_source_output(whole.output(0))


def _is_cache(snapshot: Snapshot, node: int) -> bool:
    """Whether it is a ReadValue, or gathers from one by beam_idx."""
    if snapshot.kinds[node] == "Gather":
        node = snapshot.feeds[node][0]
    return snapshot.kinds[node] == "ReadValue"


def _rows(compiled: ov.CompiledModel, held: npt.NDArray[np.bool_]) -> list[npt.NDArray[Any]]:
    """The mask rows `[..., slots]` of one new token in the last slot, behind the slots that `held` tells of."""
    slots = len(held)
    values: dict[str, npt.NDArray[Any]] = {
        PAST: np.array([slots - 1], np.int64),
        "attention_mask": held.astype(np.int64)[None],
        "position_ids": np.array([[np.count_nonzero(held) - 1]], np.int64),
    }
    request = compiled.create_infer_request()
    for port in compiled.inputs:
        # Else the token, or its hidden state: only its shape matters to a mask.
        sizes = [1 if size.is_dynamic else size.get_length() for size in port.get_partial_shape()]
        fed = next((values[name] for name in port.get_names() if name in values), np.zeros(sizes))
        kind = port.get_element_type()
        tensor = ov.Tensor(kind, ov.Shape(fed.shape))
        tensor.data[:] = fed.astype(tensor.data.dtype)
        request.set_tensor(port, tensor)
    request.infer()
    return [request.get_output_tensor(i).data.copy() for i in range(len(compiled.outputs))]


def _seen(row: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Where a mask, boolean or added to the scores, lets a slot be seen."""
    return row.astype(np.bool_) if row.dtype == np.bool_ else np.greater(row, MASKED)
