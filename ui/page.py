"""What the pages beside the chat share: a title with a sentence and a button, and sections in a column that scrolls."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from idlepool.ui import headings
from idlepool.ui.theme import styled

WIDTH: Final = 880
"""Pixels of the column: in a wide window its lines would be too long to read, and what is too much goes to both
sides."""

MARGIN: Final = 24
NARROW_MARGIN: Final = 16
NARROW_CHARACTERS: Final = 74
"""A page with room for fewer has its rows below one another."""


class Page(QScrollArea):
    """A page begins with `begin`, fills `column` from the top, and ends it with a stretch."""

    narrow_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.narrow: bool | None = None
        """None: not known before it has a size."""
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(1)  # it gives its room to banners before they are cut
        inside = styled(QWidget(), "column")
        self._sides = QHBoxLayout(inside)
        self._head = QHBoxLayout()
        self._head.setSpacing(8)
        self.column = QVBoxLayout()
        self.column.setSpacing(8)
        self.column.addLayout(self._head)
        self._sides.addLayout(self.column)
        self.setWidget(inside)

    def begin(self, title: str, summary: QLabel | None = None, action: QPushButton | None = None) -> None:
        """Head the page; `summary` stands below the title, `action` beside it."""
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(headings.title(title))
        self._head.addLayout(words, 1)
        if summary is not None:
            words.addWidget(summary)
        if action is not None:
            self._head.addWidget(action, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)

    def add_section(self, title: str, *content: QWidget) -> QLabel:
        """Add widgets below a heading, which is returned."""
        name = headings.heading(title)
        name.setContentsMargins(0, MARGIN - self.column.spacing(), 0, 0)
        for widget in (name, *content):
            self.column.addWidget(widget)
        return name

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column in the middle, and its margins small where there is little room."""
        super().resizeEvent(event)
        width = self.viewport().width()
        narrow = width < NARROW_CHARACTERS * self.fontMetrics().averageCharWidth()
        margin = NARROW_MARGIN if narrow else MARGIN
        side = max(margin, (width - WIDTH) // 2)
        self._sides.setContentsMargins(side, margin, side, margin)
        if narrow != self.narrow:
            self.narrow = narrow
            self._head.setDirection(row_direction(narrow=narrow))
            self.narrow_changed.emit(narrow)


def row_direction(*, narrow: bool) -> QBoxLayout.Direction:
    """Of a row that is a column where there is little room."""
    return QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
