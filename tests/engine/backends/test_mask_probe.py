"""Which models may have holes in their caches: told from the graph, and true when tried."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as op
import pytest
from families import family_folder

from idlepool.engine.backends.base import Batch
from idlepool.engine.backends.load import ShardRequest, load_stateful
from idlepool.engine.backends.mask_probe import sees_past_holes
from idlepool.engine.backends.rewind_form import CUT_AT_ONCE, VOID_LIMIT, default_void_limit
from idlepool.engine.backends.stateful import StatefulShard
from idlepool.engine.graph.boundaries import find_layers
from idlepool.engine.graph.cut import cut
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
IDS = np.random.default_rng(5).integers(0, 300, 120).astype(np.int32)

COUNT_SLOTS = {"cohere2", "gemma2", "gemma3", "gpt_neo", "gpt_oss", "mistral", "starcoder2"}
"""Families with a sliding window."""

NO_POSITIONS = {"bloom", "falcon_alibi", "mpt", "xglm"}
"""Families that count the positions themselves."""


def graph(folder: Path, first: int, last: int, *, wire: ElementType = ElementType.F32) -> ov.Model:
    return cut(find_layers(CORE.read_model(folder / "openvino_model.xml")), Span(first, last), wire=wire)


def test_what_the_graph_says_of_holes_is_what_happens(family: Path) -> None:
    anatomy = find_layers(CORE.read_model(family / "openvino_model.xml"))
    whole = Span(0, anatomy.layers)
    allowed = sees_past_holes(CORE, cut(anatomy, whole, wire=ElementType.F32))
    assert not (allowed and family.name in COUNT_SLOTS | NO_POSITIONS)
    if allowed:
        shard = load_stateful(CORE, ShardRequest(family, whole, "CPU", ElementType.F32, threads=1), void_limit=1.0)
        clean, holed = (logits_after(shard, sequence, rejected=12 * (sequence - 1)) for sequence in (1, 2))
        # Compressed families round activations to 8 bits, which makes more of the rounding of sums.
        assert np.abs(holed - clean).max() < 1e-3 * np.abs(clean).max()


def logits_after(shard: StatefulShard, sequence: int, *, rejected: int) -> np.ndarray:
    """Logits of a segment that follows a prompt and a rejected draft."""
    shard.run(Batch((Segment(sequence, 0, 40),), IDS[:40]))
    shard.run(Batch((Segment(sequence, 40, rejected),), IDS[:rejected]))
    logits = shard.run(Batch((Segment(sequence, 40, 6, sample=6),), IDS[40:46])).logits
    assert logits is not None
    return logits


@pytest.mark.parametrize("wire", list(ElementType)[:3], ids=str)
def test_a_later_stage_is_asked_by_itself(tiny_model: Path, wire: ElementType) -> None:
    assert sees_past_holes(CORE, graph(tiny_model, 2, 4, wire=wire))


def test_asking_leaves_the_shard_as_it_is(tiny_model: Path) -> None:
    shard = graph(tiny_model, 0, 4)
    before = [node.get_name() for node in shard.get_ordered_ops()]
    sees_past_holes(CORE, shard)
    assert [node.get_name() for node in shard.get_ordered_ops()] == before


def test_without_the_mask_as_an_input_there_are_no_holes(tiny_model: Path) -> None:
    shard = graph(tiny_model, 0, 4)
    mask = shard.input("attention_mask")
    slots = op.broadcast(op.constant(np.int64(1)), op.shape_of(mask.get_node()))
    for port in [port for port in mask.get_target_inputs() if port.get_node().get_type_name() != "ShapeOf"]:
        port.replace_source_output(slots.output(0))
    assert not sees_past_holes(CORE, shard)


@pytest.mark.parametrize(("device", "limit"), [("CPU", CUT_AT_ONCE), ("GPU", VOID_LIMIT), ("GPU.1", VOID_LIMIT)])
def test_each_kind_of_device_rewinds_in_its_own_way(tiny_model: Path, device: str, limit: float) -> None:
    assert default_void_limit(CORE, graph(tiny_model, 0, 4), device) == limit


def test_a_gpu_cuts_where_a_window_counts_slots(family_cache: Path) -> None:
    folder = family_folder("mistral", family_cache)
    assert default_void_limit(CORE, graph(folder, 0, 1), "GPU") == CUT_AT_ONCE
