"""A label of one line that is cut with … where there is no room for all of it."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from idlepool.ui.theme import plain_tooltip


class ElidedLabel(QLabel):
    """Plain text; the tooltip has what was cut."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        """Show as much of the text as there is room for."""
        self._text = text
        self._cut()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut it anew."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        shown = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown)
        self.setAccessibleName(self._text)
        self.setToolTip(plain_tooltip(self._text) if shown != self._text else "")
