"""A split computes what the unsplit model computes, to the last bit, through prefill, decode and rewind."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.backends.base import Batch, NeedsReplay
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import ShardRequest, load_stateful
from idlepool.engine.backends.stateful import StatefulShard
from idlepool.engine.errors import ModelIncomplete
from idlepool.engine.graph.survey import survey
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
IDS = np.random.default_rng(0).integers(0, 300, 64).astype(np.int32)


def stage(folder: Path, first: int, last: int, wire: ElementType, **more) -> StatefulShard:
    return load_stateful(CORE, ShardRequest(folder, Span(first, last), "CPU", wire, threads=1, **more))


def run(stages: list[StatefulShard], ids: np.ndarray, start: int, *, sequence: int = 1) -> np.ndarray:
    """Logits of all rows of one segment."""
    rows: np.ndarray | None = ids
    output = None
    for shard in stages:
        output = shard.run(Batch((Segment(sequence, start, len(ids), sample=len(ids)),), rows))
        rows = output.hidden
    assert output is not None
    assert output.logits is not None
    return output.logits


def unsplit(folder: Path, wire: ElementType, chunks: list[np.ndarray]) -> np.ndarray:
    """The published model itself, driven by hand."""
    options = {"INFERENCE_PRECISION_HINT": wire.value, "KV_CACHE_PRECISION": wire.value, "INFERENCE_NUM_THREADS": 1}
    compiled = CORE.compile_model(str(folder / "openvino_model.xml"), "CPU", options)
    request = compiled.create_infer_request()
    logits, start = [], 0
    for ids in chunks:
        end = start + len(ids)
        feeds = {
            "input_ids": ids[None].astype(np.int64),
            "attention_mask": np.ones((1, end), np.int64),
            "position_ids": np.arange(start, end)[None],
            "beam_idx": np.zeros(1, np.int32),
        }
        for port in compiled.inputs:
            request.set_tensor(port.get_any_name(), ov.Tensor(feeds[port.get_any_name()]))
        request.infer()
        logits.append(request.get_output_tensor(0).data[0].copy())
        start = end
    return np.concatenate(logits)


@pytest.mark.parametrize("wire", [ElementType.F32, inference_precision(CORE, "CPU")], ids=str)
@pytest.mark.parametrize("marks", [(0, 4), (0, 2, 4), (0, 1, 2, 4), (0, 1, 2, 3, 4)], ids=str)
def test_every_split_is_bit_equal_to_the_published_model(tiny_model: Path, marks, wire: ElementType) -> None:
    stages = [stage(tiny_model, a, b, wire) for a, b in pairwise(marks)]
    chunks = [IDS[:40], IDS[40:41], IDS[41:45], IDS[45:64]]
    starts = [0, 40, 41, 45]
    logits = np.concatenate([run(stages, ids, start) for ids, start in zip(chunks, starts, strict=True)])
    assert np.array_equal(logits, unsplit(tiny_model, wire, chunks))


def test_a_rewind_leaves_no_trace(tiny_model: Path) -> None:
    wire = inference_precision(CORE, "CPU")
    stages = [stage(tiny_model, 0, 2, wire), stage(tiny_model, 2, 4, wire)]
    run(stages, IDS[:30], 0)
    run(stages, np.array([7, 8, 9], np.int32), 30)
    again = [run(stages, IDS[20:40], 20), run(stages, IDS[40:41], 40)]
    whole = [stage(tiny_model, 0, 4, wire)]
    run(whole, IDS[:20], 0)
    reference = [run(whole, IDS[20:40], 20), run(whole, IDS[40:41], 40)]
    for a, b in zip(again, reference, strict=True):
        assert np.array_equal(a, b)


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_sequences_do_not_touch_one_another(tiny_model: Path, data: st.DataObject) -> None:
    wire = ElementType.F32
    shared, alone = stage(tiny_model, 0, 4, wire), stage(tiny_model, 0, 4, wire)
    length = {1: 0, 2: 0}
    for _ in range(data.draw(st.integers(1, 6))):
        sequence = data.draw(st.sampled_from([1, 2]))
        start = data.draw(st.integers(0, length[sequence]))
        ids = np.array(data.draw(st.lists(st.integers(0, 299), min_size=1, max_size=5)), np.int32)
        logits = run([shared], ids, start, sequence=sequence)
        length[sequence] = start + len(ids)
        if sequence == 1:
            assert np.array_equal(logits, run([alone], ids, start))


def test_a_shard_that_holds_less_says_how_much(tiny_model: Path) -> None:
    shard = stage(tiny_model, 0, 4, ElementType.F32)
    run([shard], IDS[:10], 0)
    with pytest.raises(NeedsReplay) as caught:
        run([shard], IDS[11:12], 11)
    assert (caught.value.sequence, caught.value.held) == (1, 10)
    shard.end(1)
    with pytest.raises(NeedsReplay) as caught:
        run([shard], IDS[10:11], 10)
    assert caught.value.held == 0


def test_the_oldest_sequence_makes_room(tiny_model: Path) -> None:
    shard = stage(tiny_model, 0, 2, ElementType.F32)
    for sequence in range(1, 10):
        shard.run(Batch((Segment(sequence, 0, 4),), IDS[:4]))
    with pytest.raises(NeedsReplay):
        shard.run(Batch((Segment(1, 4, 1),), IDS[4:5]))
    shard.run(Batch((Segment(9, 4, 1),), IDS[4:5]))


def test_logits_come_only_for_the_sampled_rows(tiny_model: Path) -> None:
    shard = stage(tiny_model, 0, 4, ElementType.F32)
    every = run([shard], IDS[:10], 0)
    output = shard.run(Batch((Segment(2, 0, 10, sample=2),), IDS[:10]))
    assert output.logits is not None
    assert np.array_equal(output.logits, every[-2:])
    assert shard.run(Batch((Segment(3, 0, 10, sample=0),), IDS[:10])).logits.shape == (0, 300)


def test_weights_that_are_not_there_never_reach_a_computation(tiny_model: Path) -> None:
    ranges = survey(tiny_model / "openvino_model.xml").ranges
    held = (*ranges[2], *ranges[3])
    stage(tiny_model, 2, 4, ElementType.F32, held=held)
    with pytest.raises(ModelIncomplete, match="layers 1 to 3"):
        stage(tiny_model, 1, 4, ElementType.F32, held=held)
