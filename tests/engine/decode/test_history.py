"""What the tail knows of a sequence's tokens: always those of the text as it stands, or it says what is missing."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.history import Histories, Seen
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import SequenceId


def segment(sequence: int, start: int, tokens: list[int], *, sample: int = 1, parent: int = 0) -> Segment:
    return Segment(sequence, start, len(tokens), sample, parent=parent, tokens=tuple(tokens))


def counted(seen: Seen) -> Counter[int]:
    return +Counter(dict(zip(seen.ids.tolist(), seen.counts.tolist(), strict=True)))


@given(st.lists(st.tuples(st.integers(0, 30), st.lists(st.integers(0, 5), min_size=1, max_size=6)), max_size=12))
def test_every_row_sees_the_tokens_up_to_itself(segments: list[tuple[int, list[int]]]) -> None:
    histories, text = Histories(), list[int]()
    for start, tokens in segments:
        part = segment(1, start, tokens, sample=len(tokens))
        if start > len(text):
            with pytest.raises(NeedsReplay) as caught:
                histories.take(part)
            assert (caught.value.sequence, caught.value.held) == (1, len(text))
            continue
        histories.take(part)
        text[start:] = tokens
        expected = [Counter(text[: start + row + 1]) for row in range(len(tokens))]
        assert [counted(seen) for seen in histories.seen(part)] == expected


def test_sequences_do_not_mix() -> None:
    histories = Histories()
    histories.take(segment(1, 0, [5, 5]))
    histories.take(segment(2, 0, [7]))
    histories.take(last := segment(1, 2, [6]))
    assert counted(histories.seen(last)[0]) == {5: 2, 6: 1}


def test_a_segment_without_ids_voids_what_it_overwrites() -> None:
    histories = Histories()
    histories.take(segment(1, 0, [1, 2, 3, 4]))
    histories.take(Segment(1, 2, 5))
    with pytest.raises(NeedsReplay) as caught:
        histories.take(segment(1, 7, [9]))
    assert caught.value.held == 2


def test_a_fork_starts_with_the_tokens_of_its_parent() -> None:
    histories = Histories()
    histories.take(segment(1, 0, [1, 2, 3]))
    histories.take(fork := segment(2, 2, [8], parent=1))
    assert counted(histories.seen(fork)[0]) == {1: 1, 2: 1, 8: 1}
    histories.take(first := segment(1, 3, [4]))
    assert counted(histories.seen(first)[0]) == {1: 1, 2: 1, 3: 1, 4: 1}


def test_a_fork_of_what_is_not_known_is_asked_for_whole() -> None:
    with pytest.raises(NeedsReplay) as caught:
        Histories().take(segment(2, 4, [8], parent=1))
    assert (caught.value.sequence, caught.value.held) == (2, 0)


def test_a_sequence_that_ended_is_forgotten() -> None:
    histories = Histories()
    histories.take(segment(1, 0, [1]))
    histories.end(SequenceId(1))
    histories.end(SequenceId(77))
    with pytest.raises(NeedsReplay):
        histories.take(segment(1, 1, [2]))


def test_the_history_not_used_for_longest_makes_room() -> None:
    histories = Histories(max_tokens=10)
    for sequence in (1, 2, 1, 3):
        histories.take(segment(sequence, 0, [0] * 4))
    histories.take(segment(1, 4, [1]))
    with pytest.raises(NeedsReplay):
        histories.take(segment(2, 4, [1]))


def test_one_long_history_is_kept_whatever_its_length() -> None:
    histories = Histories(max_tokens=10)
    histories.take(segment(1, 0, [3] * 500))
    histories.take(last := segment(1, 500, [3]))
    assert counted(histories.seen(last)[0]) == {3: 501}
