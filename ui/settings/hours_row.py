"""The hours of the week at which this PC lends: a grid, the same as text, and a way back to every hour."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from idlepool.engine.lending_rules import WeekHours
from idlepool.ui.settings.hours_grid import HoursGrid, short_days
from idlepool.ui.settings.rows import SettingRow
from idlepool.ui.settings.week import NoHours, read, written


class HoursRow(SettingRow):
    """`changed` brings the tuple of WeekHours; none: every hour."""

    changed = Signal(object)

    def __init__(self) -> None:
        self.grid = HoursGrid()
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Every hour"))
        self.field.setAccessibleName(self.tr("Hours of the week as text"))
        self.every = QPushButton(self.tr("Every hour"))
        below = QHBoxLayout()
        below.addWidget(self.field, 1)
        below.addWidget(self.every)
        both = QWidget()
        column = QVBoxLayout(both)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.grid)
        column.addLayout(below)
        hint = self.tr("Paint the hours, or write them. Coloured: this PC may lend.")
        super().__init__(self.tr("Hours of the week"), both, hint=hint, wide=True)
        self.title.setBuddy(self.grid)
        self._hours: tuple[WeekHours, ...] = ()
        self.grid.painted.connect(self._painted)
        self.field.editingFinished.connect(self._typed)
        self.every.clicked.connect(lambda: self._take(()))

    def show_hours(self, hours: tuple[WeekHours, ...]) -> None:
        """Show these rules."""
        self._hours = hours
        self.tell("")
        self.grid.show_hours(hours)
        self.field.setText(written(hours, short_days()))
        self.field.setCursorPosition(0)
        self.every.setEnabled(bool(hours))

    def _painted(self, hours: tuple[WeekHours, ...]) -> None:
        if not hours and not self.grid.allowed((0, 0)):
            self.tell(self.tr("No hour is left. To lend nothing at all, choose “Never” above."))
        else:
            self._take(hours)

    def _typed(self) -> None:
        if self.field.text() == written(self._hours, short_days()):
            self.tell("")
            return
        try:
            hours = read(self.field.text(), short_days())
        except NoHours as refused:
            example = written((WeekHours((0, 1, 2, 3, 4), 18 * 60, 8 * 60),), short_days())
            words = self.tr("“{part}” is not understood. Write it like this: {example}")
            self.tell(words.format(part=refused.part, example=example))
        else:
            self._take(hours)

    def _take(self, hours: tuple[WeekHours, ...]) -> None:
        self.show_hours(hours)
        self.changed.emit(hours)
