"""Times and lendings in words, whatever the clock does."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from idlepool.engine.events import LentLayers
from idlepool.ui.lending_words import guests, left, lent, moment, tomorrow

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
