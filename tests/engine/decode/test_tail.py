"""The tail on frames of many sequences: each gets the ids it would get alone, and log-probabilities if it asked."""

from __future__ import annotations

import numpy as np
import pytest

from idlepool.engine.backends.base import NeedsReplay, Output
from idlepool.engine.decode.chosen import Chosen, decode_chosen, sampled
from idlepool.engine.decode.sampler import choose
from idlepool.engine.decode.tail import Tail
from idlepool.engine.errors import PoolError
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Sampling, SequenceId

VOCABULARY = 500


def logits_of(rows: int, *, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=2, size=(rows, VOCABULARY)).astype(np.float32)


def answer(tail: Tail, segments: tuple[Segment, ...], output: Output) -> dict[int, Chosen]:
    rows = tail.choose(segments, output)
    return decode_chosen([sampled(segment) for segment in segments], rows, segments)


def with_candidates(logits: np.ndarray) -> Output:
    ids = np.argsort(-logits, axis=1, kind="stable")[:, :64].astype(np.int32)
    return Output(logits=logits, best_ids=ids, best_logits=np.take_along_axis(logits, ids, 1))


def test_each_sequence_gets_what_it_would_get_alone() -> None:
    samplings = [Sampling(), Sampling(temperature=1.0, seed=3), Sampling(temperature=0.7, top_p=0.8, min_p=0.1, seed=4)]
    segments = (
        Segment(1, 0, 5, 1, samplings[0]),
        Segment(2, 30, 4, 3, samplings[1]),
        Segment(3, 0, 64),
        Segment(4, 8, 2, 2, samplings[2]),
    )
    logits = logits_of(6)
    for output in (Output(logits=logits), with_candidates(logits)):
        chosen = answer(Tail(), segments, output)
        assert chosen[1].ids == tuple(choose(logits[:1], [5], samplings[0]))
        assert chosen[2].ids == tuple(choose(logits[1:4], [32, 33, 34], samplings[1]))
        assert chosen[3].ids == ()
        assert chosen[4].ids == tuple(choose(logits[4:], [9, 10], samplings[2]))


def test_a_chunk_of_a_prompt_alone_has_no_ids() -> None:
    chosen = answer(Tail(), (Segment(1, 0, 64),), Output(logits=np.zeros((0, VOCABULARY), np.float32)))
    assert chosen == {1: Chosen(())}


def test_penalties_count_the_prompt_the_answer_and_the_drafts_before_a_row() -> None:
    """With a large penalty on equal logits, the lowest id that was not there yet is chosen."""
    tail, sampling = Tail(), Sampling(presence_penalty=2.0)
    flat = np.ones((3, VOCABULARY), np.float32)
    tail.choose((Segment(1, 0, 3, 0, tokens=(0, 1, 3)),), Output(logits=flat[:0]))
    drafts = Segment(1, 3, 3, 3, sampling, tokens=(2, 5, 4))
    assert answer(tail, (drafts,), Output(logits=flat))[1].ids == (4, 4, 6)
    corrected = Segment(1, 4, 1, 1, sampling, tokens=(4,))
    assert answer(tail, (corrected,), with_candidates(flat[:1]))[1].ids == (5,)


def test_a_frequency_penalty_grows_with_each_time_and_a_repetition_penalty_divides_or_multiplies() -> None:
    logits = np.full((1, VOCABULARY), -9.0, np.float32)
    logits[0, :4] = [3.0, 2.5, 2.1, -1.0]
    tokens = (0, 0, 0, 1)
    frequency = Segment(1, 0, 4, 1, Sampling(frequency_penalty=0.3), tokens=tokens)  # 2.1, 2.2, 2.1
    repetition = Segment(2, 0, 4, 1, Sampling(repetition_penalty=2.0), tokens=tokens)  # 1.5, 1.25, 2.1
    negative = Segment(
        3, 0, 1, 1, Sampling(repetition_penalty=2.0, logit_bias=((0, -9), (1, -9), (2, -9))), tokens=(3,)
    )
    chosen = answer(Tail(), (frequency, repetition, negative), with_candidates(np.repeat(logits, 3, axis=0)))
    assert [chosen[sequence].ids for sequence in (1, 2, 3)] == [(1,), (2,), (3,)]


def test_a_bias_bans_and_forces_tokens() -> None:
    logits = logits_of(1)
    best, second = np.argsort(-logits[0])[:2].tolist()
    banned = Segment(1, 0, 1, 1, Sampling(temperature=0.0, logit_bias=((best, -100.0),)))
    forced = Segment(2, 0, 1, 1, Sampling(temperature=1.0, logit_bias=((499, 100.0), (9_999, 100.0))))
    chosen = answer(Tail(), (banned, forced), with_candidates(np.repeat(logits, 2, axis=0)))
    assert chosen[1].ids == (second,)
    assert chosen[2].ids == (499,)


def test_tokens_that_are_missing_are_asked_for_before_anything_is_picked() -> None:
    tail = Tail()
    tail.choose((Segment(1, 0, 2, 0, tokens=(7, 8)),), Output(logits=logits_of(0)))
    hole = Segment(1, 5, 1, 1, Sampling(presence_penalty=1.0), tokens=(9,))
    with pytest.raises(NeedsReplay) as caught:
        tail.choose((hole,), Output(logits=logits_of(1)))
    assert (caught.value.sequence, caught.value.held) == (1, 2)
    tail.end(SequenceId(1))
    with pytest.raises(NeedsReplay) as caught:
        tail.choose((hole,), Output(logits=logits_of(1)))
    assert caught.value.held == 0


def test_log_probabilities_are_those_of_the_model_itself() -> None:
    """Whatever the temperature, the cuts, the bias and the penalties make of them."""
    logits = logits_of(2, seed=3)
    sampling = Sampling(temperature=0.5, top_k=5, presence_penalty=1.0, logit_bias=((3, 50.0),), logprobs=4)
    chosen = answer(Tail(), (Segment(1, 0, 2, 2, sampling, tokens=(3, 4)),), with_candidates(logits))[1]
    wide = logits.astype(np.float64)
    exact = wide - np.log(np.exp(wide).sum(axis=1, keepdims=True))
    assert chosen.ids == (3, 3)
    assert chosen.logprobs == pytest.approx(exact[:, 3].tolist(), rel=1e-6)
    for row, top in enumerate(chosen.tops):
        assert [token for token, _ in top] == np.argsort(-logits[row])[:4].tolist()
        assert [value for _, value in top] == pytest.approx(np.sort(exact[row])[::-1][:4].tolist(), rel=1e-6)


def test_only_who_asked_gets_log_probabilities() -> None:
    segments = (
        Segment(1, 0, 1, 1, Sampling()),
        Segment(2, 0, 1, 1, Sampling(logprobs=0)),
        Segment(3, 0, 1, 1, Sampling(logprobs=20)),
    )
    chosen = answer(Tail(), segments, with_candidates(logits_of(3)))
    assert chosen[1].logprobs == chosen[1].tops == ()
    assert len(chosen[2].logprobs) == 1
    assert chosen[2].tops == ((),)
    assert len(chosen[3].tops[0]) == 20


def test_a_token_that_cannot_come_has_a_finite_log_probability() -> None:
    logits = np.array([[0.0, -np.inf, -np.inf, 1.0]], np.float32)
    top = answer(Tail(), (Segment(1, 0, 1, 1, Sampling(logprobs=4)),), Output(logits=logits))[1].tops[0]
    assert [token for token, _ in top] == [3, 0, 1, 2]
    assert top[2][1] < -1e38


def test_unusable_logits_are_told() -> None:
    logits = np.full((1, VOCABULARY), np.nan, np.float32)
    for output in (Output(logits=logits), with_candidates(logits)):
        with pytest.raises(PoolError, match="no usable numbers"):
            answer(Tail(), (Segment(1, 0, 1, 1),), output)
