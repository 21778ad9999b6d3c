"""A line to search with: a lens in front, and a cross that empties it, in the colours of the theme."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLineEdit

from idlepool.ui.icon_button import symbol
from idlepool.ui.theme import colours


class SearchLine(QLineEdit):
    """Qt's own cross has the look of another style, and no name."""

    def __init__(self) -> None:
        super().__init__()
        self._lens = QAction(self)
        self.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(self.tr("Clear the search"), self)
        self._clear.triggered.connect(self.clear)
        self._clear.setVisible(False)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        for action, name in ((self._lens, "search"), (self._clear, "close")):
            action.setIcon(QIcon(symbol(name, colours().muted, ratio=self.devicePixelRatioF())))
