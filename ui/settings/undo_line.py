"""The line below the settings that says what was changed last, and takes it back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton

from idlepool.ui.announcing import announce
from idlepool.ui.theme import styled


class UndoLine(QFrame):
    """Shown from a change until it is taken back, dismissed, or another one comes. Changes of one setting that follow
    one another, such as a slider's, are taken back together."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "undo")
        self.words = QLabel(wordWrap=True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QPushButton(self.tr("Undo"))
        self.button.clicked.connect(self._undo)
        close = styled(QToolButton(), "dismiss")
        close.setText("✕")
        close.setAccessibleName(self.tr("Keep the change"))
        close.setToolTip(self.tr("Keep the change"))
        close.clicked.connect(self.forget)
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 8, 8, 8)
        line.setSpacing(8)
        line.addWidget(self.words, 1)
        line.addWidget(self.button)
        line.addWidget(close)
        self._what = ""
        self._act: Callable[[], object] | None = None
        self.hide()

    def offer(self, what: str, act: Callable[[], object]) -> None:
        """Offer to take back the change of `what`."""
        if self._act is None or what != self._what:
            self._what, self._act = what, act
        self.words.setText(self.tr("Changed: {what}.").format(what=what))
        self.button.setAccessibleName(self.tr("Undo the change: {what}").format(what=what))
        self.show()
        announce(self, self.words.text())

    def forget(self) -> None:
        """The change stays."""
        self._act = None
        self.hide()

    def _undo(self) -> None:
        act = self._act
        self.forget()
        if act:
            act()
