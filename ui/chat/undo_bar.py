"""What was just deleted, and a button that brings it back, for some seconds or until something else is done."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from idlepool.ui.announcing import announce
from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.theme import styled

SHOWN_MS: Final = 10_000


class UndoBar(QFrame):
    """Hidden while there is nothing to undo."""

    undone = Signal(int)
    """The conversation that is wanted back."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("undoBar")
        self._conversation = 0
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        self.words = ElidedLabel()
        self.button = styled(QPushButton(self.tr("Undo")), "link")
        self.button.clicked.connect(self._undo)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 4, 4)
        row.setSpacing(4)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        self.hide()

    def offer(self, conversation: int, title: str) -> None:
        """Offer to bring a conversation back."""
        self._conversation = conversation
        self.words.show_text(self.tr("Deleted: {title}").format(title=title))
        self.button.setAccessibleName(self.tr("Bring back the conversation “{title}”").format(title=title))
        self._timer.start()
        self.show()
        announce(self, self.words.text())

    def _undo(self) -> None:
        self.hide()
        self.undone.emit(self._conversation)
