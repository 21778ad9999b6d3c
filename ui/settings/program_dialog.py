"""Chooses one of the programs that run on this PC."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QVBoxLayout, QWidget

from idlepool.engine.machine_events import WantMachineFacts
from idlepool.ui.node_state import NodeState
from idlepool.ui.search_line import SearchLine
from idlepool.ui.settings.rows import muted
from idlepool.ui.theme import styled


class ProgramDialog(QDialog):
    """A list that is searched by typing; `chosen` brings a name."""

    chosen = Signal(str)

    def __init__(self, state: NodeState, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Choose a running program"))
        self._state = state
        self.search = SearchLine()
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search among the programs"))
        self.programs = styled(QListWidget(), "choices")
        self.programs.setAccessibleName(self.tr("Programs that run for you"))
        self.words = muted(self.tr("Asking what runs …"))
        self.buttons = QDialogButtonBox()
        self.choose = self.buttons.addButton(self.tr("Choose"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for widget in (self.search, self.programs, self.words, self.buttons):
            column.addWidget(widget)
        self.resize(400, 440)
        self.search.textChanged.connect(self._filter)
        self.programs.itemActivated.connect(lambda _: self.accept())
        self.programs.currentRowChanged.connect(lambda row: self.choose.setEnabled(row >= 0))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        state.machine_changed.connect(self._show)
        self._show()
        state.bridge.send(WantMachineFacts())

    def accept(self) -> None:
        """Take the one that is marked."""
        item = self.programs.currentItem()
        if item is None or item.isHidden():
            return
        self.chosen.emit(item.text())
        super().accept()

    def _show(self) -> None:
        facts = self._state.machine
        self.programs.clear()
        self.programs.addItems(facts.programs if facts else ())
        self.words.setVisible(facts is None)
        self._filter()

    def _filter(self) -> None:
        wanted = self.search.text().casefold()
        first: int | None = None
        for row in range(self.programs.count()):
            fits = wanted in self.programs.item(row).text().casefold()
            self.programs.item(row).setHidden(not fits)
            first = row if fits and first is None else first
        self.programs.setCurrentRow(-1 if first is None else first)
        self.choose.setEnabled(first is not None)
