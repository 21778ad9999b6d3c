"""What stands below an answer that broke off: why, and the ways to go on."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout

from idlepool.ui.fitted_label import FittedLabel

MARGIN: Final = 12


class Failure(QFrame):
    """Why an answer broke off, in a muted style, with buttons to go on with it, where it has begun, or to ask again."""

    again = Signal()
    go_on = Signal()
    automatic = Signal()
    """The plan that was made by hand shall hold no longer."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("failure")
        self._sentence = FittedLabel()
        words = self.tr("Plan automatically"), self.tr("Go on"), self.tr("Ask again")
        self.buttons = tuple(QPushButton(each) for each in words)
        """In the order of the tab key."""
        self._automatic, self._go_on, self._again = self.buttons
        self._automatic.setToolTip(self.tr("Drop the plan made by hand for this model, and ask again"))
        self._automatic.clicked.connect(self.automatic)
        self._go_on.setToolTip(self.tr("Write the rest of this answer"))
        self._go_on.clicked.connect(self.go_on)
        self._again.clicked.connect(self.again)
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in self.buttons:
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 10, MARGIN, 10)
        column.setSpacing(8)
        column.addWidget(self._sentence)
        column.addLayout(row)

    def show_sentence(self, sentence: str, *, begun: bool, own_plan: bool = False) -> None:
        """Show why; `begun`: there is something to go on with, `own_plan`: a plan made by hand stands in the way."""
        self._sentence.show_text(sentence)
        self._automatic.setVisible(own_plan)
        self._go_on.setVisible(begun)
        self.show()

    def forbid(self) -> None:
        """The conversation went on without this answer: it stays as it is."""
        for button in self.buttons:
            button.hide()

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        self._sentence.fit(limit - 2 * MARGIN)
