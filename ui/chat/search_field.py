"""The field in which conversations are searched: arrow keys and Enter go to the list, Esc clears it."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent

from idlepool.ui.escape import claims_escape
from idlepool.ui.search_line import SearchLine
from idlepool.ui.theme import styled

REST_MS: Final = 120
"""Of the keys before a search begins."""

_TO_THE_LIST: Final = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
)


class SearchField(SearchLine):
    """`searched` brings the words, some milliseconds after the last key; `key_given` a key that is for the list."""

    searched = Signal(str)
    key_given = Signal(QKeyEvent)
    left = Signal()
    """Esc in an empty field."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "search")
        self.setPlaceholderText(self.tr("Search"))
        self.setAccessibleName(self.tr("Search all conversations"))
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.search_now)
        self.textChanged.connect(self._on_text)

    def search_now(self) -> None:
        """Do not wait for more keys."""
        self._rest.stop()
        self.searched.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep what edits the text."""
        if event.key() in _TO_THE_LIST:
            self.search_now()
            self.key_given.emit(event)
        elif event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Esc is for this field while it has the focus, not for the window's shortcut of that key."""
        return claims_escape(event) or super().event(event)

    def _on_text(self, text: str) -> None:
        if text:
            self._rest.start()
        else:
            self.search_now()
