"""Two curves as a PNG: speed against the delay of the line, and against the number of users."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF

from idlepool.app.bench.report import Report
from idlepool.app.chart import Curve, Panel, draw_chart

WIDTH, HEIGHT = 1400, 620


def draw(found: Report, path: Path) -> bool:
    """Write the plot of a report; returns whether that worked."""
    half = WIDTH / 2
    delays = Panel("tokens/s against the delay of a hop (ms)", by_delay(found))
    users = Panel("tokens/s against users", by_users(found))
    return draw_chart([(QRectF(0, 0, half, HEIGHT), delays), (QRectF(half, 0, half, HEIGHT), users)], path)


def by_delay(found: Report) -> list[Curve]:
    """The plain loop, and what everything makes of it."""
    wanted = {"plain loop, 1 user": (1, False), "everything on, 1 user": (1, True), "everything on, 2 users": (2, True)}
    rows = [row for row in found["rows"] if not row["kind"] and not row["reproducible"]]
    return [
        Curve(name, [_point(r, "delay_ms") for r in rows if (r["users"], r["everything"]) == key])
        for name, key in wanted.items()
    ]


def by_users(found: Report) -> list[Curve]:
    """Without a delay; GenAI serves one user."""
    rows = [r for r in found["rows"] if not r["kind"] and not r["delay_ms"]]
    wanted = {"plain": (False, False), "everything on": (True, False), "reproducible": (False, True)}
    curves = [
        Curve(name, [_point(r, "users") for r in rows if (r["everything"], r["reproducible"]) == key])
        for name, key in wanted.items()
    ]
    return [*curves, Curve("OpenVINO GenAI", [(1.0, float(found["genai_tokens_per_second"]))])]


def _point(row: Report, axis: str) -> tuple[float, float]:
    return float(row[axis]), float(row["tokens_per_second"])
