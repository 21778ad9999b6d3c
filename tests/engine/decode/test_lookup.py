"""Look-up guesses what followed the latest place that reads like the end."""

from __future__ import annotations

import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.drafter import Wanted
from idlepool.engine.decode.lookup import LookupDrafter
from idlepool.engine.types import SequenceId

ONE, OTHER = SequenceId(1), SequenceId(2)


def searched(tokens: list[int], count: int) -> list[int]:
    """What look-up means, as plainly as it can be said."""
    for order in (3, 2):
        for place in range(len(tokens) - 1, order - 1, -1):
            if len(tokens) > order and tokens[place - order : place] == tokens[-order:]:
                text = list(tokens)
                for i in range(count):
                    text.append(text[place + i])
                return text[len(tokens) :]
    return []


class TestGuesses:
    @settings(deadline=None)
    @given(
        st.lists(st.tuples(st.integers(0, 12), st.lists(st.integers(0, 3), max_size=8), st.integers(0, 6)), max_size=8)
    )
    def test_are_those_of_a_search_while_the_text_is_rewound_and_grows(self, edits):
        drafter = LookupDrafter()
        tokens: list[int] = []
        for removed, added, count in edits:
            tokens = tokens[: max(0, len(tokens) - removed)] + added
            assert drafter.propose([Wanted(ONE, tokens, count)]) == [searched(tokens, count)]

    def test_prefer_three_tokens_to_a_later_place_of_two(self):
        tokens = [1, 2, 3, 10, 11, 9, 2, 3, 20, 21, 1, 2, 3]
        assert LookupDrafter().propose([Wanted(ONE, tokens, 2)]) == [[10, 11]]

    def test_go_round_where_a_text_repeats_itself(self):
        assert LookupDrafter().propose([Wanted(ONE, [7, 8, 9, 7, 8, 9, 7, 8], 8)]) == [[9, 7, 8, 9, 7, 8, 9, 7]]

    def test_are_none_for_a_text_that_says_nothing_twice(self):
        assert LookupDrafter().propose([Wanted(ONE, list(range(50)), 5), Wanted(OTHER, [], 5)]) == [[], []]

    def test_of_one_sequence_are_not_taken_from_another(self):
        drafter = LookupDrafter()
        drafter.propose([Wanted(ONE, [1, 2, 3, 4, 5, 6], 3)])
        assert drafter.propose([Wanted(OTHER, [1, 2, 3], 3)]) == [[]]


class TestMemory:
    def test_of_a_sequence_that_ended_is_gone(self):
        drafter = LookupDrafter()
        drafter.propose([Wanted(ONE, [1, 2, 3, 1, 2], 3)])
        drafter.end(ONE)
        drafter.end(OTHER)
        assert drafter.propose([Wanted(ONE, [1, 2], 3)]) == [[]]

    def test_is_bounded_and_the_latest_text_is_what_is_kept(self):
        drafter = LookupDrafter(most_tokens=100)
        tokens: list[int] = []
        for token in range(1000):
            tokens.append(token % 23)
            (guesses,) = drafter.propose([Wanted(ONE, tokens, 3)])
            if token > 50:
                assert guesses == [(token + 1) % 23, (token + 2) % 23, (token + 3) % 23]
        assert len(drafter._indexes[ONE]) <= 100

    def test_of_many_sequences_goes_to_those_used_last(self):
        drafter = LookupDrafter(most_tokens=100)
        texts = [[n, n + 1, n + 2] * 10 for n in range(10)]
        for number, text in enumerate(texts):
            assert len(drafter.propose([Wanted(SequenceId(number), text, 3)])[0]) == 3
        assert sorted(drafter._indexes) == [7, 8, 9]

    def test_a_token_costs_the_same_in_a_long_text(self):
        """Counted, not timed: lines of Python that run for one more token."""
        drafter = LookupDrafter()
        counts = []
        for length in (500, 50_000):
            tokens = list(range(length))
            drafter.propose([Wanted(ONE, tokens, 5)])
            tokens.append(7)
            counts.append(_lines_run(lambda tokens=tokens: drafter.propose([Wanted(ONE, tokens, 5)])))
        assert counts[1] <= counts[0] + 10


def _lines_run(call) -> int:
    lines = 0

    def trace(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines
