"""What somebody sees of a widget: its words and its buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget


def words_in(widget: QWidget) -> str:
    """All words that are to be seen."""
    labels = (label.text() for label in widget.findChildren(QLabel) if label.isVisible())
    return " ".join(labels).replace("\u200b", "")


def button(widget: QWidget, text: str) -> QPushButton:
    return next(found for found in widget.findChildren(QPushButton) if found.text() == text and found.isVisible())


def buttons(widget: QWidget) -> list[str]:
    return [found.text() for found in widget.findChildren(QPushButton) if found.isVisible() and found.isEnabled()]


def takes_focus(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def cut_words(widget: QWidget) -> list[str]:
    """Labels that have less room than their words take."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible() and label.wordWrap()]
    return [label.text() for label in labels if label.height() < label.heightForWidth(label.width())]
