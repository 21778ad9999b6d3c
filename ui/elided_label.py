"""A label of one line that is cut with … where there is no room for all of it."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from idlepool.ui.painter_state import painting
from idlepool.ui.theme import plain_tooltip


class ElidedLabel(QLabel):
    """Plain text. `text()`, and with it a screen reader, has all of it; so has the tooltip where it is cut."""

    def __init__(self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def seen(self) -> str:
        """As much of the text as there is room for."""
        return self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())

    def show_text(self, text: str) -> None:
        """Show another text."""
        self.setText(text)
        self._tell_rest()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less to be seen."""
        super().resizeEvent(event)
        self._tell_rest()

    def changeEvent(self, event: QEvent) -> None:
        """Another font takes more or less room."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._tell_rest()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what there is room for."""
        with painting(self) as painter:
            style, place, palette = self.style(), self.contentsRect(), self.palette()
            role = self.foregroundRole()
            style.drawItemText(painter, place, self.alignment(), palette, self.isEnabled(), self.seen, role)

    def _tell_rest(self) -> None:
        self.setToolTip(plain_tooltip(self.text()) if self.seen != self.text() else "")
