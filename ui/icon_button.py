"""A button that is only a symbol: one of ui/icons/symbol-*.svg in the colour of the theme, sharp at every scale."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from functools import lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QToolButton

from idlepool.ui.theme import colours, styled

FOLDER: Final = Path(__file__).parent / "icons"
SIDE: Final = 16
DRAWN_IN: Final = "#59636e"
"""The colour in the files, which is replaced."""


@lru_cache(maxsize=256)
def symbol(name: str, colour: str, side: int = SIDE, ratio: float = 1.0) -> QPixmap:
    """The picture of a symbol, `side` device-independent pixels wide and high."""
    drawing = (FOLDER / f"symbol-{name}.svg").read_text("ascii").replace(DRAWN_IN, colour)
    pixels = round(side * ratio)
    sized = drawing.replace('width="24" height="24"', f'width="{pixels}" height="{pixels}"')
    pixmap = QPixmap()
    pixmap.loadFromData(sized.encode("ascii"), "SVG")
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


class IconButton(QToolButton):
    """A symbol to click; `words` say what it does, in the tooltip and to a screen reader."""

    def __init__(self, name: str, words: str, *, hint: str = "") -> None:
        super().__init__()
        styled(self, "icon")
        self._name = name
        self.setIconSize(QSize(SIDE, SIDE))
        self.setAccessibleName(words)
        self.setToolTip(hint or words)
        self._draw()

    def show_symbol(self, name: str) -> None:
        """Be another symbol."""
        self._name = name
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        icon, ratio = QIcon(), self.devicePixelRatioF()
        for mode, colour in ((QIcon.Mode.Normal, colours().muted), (QIcon.Mode.Active, colours().text)):
            icon.addPixmap(symbol(self._name, colour, SIDE, ratio), mode)
        self.setIcon(icon)
