"""Times and lendings in words, whatever the clock does."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest

from idlepool.engine.events import LentLayers
from idlepool.ui.lending_words import guests, left, lent, moment, snoozes, tomorrow

NOW = datetime(2026, 3, 4, 22, 30).astimezone()


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(28, "28 min left"), (0.2, "1 min left"), (60, "1 h 0 min left"), (95, "1 h 35 min left"), (0, ""), (-500, "")],
)
def test_the_time_left(minutes: float, words: str):
    assert left(NOW + timedelta(minutes=minutes), NOW) == words


def test_a_clock_that_is_set_back_only_makes_it_longer():
    until = NOW + timedelta(minutes=30)
    assert left(until, NOW - timedelta(hours=3)) == "3 h 30 min left"
    assert left(until, NOW + timedelta(days=1)) == ""


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        (NOW, (5, 8)),
        (NOW.replace(hour=23, minute=59), (5, 8)),
        (NOW.replace(hour=0, minute=30), (4, 8)),
        (NOW.replace(hour=4, minute=59), (4, 8)),
        (NOW.replace(hour=7, minute=50), (5, 8)),
    ],
)
def test_tomorrow_is_the_next_morning_that_somebody_who_is_awake_means(now: datetime, ends: tuple[int, int]):
    assert (tomorrow(now).day, tomorrow(now).hour) == ends


def test_the_menu_says_until_when_tomorrow_is(qapp):
    assert "Until tomorrow (Thursday 8:00" in snoozes(NOW)[2][0]
    assert snoozes(NOW.replace(hour=1))[2][0].startswith("Until the morning (8:00")
    assert [end - NOW for _, end in snoozes(NOW)[:2]] == [timedelta(minutes=30), timedelta(hours=1)]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone of a process cannot be set here")
@pytest.mark.parametrize(("day", "hours"), [(28, 9), (24, 10)], ids=["the short night", "any other"])
def test_a_night_with_another_length_ends_at_eight_too(monkeypatch: pytest.MonkeyPatch, day: int, hours: int):
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    now = datetime(2026, 3, day, 22, 0).astimezone()
    ends = tomorrow(now)
    assert (ends.astimezone().hour, ends.astimezone().minute) == (8, 0)
    assert ends - now == timedelta(hours=hours)
    monkeypatch.undo()
    time.tzset()


def test_a_time_that_a_wrong_clock_put_far_away_has_its_date(qapp):
    assert "27" in moment(NOW.replace(year=2027), NOW)


def test_tomorrow_begins_in_the_morning():
    assert (tomorrow(NOW).day, tomorrow(NOW).hour, tomorrow(NOW).minute) == (5, 8, 0)
    assert tomorrow(NOW).utcoffset() is not None


def test_a_time_of_another_day_has_its_day_unless_it_is_near(qapp):
    assert "Thursday" in moment(NOW + timedelta(hours=10), NOW)
    assert "Thursday" not in moment(NOW + timedelta(hours=2), NOW)
    assert "Wednesday" not in moment(NOW + timedelta(minutes=10), NOW)


def test_what_is_lent_to_whom():
    one = LentLayers("llama", 12, 24, "a" * 64, "PC-3", NOW, 10**9)
    assert lent(one) == "Layers 12–23 of llama for PC-3"
    assert lent(LentLayers("", 5, 6, "a" * 64, "PC-3", NOW, 0)) == "Layer 5 of a model for PC-3"
    assert guests((one, one)) == "Lending to PC-3"
