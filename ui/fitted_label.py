"""A label that wraps its text and is no wider than that needs: a bubble follows its widest part."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel

SLACK = 4
"""Pixels that a line of text takes beyond what its letters add up to."""


class FittedLabel(QLabel):
    """Plain text that can be selected; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self._limit = 0
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show a sentence, or nothing."""
        self.setText(text)
        self._take_size()
        self.setVisible(bool(text))

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        self._limit = limit
        self._take_size()

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._take_size()

    def _take_size(self) -> None:
        if self.text() and self._limit:
            widest = max(self.fontMetrics().horizontalAdvance(line) for line in self.text().splitlines())
            width = min(widest + SLACK, self._limit)
            self.setMinimumSize(0, 0)  # Qt finds no height for a width below the present one, and none below its own
            self.setFixedSize(width, self.heightForWidth(width))
