"""A label that wraps its text and is no wider than that needs: a bubble follows its widest part."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

SLACK = 4
"""Pixels that a line of text takes beyond what its letters add up to."""


class FittedLabel(QLabel):
    """Plain text that can be selected; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True)
        self._limit = 0
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

    def _take_size(self) -> None:
        if self.text():
            width = min(self.fontMetrics().horizontalAdvance(self.text()) + SLACK, self._limit)
            self.setFixedSize(width, self.heightForWidth(width))
