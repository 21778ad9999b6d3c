"""The played hours as a PNG: PCs, availability and re-plans, one below the other over the same time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF

from idlepool.app.chart import GRID_LINES, Curve, Panel, draw_chart
from idlepool.engine.simulation.figures import SERIES_STEP_S, Report

WIDTH, PANEL_HEIGHT = 1400, 340

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

MOST_TICKS = 16


def draw(found: Report, path: Path) -> bool:
    """Write the plot of a report; returns whether that worked."""
    areas = (QRectF(0, number * PANEL_HEIGHT, WIDTH, PANEL_HEIGHT) for number in range(3))
    return draw_chart(list(zip(areas, panels(found), strict=True)), path)


def panels(found: Report) -> list[Panel]:
    """From the series of a report."""
    series, hours = found["series"], float(found["hours"])
    ticks = hour_ticks(hours)

    def curve(name: str, values: Sequence[float]) -> Curve:
        middles = [start + SERIES_STEP_S / 7200 for start in series["hours"]]
        return Curve(name, list(zip(middles, values, strict=True)))

    percent = {name: [100 * share for share in series[name]] for name in ("availability", "ready")}
    replans = [*enumerate(series["replans_each_hour"]), (hours, 0)]
    model = f"{found['model']['layers']} layers, {found['model']['weights_bytes'] / 1e9:.1f} GB"
    return [
        Panel(f"{found['pcs']} PCs", [curve("switched on", series["on"]), curve("lend", series["lending"])], ticks),
        Panel(
            f"the model of {model}: % of the time",
            [curve("a plan is possible", percent["availability"]), curve("loaded", percent["ready"])],
            ticks,
            highest=100.0,
        ),
        Panel("planned again", [Curve("times in an hour", replans, bars=True)], ticks, highest=whole_top(replans)),
    ]


def whole_top(points: Sequence[tuple[float, float]]) -> float:
    """Where an axis of things that are counted ends: its grid lines stand at whole numbers."""
    return GRID_LINES * max(1, math.ceil(max(y for _, y in points) / GRID_LINES))


def hour_ticks(hours: float) -> list[tuple[float, str]]:
    """Where times are written below the axis, and which: the first is the beginning, the last at or after the end."""
    step = next((step for step in (1, 2, 3, 6, 12) if hours / step <= MOST_TICKS), 24)
    places = range(0, int(-(-hours // step)) * step + 1, step)
    return [(float(hour), _label(hour, days=hours > 24)) for hour in places]


def _label(hour: int, *, days: bool) -> str:
    if days and hour % 24 == 0:
        return WEEKDAYS[hour // 24 % 7]
    return f"{hour % 24 if days else hour}:00"
