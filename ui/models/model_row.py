"""A model with what is known of it and what can be done with it: the row that the lists of the page are made of."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import re
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.models.fit_words import Fit
from idlepool.ui.theme import plain_tooltip, retone, styled

NARROW_CHARACTERS: Final = 64
"""A row with less room has its buttons below its words."""

_BREAK = re.compile(r"[/\-_.\\](?!\d)")


class ModelRow(QWidget):
    """Its name, facts, a verdict, and buttons beside them, or below where there is no room."""

    def __init__(self, title: str, facts: str = "") -> None:
        super().__init__()
        self.title = styled(plain_label(breakable(title)), "headline")
        self.title.setAccessibleName(title)
        self.facts = styled(plain_label(), "muted")
        self.verdict = plain_label()
        self.name = title
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self.title, self.facts, self.verdict):
            words.addWidget(label)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(16)
        self._row.addLayout(words, 1)
        self._row.addLayout(self._buttons)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(16, 12, 16, 12)
        self.column.setSpacing(8)
        self.column.addLayout(self._row)
        self.say(facts)
        self.judge(Fit("", "muted"))

    def say(self, facts: str) -> None:
        """Replace the facts."""
        self.facts.setText(breakable(facts))
        self.facts.setAccessibleName(facts)
        self.facts.setVisible(bool(facts))

    def judge(self, fit: Fit) -> None:
        """Say whether the pool can carry it, or nothing."""
        retone(self.verdict, fit.tone)
        self.verdict.setText(fit.words)
        self.verdict.setToolTip(plain_tooltip(fit.more))
        self.verdict.setVisible(bool(fit.words))

    def add_button(self, text: str, act: Callable[[], object], *, kind: str = "") -> QPushButton:
        """A button that does something with it; to a screen reader it says with what."""
        button = styled(QPushButton(text), kind)
        button.clicked.connect(lambda: act())
        self.add_control(button)
        return button

    def add_control(self, button: QAbstractButton) -> None:
        """Put a button beside the others."""
        if not button.accessibleName():
            button.setAccessibleName(f"{button.text()}: {self.name}")
        self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons where there is room."""
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW_CHARACTERS * self.fontMetrics().averageCharWidth()
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._row.direction() != direction:
            self._row.setDirection(direction)
            self._row.setSpacing(8 if narrow else 16)
            alignment = Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag.AlignTop
            self._row.setAlignment(self._buttons, alignment)


def plain_label(text: str = "") -> QLabel:
    """Words that wrap and are never read as HTML: names come from other PCs."""
    label = QLabel(text, wordWrap=True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def breakable(text: str) -> str:
    """`text` that may be wrapped after the characters that names and paths are made of, but in no version number."""
    return _BREAK.sub("\\g<0>\u200b", text)
