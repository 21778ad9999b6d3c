"""Static shards give what the published model gives: whatever the chunks, the company, and after the window slides."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import EXACT, Published

from idlepool.engine.backends.base import Batch, NeedsReplay
from idlepool.engine.backends.load import ShardRequest, load_stateful, load_static
from idlepool.engine.backends.ring import Ring
from idlepool.engine.backends.static import StaticShard, StaticSizes
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
CORE.set_property("CPU", {"DYNAMIC_QUANTIZATION_GROUP_SIZE": EXACT["DYNAMIC_QUANTIZATION_GROUP_SIZE"]})
IDS = np.random.default_rng(0).integers(0, 300, 120).astype(np.int32)
WIDE = StaticSizes(users=3, ring=Ring(slots=96), decode=4, prefill=16)
NARROW = StaticSizes(users=2, ring=Ring(slots=24, pinned=2, slack=4), decode=4, prefill=16)


def load(
    folder: Path, marks: tuple[int, ...], sizes: StaticSizes, wire: ElementType = ElementType.F32
) -> list[StaticShard]:
    spans = [Span(first, last) for first, last in pairwise(marks)]
    return [load_static(CORE, ShardRequest(folder, span, "CPU", wire, threads=1), sizes=sizes) for span in spans]


def run(stages, *segments: tuple[int, int, np.ndarray]) -> list[np.ndarray]:
    """Logits of all rows of a batch of (sequence, start, ids), for each segment."""
    batch = tuple(Segment(sequence, start, len(ids), sample=len(ids)) for sequence, start, ids in segments)
    rows: np.ndarray | None = np.concatenate([ids for _, _, ids in segments])
    output = None
    for shard in stages:
        output = shard.run(Batch(batch, rows))
        rows = output.hidden
    assert output is not None
    assert output.logits is not None
    ends = np.cumsum([segment.count for segment in batch])[:-1]
    return np.split(output.logits.copy(), ends)


def assert_same(logits: np.ndarray, expected: np.ndarray, *, relative: float = 1e-5) -> None:
    assert np.abs(logits - expected).max() <= relative * np.abs(expected).max()
    assert np.array_equal(logits.argmax(axis=1), expected.argmax(axis=1))


@pytest.fixture(scope="module")
def published(tiny_model: Path) -> Published:
    return Published(tiny_model)


@pytest.fixture(scope="module")
def wide(tiny_model: Path) -> list[StaticShard]:
    return load(tiny_model, (0, 2, 4), WIDE)


@pytest.fixture(scope="module")
def narrow(tiny_model: Path) -> list[StaticShard]:
    return load(tiny_model, (0, 4), NARROW)


@pytest.mark.parametrize("marks", [(0, 4), (0, 2, 4), (0, 1, 2, 3, 4)], ids=str)
def test_every_split_is_the_published_model_within_rounding(
    tiny_model: Path, published: Published, marks: tuple[int, ...]
) -> None:
    stages = load(tiny_model, marks, WIDE)
    chunks = [IDS[:37], IDS[37:38], IDS[38:43], IDS[43:60]]
    starts = [0, 37, 38, 43]
    logits = [run(stages, (1, start, ids))[0] for start, ids in zip(starts, chunks, strict=True)]
    assert_same(np.concatenate(logits), published.all_logits(*chunks))


def test_it_agrees_with_the_stateful_backend_at_half_precision(tiny_model: Path) -> None:
    wire = ElementType.BF16
    request = ShardRequest(tiny_model, Span(0, 2), "CPU", wire, threads=1)
    outputs = []
    for shard in (load_static(CORE, request, sizes=WIDE), load_stateful(CORE, request)):
        words = [
            shard.run(Batch((Segment(1, start, count),), IDS[start : start + count])).hidden
            for start, count in ((0, 20), (20, 3))
        ]
        outputs.append((np.concatenate(words).astype(np.uint32) << 16).view(np.float32))
    assert np.abs(outputs[0] - outputs[1]).max() <= 0.05 * np.abs(outputs[1]).max()


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_chunks_company_and_rewinds_leave_no_trace(wide: list[StaticShard], published: Published, data) -> None:
    """Each sequence's logits are those of the tokens it has now, as if it had been alone and sent at once."""
    texts: dict[int, list[int]] = {1: [], 2: [], 3: []}
    last: dict[int, tuple[int, np.ndarray]] = {}
    for sequence in texts:
        for stage in wide:
            stage.end(sequence)
    for _ in range(data.draw(st.integers(2, 5))):
        batch = []
        for sequence in data.draw(st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=3, unique=True)):
            text = texts[sequence]
            start = data.draw(st.integers(max(0, len(text) - 5), len(text)))
            ids = data.draw(st.lists(st.integers(0, 299), min_size=1, max_size=20))
            texts[sequence] = text[:start] + ids
            batch.append((sequence, start, np.array(ids, np.int32)))
        for (sequence, start, _), logits in zip(batch, run(wide, *batch), strict=True):
            last[sequence] = start, logits
    for sequence, (start, logits) in last.items():
        expected = published.all_logits(np.array(texts[sequence], np.int32))
        assert_same(logits, expected[start:], relative=2e-5)


def test_a_sliding_window_keeps_the_first_positions(narrow: list[StaticShard], published: Published) -> None:
    """The reference is fed token by token and sees, at each, what the ring lets that position see."""
    ring = NARROW.ring
    published.restart()
    expected = []
    for position in range(100):
        seen = ring.sees(np.array([position]), np.arange(position + 1))[0]
        expected.append(published.logits(IDS[position : position + 1], seen)[0])
    logits = [run(narrow, (1, start, IDS[start : start + 13]))[0] for start in range(0, 91, 13)]
    assert_same(np.concatenate(logits), np.array(expected)[: 13 * len(logits)])
    whole = published.all_logits(IDS[:91])
    assert np.abs(np.concatenate(logits)[30:91] - whole[30:]).max() > 0.1 * np.abs(whole).max()


def test_what_is_taken_back_after_sliding_leaves_no_trace(narrow: list[StaticShard]) -> None:
    for sequence in (1, 2):
        run(narrow, (sequence, 0, IDS[:70]))
    run(narrow, (1, 70, IDS[100:104]))
    again = run(narrow, (1, 70, IDS[70:80]))[0]
    assert_same(again, run(narrow, (2, 70, IDS[70:80]))[0])


def test_a_rewind_past_what_the_ring_holds_asks_for_the_whole_sequence(narrow: list[StaticShard]) -> None:
    run(narrow, (1, 0, IDS[:70]))
    with pytest.raises(NeedsReplay) as caught:
        run(narrow, (1, 40, IDS[40:44]))
    assert (caught.value.sequence, caught.value.held) == (1, 0)
    run(narrow, (1, 0, IDS[:44]))


def test_a_shard_that_holds_less_says_how_much(wide: list[StaticShard]) -> None:
    run(wide, (1, 0, IDS[:10]))
    for stage in wide:
        with pytest.raises(NeedsReplay) as caught:
            stage.run(Batch((Segment(1, 11, 1),), IDS[11:12]))
        assert (caught.value.sequence, caught.value.held) == (1, 10)
    wide[0].end(1)
    with pytest.raises(NeedsReplay) as caught:
        run(wide, (1, 10, IDS[10:11]))
    assert caught.value.held == 0


def test_the_oldest_sequence_makes_room(narrow: list[StaticShard]) -> None:
    run(narrow, (1, 0, IDS[:4]))
    run(narrow, (2, 0, IDS[:4]))
    run(narrow, (1, 4, IDS[4:5]))
    run(narrow, (3, 0, IDS[:4]))
    run(narrow, (1, 5, IDS[5:6]))
    with pytest.raises(NeedsReplay):
        run(narrow, (2, 4, IDS[4:5]))


def test_more_sequences_than_lanes_in_one_batch_run_one_after_another(narrow: list[StaticShard]) -> None:
    together = run(narrow, *((sequence, 0, IDS[sequence : sequence + 5]) for sequence in range(1, 6)))
    for sequence, logits in enumerate(together, 1):
        assert_same(logits, run(narrow, (9, 0, IDS[sequence : sequence + 5]))[0])


def test_logits_come_only_for_the_sampled_rows(wide: list[StaticShard]) -> None:
    hidden = wide[0].run(Batch((Segment(1, 0, 30, sample=2),), IDS[:30])).hidden
    assert hidden.shape == (30, 64)
    logits = wide[1].run(Batch((Segment(1, 0, 30, sample=2),), hidden)).logits
    assert_same(logits, run(wide, (2, 0, IDS[:30]))[0][-2:])
    hidden = wide[0].run(Batch((Segment(3, 0, 30),), IDS[:30])).hidden
    assert wide[1].run(Batch((Segment(3, 0, 30),), hidden)).logits.shape == (0, 300)
