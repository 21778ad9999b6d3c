"""Charts as a PNG: panels with curves and bars over an axis.

Drawn with Qt, which is there for the window anyway; a plotting library would be one more thing to install and keep.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter, QPen, QPolygonF

COLOURS = ("#1f6feb", "#d1570b", "#2a8f4f", "#8250df")
INK, FAINT = "#202020", "#dddddd"
LEFT, RIGHT, TOP = 80, 30, 60
LINE_HEIGHT = 26
GRID_LINES = 5
LABEL_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Curve:
    """A name and its points, in order."""

    name: str
    points: Sequence[tuple[float, float]]
    bars: bool = False
    """A bar from each point to the next one's place instead of a line."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Some curves over the same axis. `ticks` and their labels: without them the values of all points stand side by
    side at even distances, as suits an axis that grows by factors, and each point is marked."""

    title: str
    curves: Sequence[Curve]
    ticks: Sequence[tuple[float, str]] = ()
    highest: float | None = None
    """Where the axis ends; None: at a round figure above all points."""


def draw_chart(panels: Sequence[tuple[QRectF, Panel]], path: Path) -> bool:
    """Write panels, each into its area of the picture, as a PNG; returns whether that worked."""
    if QGuiApplication.instance() is None:
        if sys.platform == "linux":
            os.environ["QT_QPA_PLATFORM"] = "offscreen"  # text needs an application, and there may be no display
        application = QGuiApplication([])  # noqa: F841 - lives as long as it is drawn
    width, height = (max(edge) for edge in zip(*((a.right(), a.bottom()) for a, _ in panels), strict=True))
    image = QImage(round(width), round(height), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(QFont("sans-serif", 11))
    for area, panel in panels:
        _panel(painter, area, panel)
    painter.end()
    return bool(image.save(str(path)))


def round_top(value: float) -> float:
    """The least top of an axis at or above a value whose grid lines stand at round figures."""
    magnitude: float = 10.0 ** math.floor(math.log10(max(value, 1.0)))
    return next(top for factor in (1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10) if (top := factor * magnitude) >= value)


def below(panel: Panel) -> int:
    """The height of what stands below the axis: its labels and the names of the curves, two in a line."""
    return 68 + LINE_HEIGHT * -(-len(panel.curves) // 2)


def _panel(painter: QPainter, area: QRectF, panel: Panel) -> None:
    inner = area.adjusted(LEFT, TOP, -RIGHT, -below(panel))
    painter.setPen(QColor(INK))
    title = QRectF(area.left(), area.top() + 15, area.width(), 30)
    painter.drawText(title, Qt.AlignmentFlag.AlignCenter, panel.title)
    values = sorted({x for curve in panel.curves for x, _ in curve.points})
    highest = panel.highest or round_top(max((y for curve in panel.curves for _, y in curve.points), default=1.0))
    along = _ticked(panel.ticks) if panel.ticks else _side_by_side(values)

    def place(x: float, y: float) -> QPointF:
        return QPointF(inner.left() + along(x) * inner.width(), inner.bottom() - y / highest * inner.height())

    _grid(painter, inner, highest)
    for x, label in panel.ticks or [(x, f"{x:g}") for x in values]:
        box = QRectF(place(x, 0).x() - LABEL_WIDTH / 2, inner.bottom() + 8, LABEL_WIDTH, 20)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)
    for number, curve in enumerate(panel.curves):
        colour = QColor(COLOURS[number])
        painter.setPen(QPen(colour, 2.5))
        painter.setBrush(colour)
        if curve.bars:
            _bars(painter, curve, place)
        else:
            _line(painter, [place(x, y) for x, y in curve.points], marked=not panel.ticks)
        key = inner.bottom() + 55 + LINE_HEIGHT * (number // 2)
        painter.setPen(colour)
        painter.drawText(QPointF(inner.left() + (number % 2) * inner.width() / 2, key), f"— {curve.name}")


def _side_by_side(values: Sequence[float]) -> Callable[[float], float]:
    return lambda x: (values.index(x) + 0.5) / len(values)


def _ticked(ticks: Sequence[tuple[float, str]]) -> Callable[[float], float]:
    first, last = ticks[0][0], ticks[-1][0]
    return lambda x: (x - first) / (last - first)


def _line(painter: QPainter, spots: Sequence[QPointF], *, marked: bool) -> None:
    painter.drawPolyline(QPolygonF(spots))
    for spot in spots if marked else ():
        painter.drawEllipse(spot, 4, 4)


def _bars(painter: QPainter, curve: Curve, place: Callable[[float, float], QPointF]) -> None:
    """The last point only ends the bar before it."""
    painter.setPen(QPen(QColor("white"), 2))
    for (x, y), (after, _) in pairwise(curve.points):
        painter.drawRect(QRectF(place(x, y), place(after, 0.0)))


def _grid(painter: QPainter, inner: QRectF, highest: float) -> None:
    for line in range(GRID_LINES + 1):
        y = inner.bottom() - line / GRID_LINES * inner.height()
        painter.setPen(QColor(FAINT))
        painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
        painter.setPen(QColor(INK))
        label = QRectF(inner.left() - LEFT, y - 10, LEFT - 8, 20)
        painter.drawText(label, Qt.AlignmentFlag.AlignRight, f"{highest * line / GRID_LINES:g}")
