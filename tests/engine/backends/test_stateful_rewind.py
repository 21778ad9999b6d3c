"""Rewinds of the stateful form: cuts leave no trace at all, holes none but the rounding of sums."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from families import family_folder
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.backends.base import Batch, NeedsReplay
from idlepool.engine.backends.device import inference_precision
from idlepool.engine.backends.load import ShardRequest, load_stateful
from idlepool.engine.backends.stateful import StatefulShard
from idlepool.engine.graph.survey import survey
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, Span

CORE = ov.Core()
NATIVE = inference_precision(CORE, "CPU")
IDS = np.random.default_rng(3).integers(0, 300, 200).astype(np.int32)
HOLES, CUTS = 0.25, 0.0
NEVER_CUT = 1.0

CLOSE = 1e-5
"""Relative to the largest logit: f32 sums in another order."""


def load(folder: Path, *, void_limit: float | None, wire: ElementType = ElementType.F32) -> StatefulShard:
    layers = survey(folder / "openvino_model.xml").layers
    request = ShardRequest(folder, Span(0, layers), "CPU", wire, threads=1)
    return load_stateful(CORE, request, void_limit=void_limit)


def feed(shard: StatefulShard, ids: np.ndarray, start: int, *, sequence: int = 1) -> np.ndarray:
    """Logits of all rows of one segment."""
    logits = shard.run(Batch((Segment(sequence, start, len(ids), sample=len(ids)),), ids)).logits
    assert logits is not None
    return logits


def drafted(shard: StatefulShard, *, prompt: int, steps: int, draft: int) -> np.ndarray:
    """Logits of `steps` single tokens after a prompt, with a rejected draft after each."""
    logits = [feed(shard, IDS[:prompt], 0)]
    for position in range(prompt, prompt + steps):
        logits.append(feed(shard, IDS[position : position + 1], position))
        if draft:
            feed(shard, IDS[-draft:], position + 1)
    return np.concatenate(logits)


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """Largest difference, relative to the largest value."""
    return float(np.abs(a - b).max() / np.abs(b).max())


@pytest.fixture(scope="module")
def shards(tiny_model: Path) -> dict[float, StatefulShard]:
    return {limit: load(tiny_model, void_limit=limit) for limit in (CUTS, HOLES, NEVER_CUT)}


@pytest.mark.parametrize("wire", sorted({ElementType.F32, NATIVE}), ids=str)
def test_after_a_cut_every_bit_is_as_if_the_draft_had_never_been(tiny_model: Path, wire: ElementType) -> None:
    shard = load(tiny_model, void_limit=None, wire=wire)
    clean = drafted(shard, prompt=40, steps=10, draft=0)
    assert np.array_equal(drafted(shard, prompt=40, steps=10, draft=4), clean)


@pytest.mark.parametrize("limit", [HOLES, NEVER_CUT])
@pytest.mark.parametrize("prompt", [1, 40])
def test_holes_change_nothing_but_the_rounding_of_sums(shards, limit: float, prompt: int) -> None:
    clean = drafted(shards[CUTS], prompt=prompt, steps=20, draft=0)
    holed = drafted(shards[limit], prompt=prompt, steps=20, draft=4)
    assert distance(holed, clean) < CLOSE
    assert np.array_equal(holed.argmax(-1), clean.argmax(-1))


def test_holes_stay_within_their_share_of_the_cache(shards) -> None:
    shard = shards[HOLES]
    feed(shard, IDS[:20], 0)
    for position in range(20, 120):
        feed(shard, IDS[-6:], position)
        feed(shard, IDS[position : position + 1], position)
        held = shard._held[1]
        assert held.slots.positions == position + 1
        assert held.slots.void_share <= HOLES
        assert {state.state.shape[2] for state in held.request.query_state()} == {len(held.slots)}


def test_a_long_segment_after_holes(shards) -> None:
    for limit in (CUTS, NEVER_CUT):
        feed(shards[limit], IDS[:30], 0)
        feed(shards[limit], IDS[100:109], 30)
    after = {limit: feed(shards[limit], IDS[20:90], 20) for limit in (CUTS, NEVER_CUT)}
    assert distance(after[NEVER_CUT], after[CUTS]) < CLOSE


def test_a_sequence_taken_back_to_its_start_is_a_new_one(shards) -> None:
    shard = shards[NEVER_CUT]
    feed(shard, IDS[:50], 0)
    feed(shard, IDS[100:110], 30)
    assert np.array_equal(feed(shard, IDS[60:80], 0), feed(shard, IDS[60:80], 0, sequence=2))


def test_what_follows_a_cut_of_holes_is_as_exact_as_the_cache_is(shards) -> None:
    """A cut moves values unchanged: where nothing was computed beside the holes, no bit differs afterwards."""
    shard = shards[HOLES]
    feed(shard, IDS[:30], 0)
    feed(shard, IDS[100:105], 30)
    feed(shard, IDS[100:140], 29)  # voids 6 of 35 slots: a hole, and no cut yet
    again = feed(shard, IDS[20:40], 20)  # voids most of the cache: it is cut
    assert shard._held[1].slots.void_share == 0
    feed(shards[CUTS], IDS[:20], 0)
    assert np.array_equal(again, feed(shards[CUTS], IDS[20:40], 20))


ROUND_OTHERWISE = {1, 5, 9}
"""Lengths of a segment whose last row the CPU plugin (2026.4.1) computes in f32 with a kernel for single rows."""


def histories(data: st.DataObject, *, same_kernels: bool = False) -> Iterator[tuple[int, int, np.ndarray]]:
    """Segments of three sequences: extended, taken back anywhere; (sequence, start, ids).

    With `same_kernels` none is cut down to a length in ROUND_OTHERWISE: nobody computes those rows alone to the same
    bits.
    """
    segments: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for _ in range(data.draw(st.integers(2, 14))):
        sequence = data.draw(st.sampled_from(sorted(segments)))
        held = segments[sequence]
        starts = {start for start in range(sum(held) + 1) if not same_kernels or not _rounds_otherwise(held, start)}
        start = data.draw(st.one_of(st.just(sum(held)), st.sampled_from(sorted(starts))))
        first = data.draw(st.integers(0, 190))
        ids = IDS[first : first + data.draw(st.integers(1, 9))]
        segments[sequence] = [*_cut_down(held, start), len(ids)]
        yield sequence, start, ids


def _cut_down(lengths: list[int], start: int) -> list[int]:
    """What is left of segments of those lengths before `start`."""
    firsts = itertools.accumulate(lengths, initial=0)
    return [min(length, start - first) for first, length in zip(firsts, lengths, strict=False) if first < start]


def _rounds_otherwise(lengths: list[int], start: int) -> bool:
    left = _cut_down(lengths, start)
    return any(now in ROUND_OTHERWISE and now < before for now, before in zip(left, lengths, strict=False))


@pytest.fixture(scope="module")
def crowded(tiny_model: Path) -> dict[float, StatefulShard]:
    """Shards that hold two sequences at most."""
    found = {limit: load(tiny_model, void_limit=limit) for limit in (CUTS, HOLES, NEVER_CUT)}
    for shard in found.values():
        shard._max_sequences = 2
    return found


@settings(max_examples=25, deadline=None)
@given(data=st.data(), limit=st.sampled_from([CUTS, HOLES, NEVER_CUT]))
def test_any_history_leaves_what_never_seeing_the_rejected_tokens_leaves(
    shards, crowded, data: st.DataObject, limit: float
) -> None:
    """Rewinds, other sequences beside and evictions, which are answered with a replay."""
    shard, tokens = crowded[limit], {}
    for sequence, start, ids in histories(data):
        whole = tokens[sequence] = np.concatenate([tokens.get(sequence, IDS[:0])[:start], ids])
        try:
            logits = feed(shard, ids, start, sequence=sequence)
        except NeedsReplay as need:
            logits = feed(shard, whole[need.held :], need.held, sequence=sequence)[-len(ids) :]
        assert distance(logits, feed(shards[CUTS], whole, 0)[-len(ids) :]) < CLOSE
    for sequence in tokens:
        shard.end(sequence)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_history_of_cuts_is_exact(shards, crowded, data: st.DataObject) -> None:
    """To the last bit, where the tokens that stay come in the same segments."""
    shard, kept = crowded[CUTS], {}
    for sequence, start, ids in histories(data, same_kernels=True):
        chunks = [chunk[: start - first] for first, chunk in _placed(kept.get(sequence, [])) if first < start]
        kept[sequence] = [*chunks, ids]
        try:
            logits = feed(shard, ids, start, sequence=sequence)
        except NeedsReplay:
            logits = [feed(shard, chunk, first, sequence=sequence) for first, chunk in _placed(kept[sequence])][-1]
        clean = [feed(shards[CUTS], chunk, first) for first, chunk in _placed(kept[sequence])]
        assert np.array_equal(logits, clean[-1])
    for sequence in kept:
        shard.end(sequence)


def _placed(chunks: list[np.ndarray]) -> list[tuple[int, np.ndarray]]:
    """Each chunk behind its first position."""
    return list(zip(itertools.accumulate(map(len, chunks), initial=0), chunks, strict=False))


def test_two_threads_may_share_a_shard(shards) -> None:
    shard = shards[CUTS]
    wanted = {who: feed(shard, IDS[who * 20 : who * 20 + 60], 0, sequence=who) for who in (1, 2)}
    found: dict[int, list[np.ndarray]] = {1: [], 2: []}

    def ask(who: int) -> None:
        for _ in range(10):
            found[who].append(feed(shard, IDS[who * 20 : who * 20 + 60], 0, sequence=who))

    threads = [threading.Thread(target=ask, args=(who,)) for who in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for who, answers in found.items():
        assert len(answers) == 10
        assert all(np.array_equal(answer, wanted[who]) for answer in answers)


@pytest.mark.parametrize("name", ["mistral", "gpt_oss", "cohere2", "starcoder2"])
def test_a_sliding_window_counts_slots_so_only_cuts_are_right(family_cache: Path, name: str) -> None:
    folder = family_folder(name, family_cache)
    cutting, holing = load(folder, void_limit=CUTS), load(folder, void_limit=NEVER_CUT)
    clean = drafted(cutting, prompt=40, steps=6, draft=0)
    assert np.array_equal(drafted(cutting, prompt=40, steps=6, draft=4), clean)
    assert distance(drafted(holing, prompt=40, steps=6, draft=4), clean) > 100 * CLOSE


@pytest.mark.model
@pytest.mark.parametrize("wire", sorted({ElementType.F32, NATIVE}), ids=str)
def test_the_starter_model_says_the_same_with_rejected_drafts(starter_store: ModelStore, wire: ElementType) -> None:
    shard = load(starter_store.get("starter").folder, void_limit=None, wire=wire)
    answers = []
    for draft in (0, 5):
        logits = [feed(shard, IDS[:60], 0)[-1:]]
        for position in range(60, 76):
            chosen = logits[-1].argmax(-1).astype(np.int32)
            logits.append(feed(shard, chosen, position))
            if draft:
                feed(shard, IDS[:draft], position + 1)
        answers.append(np.concatenate(logits))
    assert np.array_equal(*answers)
