"""Hours of the week as cells, rules and text."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.lending_rules import WeekHours
from idlepool.ui.settings.week import ALL, ENGLISH, NoHours, hours_of, read, share, written

GERMAN = ("Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa.", "So.")
MONDAY = datetime(2026, 6, 1)

runs = st.tuples(st.integers(0, 167), st.integers(1, 60))


def whole_hours(rules: tuple[WeekHours, ...]) -> set[tuple[int, int]]:
    return {cell for cell in ALL if share(rules, cell) == 1}


@settings(deadline=None, max_examples=60)
@given(st.lists(runs, max_size=6))
def test_rules_made_of_cells_hold_in_exactly_these_hours(pieces: list[tuple[int, int]]):
    cells = {divmod((first + n) % 168, 24) for first, length in pieces for n in range(length)}
    rules = hours_of(cells)
    if not cells:
        assert rules == ()  # which means every hour: whoever paints nothing is asked again
        return
    for hour in range(168):
        at = MONDAY + timedelta(hours=hour, minutes=30)
        held = not rules or any(part.hold(at) for part in rules)
        assert held == (divmod(hour, 24) in cells)
        assert share(rules, divmod(hour, 24)) == held
    assert whole_hours(rules) == cells
    assert whole_hours(read(written(rules, GERMAN), GERMAN)) == cells


def test_a_night_is_one_piece_and_days_that_are_alike_are_said_together():
    nights = {(day, hour) for day in range(5) for hour in range(18, 24)}
    nights |= {(day, hour) for day in range(1, 6) for hour in range(8)}
    assert hours_of(nights) == (WeekHours((0, 1, 2, 3, 4), 18 * 60, 8 * 60),)
    assert written(hours_of(nights), ENGLISH) == "mon–fri 18:00–8:00"


def test_every_hour_is_no_rule():
    assert hours_of(ALL) == ()
    assert whole_hours(()) == ALL


def test_half_an_hour_fills_half_a_cell():
    assert share((WeekHours((0,), 8 * 60 + 30, 10 * 60),), (0, 8)) == 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mo–Fr 18:00–8:00; Sa, So 0:00–24:00", ((0, 1, 2, 3, 4), 1080, 480)),
        ("mon-fri 18-8", ((0, 1, 2, 3, 4), 1080, 480)),
        ("Fr.-Mo. 9:15 - 10:45", ((0, 4, 5, 6), 555, 645)),
        ("22:00-6:00", ((0, 1, 2, 3, 4, 5, 6), 1320, 360)),
    ],
)
def test_what_is_written_is_understood(text: str, expected: tuple[tuple[int, ...], int, int]):
    assert read(text, GERMAN)[0] == WeekHours(*expected)


@pytest.mark.parametrize("text", ["evenings", "Mo 25:00–26:00", "Xy 8:00–9:00", "8:00", "Mo–Di–Mi 8–9", "Mo 8:61–9:00"])
def test_what_means_nothing_is_said_so(text: str):
    with pytest.raises(NoHours) as refused:
        read(f"Mo 8:00–9:00; {text}", GERMAN)
    assert refused.value.part == text
