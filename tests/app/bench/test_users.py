"""The pace of users who are answered together: only the time counts in which all of them are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.app.bench.users import Pace, Seen, pace, together


def seen(*points):
    """A user who had so many tokens at such times."""
    user = Seen()
    for time_s, tokens in points:
        user.add(time_s, tokens)
    return user


def every(seconds, *, first, count):
    return seen(*((first + seconds * number, number + 1) for number in range(count)))


def test_one_user_is_as_fast_as_the_tokens_after_the_first():
    found = pace([every(0.1, first=3.0, count=11)])
    assert (found.tokens, found.steady) == (10, True)
    assert found.tokens_per_second == pytest.approx(10)


def test_prefill_of_others_and_what_comes_after_the_first_end_do_not_count():
    early, late = every(0.5, first=0.0, count=9), every(0.5, first=2.0, count=9)
    found = pace([early, late])  # together from 2.0 to 4.0
    assert (found.tokens, found.seconds, found.steady) == (8, 2.0, True)


def test_users_who_wait_for_one_another_are_measured_from_beginning_to_end():
    first, second = every(1.0, first=0.0, count=4), every(1.0, first=10.0, count=4)
    found = pace([first, second])
    assert not found.steady
    assert (found.tokens, found.seconds) == (8 - 1, 13.0)


def test_drafts_that_come_together_count_as_what_they_are():
    found = pace([seen((0.0, 1), (1.0, 5), (2.0, 6)), seen((0.0, 1), (2.0, 2))])
    assert (found.tokens, found.seconds) == (6, 2.0)


def test_answers_one_after_the_other_add_up():
    total = together([Pace(10, 1.0, steady=True), Pace(50, 2.0, steady=False)])
    assert (total.tokens_per_second, total.steady) == (20.0, False)


@given(
    st.lists(
        st.lists(st.tuples(st.floats(0, 100), st.integers(1, 9)), min_size=1, max_size=20).map(sorted),
        min_size=1,
        max_size=6,
    )
)
def test_no_token_is_counted_that_nobody_saw(steps):
    users = []
    for user in steps:
        tokens, points = 0, []
        for time_s, more in user:
            tokens += more
            points.append((time_s, tokens))
        users.append(seen(*points))
    found = pace(users)
    assert 0 <= found.tokens <= sum(user.tokens[-1] for user in users)
    assert found.seconds >= 0
    assert found.tokens_per_second >= 0
