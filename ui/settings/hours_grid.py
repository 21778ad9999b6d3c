"""The hours of the week as a grid that is painted with the mouse, or hour by hour with the keyboard."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from idlepool.engine.lending_rules import DAYS, WeekHours
from idlepool.ui.announcing import announce
from idlepool.ui.painter_state import painting
from idlepool.ui.settings.week import HOURS, Cell, hours_of, share
from idlepool.ui.theme import colours

LABELLED_HOURS: Final = 6
"""Every so many hours one is named above the grid."""

MOVES: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


def short_days() -> tuple[str, ...]:
    """The short names of the days, from Monday on, in the language of the window."""
    return tuple(QLocale().dayName(day + 1, QLocale.FormatType.ShortFormat).rstrip(".") for day in range(DAYS))


class HoursGrid(QWidget):
    """Seven rows of hours. What is painted is told when the mouse is let go, or the key pressed."""

    painted = Signal(object)
    """The tuple of WeekHours."""

    def __init__(self) -> None:
        super().__init__()
        self._shares: dict[Cell, float] = {}
        self._cursor: Cell = (0, 0)
        self._paints: bool | None = None
        """What the mouse or Shift paints; None: nothing at the moment."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Hours of the week"))
        self.show_hours(())

    def show_hours(self, hours: Sequence[WeekHours]) -> None:
        """Show these rules; none: every hour."""
        self._shares = {(day, hour): share(hours, (day, hour)) for day in range(DAYS) for hour in range(HOURS)}
        self._describe()
        self.update()

    def allowed(self, cell: Cell) -> bool:
        """Whether the whole of an hour is chosen."""
        return self._shares[cell] == 1

    def paint_cell(self, cell: Cell, allowed: bool) -> None:
        """Choose an hour, or not; it is told by `finish`."""
        self._shares[cell] = float(allowed)
        self.update()

    def finish(self) -> None:
        """Tell what is painted. Of an hour that was chosen in part nothing is left: less is lent rather than more."""
        self._paints = None
        self.painted.emit(hours_of(cell for cell in self._shares if self.allowed(cell)))

    # --- where things are --------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """A line for each day and one for the hours."""
        return QSize(40 * self.fontMetrics().averageCharWidth(), (DAYS + 1) * self._row)

    @property
    def _row(self) -> int:
        return self.fontMetrics().height() + 4

    @property
    def _left(self) -> int:
        return max(self.fontMetrics().horizontalAdvance(day) for day in short_days()) + 10

    @property
    def _width(self) -> float:
        return (self.width() - self._left - 1) / HOURS

    def _rect(self, cell: Cell) -> QRectF:
        day, hour = cell
        return QRectF(self._left + hour * self._width, (day + 1) * self._row, self._width, self._row)

    def _cell(self, at: QPointF) -> Cell:
        """The nearest one."""
        day, hour = int(at.y() // self._row) - 1, int((at.x() - self._left) // self._width)
        return min(max(day, 0), DAYS - 1), min(max(hour, 0), HOURS - 1)

    # --- mouse and keyboard ------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to paint the contrary of what is there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._move(self._cell(event.position()))
            self._paints = not self.allowed(self._cursor)
            self.paint_cell(self._cursor, self._paints)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Paint on."""
        if self._paints is not None:
            self._move(self._cell(event.position()))
            self.paint_cell(self._cursor, self._paints)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell what was painted."""
        if self._paints is not None and event.button() == Qt.MouseButton.LeftButton:
            self.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move; the space bar changes an hour; with Shift the arrows carry on what is there."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Space:
            self.paint_cell(self._cursor, not self.allowed(self._cursor))
            self._describe()
            self.finish()
        elif key in MOVES:
            carried = self.allowed(self._cursor)
            day, hour = MOVES[key]
            self._move(((self._cursor[0] + day) % DAYS, (self._cursor[1] + hour) % HOURS))
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.paint_cell(self._cursor, carried)
                self.finish()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say where the cursor is."""
        super().focusInEvent(event)
        self._describe()
        self.update()

    def _move(self, cell: Cell) -> None:
        self._cursor = cell
        self._describe()
        self.update()

    def _describe(self) -> None:
        """The hour under the cursor, for a screen reader."""
        day, hour = self._cursor
        state = self.tr("may be lent") if self.allowed(self._cursor) else self.tr("nothing is lent")
        words = self.tr("{day}, {first}:00 to {last}:00: {state}. Arrow keys move, the space bar changes it.")
        self.setAccessibleDescription(
            words.format(day=QLocale().dayName(day + 1), first=hour, last=hour + 1, state=state)
        )
        if self.hasFocus():
            announce(self, f"{QLocale().dayName(day + 1)}, {hour}:00: {state}")

    # --- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Names of days and hours, the cells, and the cursor where the keyboard is."""
        theme = colours()
        with painting(self) as painter:
            if not self.isEnabled():
                painter.setOpacity(0.5)
            self._paint_names(painter)
            for cell, part in self._shares.items():
                inner = self._rect(cell).adjusted(1, 1, -1, -1)
                painter.fillRect(inner, QColor(theme.hover))
                if part:
                    inner.setWidth(inner.width() * part)
                    painter.fillRect(inner, QColor(theme.control))
            if self.hasFocus():
                cursor = self._rect(self._cursor)
                for width, colour in ((3, theme.surface), (1.5, theme.text)):  # to be seen on either ground
                    painter.setPen(QPen(QColor(colour), width))
                    painter.drawRect(cursor)

    def _paint_names(self, painter: QPainter) -> None:
        painter.setPen(QColor(colours().muted))
        for day, name in enumerate(short_days()):
            place = QRectF(0, (day + 1) * self._row, self._left, self._row)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, name)
        for hour in range(0, HOURS, LABELLED_HOURS):
            place = QRectF(self._rect((0, hour)).left() + 1, 0, 60, self._row)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, f"{hour}:00")
