"""What is typed after `idlepool lend` means what it says, and what it shows can be typed."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.app.lend_values import hours_in_words, rule, rules_in_words, snooze, snooze_end, week_hours
from idlepool.engine.lending_rules import LendingRules, WeekHours

EVENING = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("30m", EVENING + timedelta(minutes=30)),
        ("1h", EVENING + timedelta(hours=1)),
        ("2d", EVENING + timedelta(days=2)),
        ("until-tomorrow", datetime(2027, 1, 1, 8, 0, tzinfo=UTC)),
        ("off", None),
    ],
)
def test_a_snooze_ends_when_it_says(text: str, end: datetime | None) -> None:
    assert snooze_end(snooze(text), EVENING) == end


@pytest.mark.parametrize("text", ["", "1", "h", "0h", "-1h", "1 hour", "until-sunday", "99999d"])
def test_a_snooze_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="30m, 1h or 2d"):
        snooze(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("idle_minutes=2.5", 2.5),
        ("on_battery=yes", True),
        ("on_battery=false", False),
        ("memory_share = 0.25", 0.25),
        ("disk_bytes=1000000", 1_000_000),
        ("disk_bytes=", None),
        ("exclusive_programs=game.exe, cinema", ("game.exe", "cinema")),
        ("exclusive_programs=", ()),
        ("hours=mon-fri 18:00-08:00; sat,sun 0:00-24:00", None),
    ],
)
def test_a_rule_is_read_as_what_it_is(text: str, read: object) -> None:
    name, value = rule(text)
    if name == "hours":
        assert value == (WeekHours((0, 1, 2, 3, 4), 1080, 480), WeekHours((5, 6), 0, 1440))
    else:
        assert (name, value) == (text.partition("=")[0].strip(), read)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mode=never", "idle_minutes"),
        ("colour=red", "idle_minutes"),
        ("memory_share=2", "memory_share cannot be 2: Expected `float` <= 1.0$"),
        ("on_battery=perhaps", "on_battery is yes or no, not perhaps$"),
        ("idle_minutes", "idle_minutes cannot be nothing"),
        ("hours=noon", "mon-fri 18:00-08:00"),
        ("hours=mon-fry 18:00-08:00", "mon, tue"),
        ("hours=mon 25:00-26:00", "24 hours"),
    ],
)
def test_a_rule_that_means_nothing_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=why):
        rule(text)


def test_days_may_go_over_the_end_of_the_week() -> None:
    assert week_hours("sat-mon 9:00-10:30").days == (0, 5, 6)


@given(
    st.builds(
        WeekHours,
        days=st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days))),
        first=st.integers(0, 1439),
        last=st.integers(0, 1440),
    )
)
def test_hours_that_are_shown_can_be_typed(hours: WeekHours) -> None:
    assert week_hours(hours_in_words(hours).removeprefix("every day ")) == hours


def test_each_rule_has_a_line() -> None:
    lines = dict(rules_in_words(LendingRules()))
    assert lines["lends"] == "when nobody uses it, for 5 minutes"
    assert (lines["memory"], lines["on battery"]) == ("at most 50 %".replace(" %", "%"), "no")
