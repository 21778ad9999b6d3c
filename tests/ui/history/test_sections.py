"""The parts of the list by age, also where the clock jumped."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from idlepool.ui.history.sections import Section, in_sections
from idlepool.ui.history.values import Entry

NOW = datetime(2026, 7, 15, 10, 0, tzinfo=UTC)
P, T, Y, W, O = Section.PINNED, Section.TODAY, Section.YESTERDAY, Section.WEEK, Section.OLDER  # noqa: E741


def entry(number: int, ago: timedelta, *, pinned: bool = False, now: datetime = NOW) -> Entry:
    return Entry(number, str(number), pinned, int((now - ago).timestamp() * 1000), "")


def parts(*entries: Entry, now: datetime = NOW) -> list[tuple[Section, list[int]]]:
    return [(section, [one.id for one in found]) for section, found in in_sections(entries, now)]


def hours(count: float) -> timedelta:
    return timedelta(hours=count)


@pytest.mark.parametrize(
    ("ago", "section"),
    [
        (hours(1), T),
        (hours(10), T),
        (hours(10.1), Y),
        (hours(34), Y),
        (hours(34.1), W),
        (hours(10 + 7 * 24), W),
        (hours(10.1 + 7 * 24), O),
        (timedelta(days=4000), O),
    ],
)
def test_a_conversation_is_in_the_part_of_its_day(ago: timedelta, section: Section) -> None:
    assert parts(entry(1, ago)) == [(section, [1])]


def test_pinned_ones_are_a_part_whatever_their_age() -> None:
    assert parts(entry(1, hours(900), pinned=True), entry(2, hours(1)), entry(3, hours(30))) == [
        (P, [1]),
        (T, [2]),
        (Y, [3]),
    ]


def test_a_day_begins_at_midnight_of_this_place() -> None:
    tokyo = NOW.astimezone(timezone(hours(9)))
    assert parts(entry(1, hours(18)), entry(2, hours(20)), now=tokyo) == [(T, [1]), (Y, [2])]


def test_a_clock_that_was_years_behind_splits_no_part() -> None:
    assert parts(entry(3, hours(1)), entry(2, timedelta(days=3650)), entry(1, hours(30))) == [(T, [3]), (Y, [2, 1])]


def test_a_clock_that_was_ahead_says_nothing_of_the_age() -> None:
    ahead = entry(2, hours(0))  # the history tells no time to come
    assert parts(entry(3, hours(30)), ahead, entry(1, hours(31))) == [(Y, [3, 2, 1])]
    assert parts(ahead, entry(1, hours(31))) == [(T, [2]), (Y, [1])]


def test_nothing_has_no_parts() -> None:
    assert parts() == []
