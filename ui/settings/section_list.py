"""The names of the sections, beside the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.theme import styled


class SectionList(QWidget):
    """`chosen` brings the number of a section; the one that is seen is marked."""

    chosen = Signal(int)

    def __init__(self, titles: Sequence[str]) -> None:
        super().__init__()
        self.buttons = QButtonGroup(self)
        self.buttons.idClicked.connect(self.chosen)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for number, title in enumerate(titles):
            button = styled(QPushButton(title), "section")
            button.setCheckable(True)
            button.setAutoExclusive(True)
            self.buttons.addButton(button, number)
            column.addWidget(button)
        column.addStretch(1)
        self.mark(0)

    def mark(self, number: int) -> None:
        """This section is seen."""
        self.buttons.button(number).setChecked(True)
