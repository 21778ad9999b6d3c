"""What was chosen, on its way back to the head: it arrives as it was, and nothing impossible is believed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.decode.chosen import Chosen, decode_chosen, encode_chosen, sampled
from idlepool.engine.decode.request import Token
from idlepool.engine.errors import FrameError
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Sampling

IDS = st.integers(0, 2**31 - 1)
LOGPROBS = st.floats(max_value=0, allow_nan=False, allow_infinity=False, width=32)


@st.composite
def answers(draw: st.DrawFn) -> list[tuple[Segment, Chosen]]:
    """Segments as they are sent, and what the tail picks for them."""
    pairs = []
    for sequence in range(1, draw(st.integers(0, 5)) + 1):
        asked, count = draw(st.integers(-1, 20)), draw(st.integers(0, 4))
        sample = draw(st.integers(0, count))
        ids = tuple(draw(st.lists(IDS, min_size=sample, max_size=sample)))
        chosen = Chosen(ids)
        if asked >= 0 and ids:
            tops = [
                draw(st.lists(st.tuples(IDS, LOGPROBS), min_size=asked, max_size=asked).map(best_first)) for _ in ids
            ]
            chosen = Chosen(ids, tuple(draw(LOGPROBS) for _ in ids), tuple(tops))
        pairs.append((Segment(sequence, 7, count, sample, Sampling(logprobs=asked)), chosen))
    return pairs


def best_first(pairs: list[tuple[int, float]]) -> tuple[tuple[int, float], ...]:
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


@given(answers())
def test_what_was_chosen_arrives(pairs: list[tuple[Segment, Chosen]]) -> None:
    sent = [segment for segment, _ in pairs]
    rows = encode_chosen([chosen for _, chosen in pairs])
    assert rows.dtype == np.dtype("<i4")
    received = decode_chosen([sampled(segment) for segment in sent], rows, sent)
    assert received == {segment.sequence: chosen for segment, chosen in pairs}


@given(answers(), st.data())
def test_what_a_stage_skipped_is_missing(pairs: list[tuple[Segment, Chosen]], data: st.DataObject) -> None:
    kept = [pair for pair in pairs if data.draw(st.booleans())]
    rows = encode_chosen([chosen for _, chosen in kept])
    received = decode_chosen([sampled(segment) for segment, _ in kept], rows, [segment for segment, _ in pairs])
    assert received == {segment.sequence: chosen for segment, chosen in kept}


def test_a_row_is_a_token_of_the_answer() -> None:
    assert Chosen((4, 5)).token(1) == Token(5)
    with_logprobs = Chosen((4, 5), (-0.5, -1.0), (((4, -0.5),), ((2, -0.25),)))
    assert with_logprobs.token(1) == Token(5, -1.0, ((2, -0.25),))


def test_a_frame_without_log_probabilities_has_the_ids_alone() -> None:
    assert encode_chosen([Chosen((4, 5)), Chosen(()), Chosen((6,))]).tolist() == [[4], [5], [6]]


def bits(*values: float) -> list[int]:
    return np.array(values, "<f4").view("<i4").tolist()


ASKED = Segment(1, 10, 3, 1, Sampling(logprobs=1))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([-1, *bits(-1.0), 5, *bits(-0.5)], "impossible id -1"),
        ([4, *bits(-1.0), -5, *bits(-0.5)], "impossible id -5"),
        ([4, *bits(math.nan), 5, *bits(-0.5)], "log-probability that is none"),
        ([4, *bits(-1.0), 5, *bits(0.5)], "log-probability that is none"),
        ([4, *bits(-math.inf), 5, *bits(-0.5)], "log-probability that is none"),
        ([4], "1 wide; 4 was asked for"),
        ([4, *bits(-1.0)], "2 wide; 4 was asked for"),
    ],
)
def test_impossible_rows_are_refused(row: list[int], said: str) -> None:
    with pytest.raises(FrameError, match=said):
        decode_chosen([sampled(ASKED)], np.array([row], "<i4"), [ASKED])


def test_best_tokens_in_no_order_are_refused() -> None:
    asked = Segment(1, 10, 3, 1, Sampling(logprobs=2))
    row = [4, *bits(-1.0), 5, *bits(-2.0), 6, *bits(-0.5)]
    with pytest.raises(FrameError, match="in no order"):
        decode_chosen([sampled(asked)], np.array([row], "<i4"), [asked])


@pytest.mark.parametrize(
    "answer",
    [Segment(2, 12, 1, 1), Segment(1, 11, 1, 1), Segment(1, 11, 2, 2), Segment(1, 12, 1, 0)],
    ids=["another sequence", "another place", "more rows", "nothing sampled"],
)
def test_an_answer_to_no_question_is_refused(answer: Segment) -> None:
    asked = Segment(1, 10, 3, 1)
    with pytest.raises(FrameError, match="was not asked"):
        decode_chosen([answer], np.zeros((answer.count, 1), "<i4"), [asked])


def test_one_question_is_answered_once() -> None:
    asked = Segment(1, 10, 3, 1)
    with pytest.raises(FrameError, match="was not asked"):
        decode_chosen([sampled(asked)] * 2, np.zeros((2, 1), "<i4"), [asked])
