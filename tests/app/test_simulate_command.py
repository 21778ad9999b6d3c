"""`idlepool simulate` plays, prints what came of it, and draws it."""

from __future__ import annotations

import json

import pytest
from PySide6.QtGui import QImage

from idlepool.app.simulate_plot import MOST_TICKS, hour_ticks, panels, whole_top

OFFICE = ("simulate", "--pcs", "40", "--hours", "10", "--seed", "3")


def test_it_prints_one_object_and_draws_a_picture(run, tmp_path):
    path = tmp_path / "day.png"
    command = run(*OFFICE, "--json", "--plot", str(path), home=tmp_path)
    assert command.finish() == 0, command.error
    found = json.loads(command.out)
    assert found["lost_tokens"] == 0
    assert found["questions"]["answered"] > 0
    assert str(path) in command.error
    assert not QImage(str(path)).isNull()
    day = panels(found)
    assert [len(curve.points) for panel in day[:2] for curve in panel.curves] == [60] * 4
    assert len(day[2].curves[0].points) == 11


def test_without_it_a_table_for_people(run, tmp_path):
    command = run("simulate", "--pcs", "2", "--hours", "1", home=tmp_path)
    assert command.finish() == 0, command.error
    lines = command.out.splitlines()
    assert lines[0] == f"{'Model':24}80 layers, 37.7 GB, 0.33 MB a token in the caches"
    assert f"{'A plan was possible':24}0.00% of the time" in lines
    assert f"{'Tokens lost':24}0" in lines


def test_a_plot_that_cannot_be_written_is_told_before_it_plays(run, tmp_path):
    command = run(*OFFICE, "--plot", str(tmp_path / "nowhere" / "day.png"), home=tmp_path)
    assert command.finish() == 1
    assert "there is no such folder" in command.error
    assert "Playing" not in command.error


@pytest.mark.parametrize(
    ("hours", "first", "second", "last"),
    [
        (10, "0:00", "1:00", "10:00"),
        (24, "0:00", "2:00", "24:00"),
        (72, "Mon", "6:00", "Thu"),
        (168, "Mon", "12:00", "Mon"),
    ],
)
def test_times_below_the_axis(hours, first, second, last):
    ticks = hour_ticks(hours)
    assert (ticks[0][1], ticks[1][1], ticks[-1][1]) == (first, second, last)
    assert len(ticks) <= MOST_TICKS + 1
    assert ticks[-1][0] >= hours


@pytest.mark.parametrize(("most", "top"), [(0, 5), (4, 5), (5, 5), (6, 10)])
def test_what_is_counted_has_grid_lines_at_whole_numbers(most, top):
    assert whole_top([(0.0, most), (1.0, 0)]) == top
