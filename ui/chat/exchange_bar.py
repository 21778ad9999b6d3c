"""How far an export or an import is, and a button that gives it up; hidden where it is soon over."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout

from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.theme import styled

PATIENCE_MS: Final = 300
"""What is done sooner needs no bar."""


class ExchangeBar(QFrame):
    """Shows what it is told of one export or import."""

    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("undoBar")
        self._show_soon = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._show_soon.timeout.connect(self.show)
        self.words = ElidedLabel()
        self.bar = QProgressBar(textVisible=False)
        self.button = styled(QPushButton(self.tr("Cancel")), "link")
        self.button.clicked.connect(self.given_up)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 4, 8)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.bar)
        self.hide()

    def begin(self, words: str) -> None:
        """Say what is done, such as "Exporting to all.json", if it takes a while."""
        self.words.show_text(words)
        self.bar.setAccessibleName(words)
        self.button.setAccessibleName(self.tr("{words}: cancel").format(words=words))
        self.show_progress(0, 0)
        self._show_soon.start()

    def show_progress(self, done: int, total: int) -> None:
        """Show how much is done; zeros: that is not known."""
        self.bar.setRange(0, total)
        self.bar.setValue(done)

    def end(self) -> None:
        """It is over."""
        self._show_soon.stop()
        self.hide()
