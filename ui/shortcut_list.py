"""The list of shortcuts that F1 shows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from idlepool.ui.shortcuts import by_place
from idlepool.ui.theme import styled


class ShortcutList(QDialog):
    """A table of keys and what they do."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Shortcuts"))
        area, table = QScrollArea(), _table()
        area.setWidget(table)
        area.setWidgetResizable(True)
        area.setAccessibleName(self.tr("Shortcuts"))
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QDialogButtonBox()
        close = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.setDefault(True)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(16)
        column.addWidget(area)
        column.addWidget(buttons)
        fitting = table.sizeHint().height() + buttons.sizeHint().height() + 56
        self.resize(480, min(fitting, parent.window().height() - 32))


def _table() -> QWidget:
    table = styled(QWidget(), "column")
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 16, 0)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    for place, lines in by_place().items():
        row = grid.rowCount()
        grid.addWidget(styled(QLabel(place), "headline"), row, 0, 1, 2)
        grid.setRowMinimumHeight(row, 32)
        for number, (keys, words) in enumerate(lines, start=row + 1):
            grid.addWidget(styled(QLabel(keys), "muted"), number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(QLabel(words, wordWrap=True), number, 1)
    grid.setRowStretch(grid.rowCount(), 1)
    return table
