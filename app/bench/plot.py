"""Two curves as a PNG: speed against the delay of the line, and against the number of users.

Drawn with Qt, which is there for the window anyway; a plotting library would be one more thing to install and keep.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter, QPen, QPolygonF

from idlepool.app.bench.report import Report

WIDTH, HEIGHT = 1400, 620
COLOURS = ("#1f6feb", "#d1570b", "#2a8f4f", "#8250df")
LEFT, RIGHT, TOP, BOTTOM = 80, 30, 60, 120
GRID_LINES = 5


@dataclass(frozen=True, slots=True)
class Curve:
    """A name and its points, in order."""

    name: str
    points: Sequence[tuple[float, float]]


def draw(found: Report, path: Path) -> bool:
    """Write the plot of a report; returns whether that worked."""
    if QGuiApplication.instance() is None:
        if sys.platform == "linux":
            os.environ["QT_QPA_PLATFORM"] = "offscreen"  # text needs an application, and there may be no display
        application = QGuiApplication([])  # noqa: F841 - lives as long as it is drawn
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(QFont("sans-serif", 11))
    half = WIDTH / 2
    _panel(painter, QRectF(0, 0, half, HEIGHT), "tokens/s against the delay of a hop (ms)", by_delay(found))
    _panel(painter, QRectF(half, 0, half, HEIGHT), "tokens/s against users", by_users(found))
    painter.end()
    return bool(image.save(str(path)))


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


def round_top(value: float) -> float:
    """The least top of an axis at or above a value whose grid lines stand at round figures."""
    magnitude: float = 10.0 ** math.floor(math.log10(max(value, 1.0)))
    return next(top for factor in (1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10) if (top := factor * magnitude) >= value)


def _point(row: Report, axis: str) -> tuple[float, float]:
    return float(row[axis]), float(row["tokens_per_second"])


def _panel(painter: QPainter, area: QRectF, title: str, curves: Sequence[Curve]) -> None:
    inner = area.adjusted(LEFT, TOP, -RIGHT, -BOTTOM)
    painter.setPen(QColor("#202020"))
    painter.drawText(QRectF(area.left(), 15, area.width(), 30), Qt.AlignmentFlag.AlignCenter, title)
    places = sorted({x for curve in curves for x, _ in curve.points})
    highest = round_top(max((y for curve in curves for _, y in curve.points), default=1.0))

    def place(x: float, y: float) -> QPointF:
        """Along the axis the values stand side by side at even distances: both axes grow by factors."""
        share = (places.index(x) + 0.5) / len(places)
        return QPointF(inner.left() + share * inner.width(), inner.bottom() - y / highest * inner.height())

    _grid(painter, inner, highest)
    for x in places:
        spot = place(x, 0)
        painter.drawText(QRectF(spot.x() - 40, spot.y() + 8, 80, 20), Qt.AlignmentFlag.AlignCenter, f"{x:g}")
    for number, curve in enumerate(curves):
        painter.setPen(QPen(QColor(COLOURS[number]), 2.5))
        spots = [place(x, y) for x, y in curve.points]
        painter.drawPolyline(QPolygonF(spots))
        painter.setBrush(QColor(COLOURS[number]))
        for spot in spots:
            painter.drawEllipse(spot, 4, 4)
        key = QPointF(inner.left() + (number % 2) * inner.width() / 2, inner.bottom() + 55 + 26 * (number // 2))
        painter.drawText(key, f"— {curve.name}")


def _grid(painter: QPainter, inner: QRectF, highest: float) -> None:
    for line in range(GRID_LINES + 1):
        y = inner.bottom() - line / GRID_LINES * inner.height()
        painter.setPen(QColor("#dddddd"))
        painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
        painter.setPen(QColor("#202020"))
        label = QRectF(inner.left() - LEFT, y - 10, LEFT - 8, 20)
        painter.drawText(label, Qt.AlignmentFlag.AlignRight, f"{highest * line / GRID_LINES:g}")
