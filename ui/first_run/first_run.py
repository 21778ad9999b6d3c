"""The introduction: three pages, shown once, and again when somebody asks for it in the settings."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from idlepool.ui.first_run.first_steps import FirstSteps
from idlepool.ui.first_run.pages import WhatThisIs, WhenItLends
from idlepool.ui.node_state import NodeState
from idlepool.ui.painter_state import painting
from idlepool.ui.preferences import Preferences
from idlepool.ui.settings.wheel_guard import WheelGuard
from idlepool.ui.theme import colours, styled

DEFAULT: Final = (600, 520)
SMALLEST: Final = (380, 420)


class FirstRun(QDialog):
    """Skipping it is as good as reading it: it is not shown by itself again."""

    pair_requested = Signal()

    def __init__(self, state: NodeState, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Welcome to Idlepool"))
        self.setMinimumSize(*SMALLEST)
        self.resize(DEFAULT[0], min(DEFAULT[1], max(parent.height(), SMALLEST[1])))
        self.what, self.when, self.steps = WhatThisIs(state), WhenItLends(state), FirstSteps(state)
        self.steps.pair_requested.connect(self.pair_requested)
        self.steps.starter.button.clicked.connect(self._go_on_meanwhile)
        self.pages = QStackedWidget()
        for page in (self.what, self.when, self.steps):
            self.pages.addWidget(_scrolled(page))
        self.skip = QPushButton(self.tr("Skip"))
        self.back = QPushButton(self.tr("Back"))
        self.next = styled(QPushButton(), "primary")
        self.next.setDefault(True)
        self.dots = Dots(self.pages.count())
        self._build()
        self.skip.clicked.connect(self.reject)
        self.back.clicked.connect(lambda: self.show_page(self.pages.currentIndex() - 1))
        self.next.clicked.connect(self._on_next)
        self.finished.connect(self._done)
        WheelGuard(self)
        self.show_page(0)

    def show_page(self, number: int) -> None:
        """Show a page, from 0."""
        self.pages.setCurrentIndex(number)
        last = number == self.pages.count() - 1
        self.dots.show_page(number)
        self.back.setVisible(number > 0)
        self.skip.setVisible(not last)
        self.next.setText(self.tr("Start chatting") if last else self.tr("Next"))
        self.next.setFocus()

    def _build(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(24, 12, 24, 16)
        buttons.setSpacing(0)  # beside a side whose buttons are all hidden there would be none
        before, after = QHBoxLayout(), QHBoxLayout()  # as wide as each other, so that the dots are in the middle
        before.addWidget(self.skip)
        before.addStretch(1)
        after.setSpacing(8)
        after.addStretch(1)
        after.addWidget(self.back)
        after.addWidget(self.next)
        buttons.addLayout(before, 1)
        buttons.addWidget(self.dots)
        buttons.addLayout(after, 1)
        line = styled(QFrame(), "line")
        line.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.pages, 1)
        column.addWidget(line)
        column.addLayout(buttons)

    def _on_next(self) -> None:
        if self.pages.currentIndex() == self.pages.count() - 1:
            self.accept()
        else:
            self.show_page(self.pages.currentIndex() + 1)

    def _go_on_meanwhile(self) -> None:
        """The button that was pressed is gone; Enter must not press what happens to be next to it."""
        self.next.setFocus()

    def _done(self) -> None:
        self._preferences.chosen.first_run_done = True
        self._preferences.save()


class Dots(QWidget):
    """How many pages there are, and which one is shown."""

    SIDE: Final = 8

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count
        self._shown = 0
        self.setFixedSize((2 * count - 1) * self.SIDE, self.SIDE)

    def show_page(self, number: int) -> None:
        """From 0."""
        self._shown = number
        words = self.tr("Page {number} of {count}")
        self.setAccessibleName(words.format(number=number + 1, count=self._count))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A dot for each page."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            for number in range(self._count):
                painter.setBrush(QColor(colours().control if number == self._shown else colours().border))
                painter.drawEllipse(2 * number * self.SIDE, 0, self.SIDE, self.SIDE)


def _scrolled(page: QWidget) -> QScrollArea:
    """A page that is higher than a small window is scrolled."""
    inside = styled(QWidget(), "column")
    column = QVBoxLayout(inside)
    column.setContentsMargins(24, 24, 24, 16)
    column.addWidget(page)
    area = QScrollArea(widgetResizable=True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    return area
