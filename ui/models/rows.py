"""Rows in one card, with lines between them; shown anew whenever they change."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.models.model_row import ModelRow
from idlepool.ui.showing import show_part
from idlepool.ui.theme import styled


class Rows(QFrame):
    """Hidden while there are none."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "card")
        self.shown: list[ModelRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    def update_rows(self, rows: Sequence[ModelRow]) -> None:
        """Replace what is shown, unless it says the same already: whoever has the focus there keeps it."""
        if _said(rows) == _said(self.shown):
            for row in rows:
                row.deleteLater()
        else:
            self.show_rows(rows)

    def show_rows(self, rows: Sequence[ModelRow]) -> None:
        """Replace what is shown; a row that stays keeps the focus and what it said."""
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None and widget not in rows:
                widget.hide()
                widget.deleteLater()
        self.shown = list(rows)
        for number, row in enumerate(rows):
            if number:
                self._column.addWidget(_line())
            self._column.addWidget(row)
            row.show()  # at once; a layout would do it later, when it is too late for the size of the page
        show_part(self, bool(rows))


def _said(rows: Sequence[ModelRow]) -> list[tuple[str, ...]]:
    return [(row.name, row.facts.text(), row.verdict.text(), *_buttons(row)) for row in rows]


def _buttons(row: ModelRow) -> tuple[str, ...]:
    return tuple(f"{button.text()} {button.isEnabled()}" for button in row.findChildren(QPushButton))


def _line() -> QWidget:
    line = styled(QFrame(), "line")
    line.setFixedHeight(1)
    return line
