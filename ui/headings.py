"""The two sizes of headings: the title of a page, and what a section of it is about."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

TITLE_SCALE: Final = 1.6
HEADING_SCALE: Final = 1.2
"""So many times as large as text."""


def title(text: str) -> QLabel:
    """The title of a page."""
    return _bold(text, TITLE_SCALE)


def heading(text: str) -> QLabel:
    """The heading of a section or of a dialog."""
    return _bold(text, HEADING_SCALE)


def _bold(text: str, scale: float) -> QLabel:
    label = QLabel(text, wordWrap=True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    font.setBold(True)
    label.setFont(font)
    return label
