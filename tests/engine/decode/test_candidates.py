"""Candidates are what they say: the beginning of a row's order, with a bound for everything behind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.candidates import Candidates, first_of
from idlepool.engine.decode.cuts import Cuts, Mass, Scored, kept


@st.composite
def rows(draw: st.DrawFn) -> np.ndarray:
    """Logits with few and with many equal ones."""
    vocabulary = draw(st.sampled_from([3, 50, 400, 9_000]))
    levels = draw(st.sampled_from([1, 3, 20, 10**6]))
    generator = np.random.default_rng(draw(st.integers(0, 9_999)))
    return (generator.integers(-levels, levels, size=(2, vocabulary)) / levels * 5).astype(np.float32)


def assert_they_begin(candidates: Candidates, logits: np.ndarray) -> None:
    for row, exact in enumerate(logits.astype(np.float64)):
        order, count = np.argsort(-exact, kind="stable"), int(candidates.counts[row])
        assert candidates.ids[row, :count].tolist() == order[:count].tolist()
        assert candidates.logits[row, :count].tolist() == exact[order[:count]].tolist()
        assert np.isneginf(candidates.logits[row, count:]).all()
        assert (exact[order[count:]] <= candidates.floors[row]).all()


@given(logits=rows(), count=st.sampled_from([1, 2, 64, 70, 5_000]))
def test_the_first_tokens_are_found_without_sorting(logits: np.ndarray, count: int) -> None:
    assert first_of(logits[0], count).tolist() == np.argsort(-logits[0], kind="stable")[:count].tolist()


@settings(deadline=None)
@given(logits=rows(), width=st.sampled_from([1, 5, 64]), from_graph=st.booleans(), data=st.data())
def test_candidates_begin_the_order_also_of_a_changed_row(
    logits: np.ndarray, width: int, from_graph: bool, data: st.DataObject
) -> None:
    width, vocabulary = min(width, logits.shape[1]), logits.shape[1]
    if from_graph:
        ids = np.argsort(-logits, axis=1, kind="stable")[:, :width]
        candidates = Candidates.of_best(ids, np.take_along_axis(logits, ids, 1), vocabulary=vocabulary)
    else:
        candidates = Candidates.of_rows(logits, width=width)
    assert_they_begin(candidates, logits)
    best = np.argsort(-logits[1], kind="stable")[: 2 * width].tolist()
    tokens = st.sampled_from(best) | st.integers(0, vocabulary - 1)
    changed = data.draw(st.lists(tokens, unique=True, max_size=90))
    # The new logits equal those that others have.
    moved = logits[1, data.draw(st.lists(tokens, min_size=len(changed), max_size=len(changed)))]
    logits[1, changed] = moved
    candidates.replace(1, np.array(changed, np.int64), moved.astype(np.float64))
    assert_they_begin(candidates, logits)


@settings(deadline=None)
@given(
    logits=rows(),
    width=st.sampled_from([1, 5, 64]),
    top_k=st.integers(0, 100),
    top_p=st.floats(0.01, 1),
    min_p=st.floats(0, 1),
    knows_the_sum=st.booleans(),
)
def test_what_the_cuts_leave_lies_between_the_two_numbers(
    logits: np.ndarray, width: int, top_k: int, top_p: float, min_p: float, knows_the_sum: bool
) -> None:
    """The cuts of the candidates against those of the whole row, where both numbers are the same."""
    cuts = Cuts(np.full(2, top_k), np.full(2, top_p), np.full(2, min_p))
    whole = scored(Candidates.of_rows(logits, width=logits.shape[1]))
    sums = np.exp(whole.scores).sum(axis=1)
    exact, at_most = kept(whole, cuts)
    assert exact.tolist() == at_most.tolist()
    part = scored(Candidates.of_rows(logits, width=width))
    low, high = kept(part, cuts, Mass(sums * 0.999, sums * 1.001) if knows_the_sum else None)
    assert (low <= exact).all()
    assert (exact <= high).all()


def scored(candidates: Candidates) -> Scored:
    best = candidates.logits[:, :1]
    others = candidates.vocabulary - candidates.counts
    return Scored(candidates.logits - best, candidates.counts, candidates.floors - best[:, 0], others)


@pytest.mark.parametrize("vocabulary", [64, 65])
def test_a_row_without_anything_behind_has_no_floor(vocabulary: int) -> None:
    logits = np.arange(vocabulary, dtype=np.float32)[None]
    candidates = Candidates.of_rows(logits)
    assert np.isneginf(candidates.floors[0]) == (vocabulary == 64)
