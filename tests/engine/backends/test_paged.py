"""Paged shards: splits bit-equal to the whole, exact over chunkings and company, rewinds and forks without a trace."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from idlepool.engine.backends.base import Batch, NeedsReplay
from idlepool.engine.backends.block_pool import NoBlocks
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import ShardRequest, load_paged, load_stateful
from idlepool.engine.backends.paged import PagedShard
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, SequenceId, Span

CORE = ov.Core()
NATIVE = inference_precision(CORE, "CPU")
RANDOM = np.random.default_rng(0)
PEOPLE = RANDOM.integers(0, 300, (6, 80)).astype(np.int32)

Wanted = list[tuple[int, int, int]]
"""Segments: whose ids, first position, one past the last."""


def stages(folder: Path, marks: tuple[int, ...], wire: ElementType, *, cache_tokens: int = 1024) -> list[PagedShard]:
    return [
        load_paged(CORE, ShardRequest(folder, Span(a, b), "CPU", wire, threads=1, cache_tokens=cache_tokens))
        for a, b in pairwise(marks)
    ]


def run(shards: list[PagedShard], wanted: Wanted, *, ids: np.ndarray = PEOPLE) -> list[np.ndarray]:
    """Logits of all rows, a list for each segment."""
    segments = tuple(Segment(who + 1, first, last - first, sample=last - first) for who, first, last in wanted)
    rows = np.concatenate([ids[who][first:last] for who, first, last in wanted])
    output = None
    for shard in shards:
        output = shard.run(Batch(segments, rows))
        rows = output.hidden
    ends = np.cumsum([segment.count for segment in segments])
    return [part.copy() for part in np.split(output.logits, ends[:-1])]


@pytest.mark.parametrize("wire", [ElementType.F32, NATIVE], ids=str)
@pytest.mark.parametrize("marks", [(0, 2, 4), (0, 1, 2, 4)], ids=str)
def test_a_split_is_bit_equal_to_the_whole(tiny_model: Path, marks: tuple[int, ...], wire: ElementType) -> None:
    whole, split = stages(tiny_model, (0, 4), wire), stages(tiny_model, marks, wire)
    for wanted in (
        [(0, 0, 40)],
        [(0, 40, 41), (1, 0, 35)],
        [(1, 35, 39), (0, 41, 42), (2, 0, 1)],
        [(0, 30, 50)],
    ):
        for a, b in zip(run(whole, wanted), run(split, wanted), strict=True):
            assert np.array_equal(a, b)


def test_it_computes_what_the_stateful_form_computes(tiny_model: Path) -> None:
    paged = stages(tiny_model, (0, 4), ElementType.F32)
    stateful = load_stateful(CORE, ShardRequest(tiny_model, Span(0, 4), "CPU", ElementType.F32, threads=1))
    for first, last in ((0, 40), (40, 41), (41, 46)):
        expected = stateful.run(Batch((Segment(1, first, last - first, last - first),), PEOPLE[0][first:last])).logits
        (logits,) = run(paged, [(0, first, last)])
        assert np.abs(logits - expected).max() < 1e-5 * np.abs(expected).max()


def test_segments_of_two_or_more_are_exact_whatever_the_chunks_and_the_company(tiny_model: Path) -> None:
    shards = stages(tiny_model, (0, 2, 4), NATIVE)
    run(shards, [(0, 0, 30)])
    alone = [run(shards, [(0, at - 1, at + 1)])[0][1] for at in range(30, 60)]
    random = np.random.default_rng(1)
    for others in (0, 2, 5):
        for first, last in ((0, 20), (20, 30)) if others == 2 else ((0, 30),):
            run(shards, [(0, first, last)])
        held, at = dict.fromkeys(range(1, others + 1), 0), 30
        while at < 60:
            count = min(int(random.integers(1, 6)), 60 - at)
            company = [(who, held[who], held[who] + int(random.integers(2, 9))) for who in held]
            held = {who: last % 60 for who, _, last in company}
            rows = run(shards, [(0, at - 1, at + count), *company])[0][1:]
            for offset, row in enumerate(rows):
                assert np.array_equal(row, alone[at - 30 + offset])
            at += count


def test_a_rewind_leaves_no_trace(tiny_model: Path) -> None:
    shards, fresh = stages(tiny_model, (0, 2, 4), NATIVE), stages(tiny_model, (0, 2, 4), NATIVE)
    run(shards, [(0, 0, 50), (1, 0, 40)])
    edited = PEOPLE.copy()
    edited[0][20:] = PEOPLE[3][20:]
    run(fresh, [(0, 0, 20)])
    (again,) = run(shards, [(0, 20, 45)], ids=edited)
    (expected,) = run(fresh, [(0, 20, 45)], ids=edited)
    assert np.array_equal(again, expected)


def test_a_fork_shares_blocks_and_takes_one_of_its_own_to_write_to(tiny_model: Path) -> None:
    (shard,) = stages(tiny_model, (0, 4), ElementType.F32, cache_tokens=8 * 32)
    run([shard], [(0, 0, 80)])  # three blocks
    shard.run(Batch((Segment(5, 70, 2, parent=1),), PEOPLE[4][70:72]))
    assert shard.pool.free == 8 - 3 - 1
    shard.end(SequenceId(1))
    assert shard.pool.free == 8 - 3


def test_the_oldest_sequence_makes_room_and_is_asked_for_again(tiny_model: Path) -> None:
    (shard,) = stages(tiny_model, (0, 4), ElementType.F32, cache_tokens=128)
    run([shard], [(0, 0, 60)])
    run([shard], [(1, 0, 60)])
    run([shard], [(2, 0, 30)])
    with pytest.raises(NeedsReplay) as caught:
        run([shard], [(0, 60, 61)])
    assert (caught.value.sequence, caught.value.held) == (1, 0)
    run([shard], [(1, 60, 61), (2, 30, 31)])


def test_a_batch_that_does_not_fit_claims_nothing(tiny_model: Path) -> None:
    (shard,) = stages(tiny_model, (0, 4), ElementType.F32, cache_tokens=64)
    run([shard], [(0, 0, 10)])
    with pytest.raises(NoBlocks):
        run([shard], [(0, 10, 20), (1, 0, 30), (2, 0, 30)])
    with pytest.raises(NeedsReplay) as caught:
        run([shard], [(0, 20, 21)])
    assert caught.value.held == 10


def test_the_best_candidates_are_the_largest_logits(tiny_model: Path) -> None:
    (shard,) = stages(tiny_model, (0, 4), NATIVE)
    output = shard.run(
        Batch((Segment(1, 0, 9, sample=3), Segment(2, 0, 4)), np.concatenate([PEOPLE[0][:9], PEOPLE[1][:4]]))
    )
    assert output.logits.shape == (3, 300)
    order = np.argsort(-output.logits, axis=1, kind="stable")[:, :64]
    assert np.array_equal(output.best_ids, order)
    assert np.array_equal(output.best_logits, np.take_along_axis(output.logits, order, 1))
