"""Numbers in texts, as they are written in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QLocale


def whole(number: int) -> str:
    """A whole number, with its thousands marked: 12,345."""
    return QLocale().toString(number)


def decimal(number: float, *, places: int = 1) -> str:
    """A number with so many decimal places: 23.4."""
    return QLocale().toString(float(number), "f", places)
