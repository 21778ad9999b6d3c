"""A button whose words take as many lines as they need: a question to start with."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy

from idlepool.ui.theme import styled

MARGINS: Final = (14, 10, 14, 10)


class ExampleButton(QPushButton):
    """Qt's own button keeps its words in one line, however narrow the window is."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words
        styled(self, "example")
        self.setAccessibleName(words)
        label = QLabel(words, wordWrap=True)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(*MARGINS)
        row.addWidget(label)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """Of the words."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the longest word."""
        layout = self.layout()
        return layout.minimumSize() if layout else QSize()

    def heightForWidth(self, width: int) -> int:
        """More lines where it is narrow."""
        layout = self.layout()
        return layout.heightForWidth(width) if layout else -1
