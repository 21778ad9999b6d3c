"""What the stages of a chain are drawn in, so that the bar of the layers and the cards below it are seen to belong."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor

COLOURS: Final = ("#0f6f8a", "#5a4fa6", "#8a5600", "#2c6b3f")
"""For both themes: white text on each has a contrast of at least 4.5."""

TEXT: Final = "#ffffff"


def stage_colour(number: int) -> QColor:
    """Of the stage at that place, from 0: neighbours differ, and colours come again."""
    return QColor(COLOURS[number % len(COLOURS)])
