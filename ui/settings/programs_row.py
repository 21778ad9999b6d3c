"""Programs beside which this PC lends nothing: a list, one more by its name, or chosen among those that run."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.program_dialog import ProgramDialog
from idlepool.ui.settings.rows import SettingRow


class ProgramsRow(SettingRow):
    """`changed` brings the tuple of names."""

    changed = Signal(object)

    def __init__(self, state: NodeState) -> None:
        self._state = state
        self._programs: tuple[str, ...] = ()
        self._listed = QVBoxLayout()
        self._listed.setSpacing(4)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Name of a program, such as game.exe"))
        self.field.setAccessibleName(self.tr("Name of a program"))
        self.add = QPushButton(self.tr("Add"))
        self.add.setAccessibleName(self.tr("Add the program"))
        self.choose = QPushButton(self.tr("Choose a running program …"))
        both = QWidget()
        typed = QHBoxLayout()
        typed.addWidget(self.field, 1)
        typed.addWidget(self.add)
        column = QVBoxLayout(both)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(typed)
        column.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(self._listed)
        hint = self.tr("While one of these runs, nothing is lent: a game, or a program that needs the whole PC.")
        super().__init__(self.tr("Not while these programs run"), both, hint=hint, wide=True)
        self.title.setBuddy(self.field)
        self.add.clicked.connect(self._add_typed)
        self.field.returnPressed.connect(self._add_typed)
        self.choose.clicked.connect(self._choose)

    def show_programs(self, programs: tuple[str, ...]) -> None:
        """List these."""
        if programs == self._programs:
            return
        self._programs = programs
        while item := self._listed.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        before = self.choose
        for name in programs:
            remove = self._entry(name)
            QWidget.setTabOrder(before, remove)  # Qt's own order is that in which they were made
            before = remove

    def _entry(self, name: str) -> QPushButton:
        """A line with the name; its button."""
        entry = QWidget()
        label = QLabel(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        remove = QPushButton(self.tr("Remove"))
        remove.setAccessibleName(self.tr("Remove {name}").format(name=name))
        remove.clicked.connect(partial(self._remove, name))
        row = QHBoxLayout(entry)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label, 1)
        row.addWidget(remove)
        self._listed.addWidget(entry)
        return remove

    def _add_typed(self) -> None:
        name = self.field.text().strip()
        if not name:
            self.tell(self.tr("Type the name of a program first."))
            return
        if "/" in name or "\\" in name:
            self.tell(self.tr("Only the name of its file, without the folder it lies in."))
            return
        self.field.clear()
        self._take_in(name)

    def _choose(self) -> None:
        dialog = ProgramDialog(self._state, self)
        dialog.chosen.connect(self._take_in)
        dialog.open()

    def _take_in(self, name: str) -> None:
        self.tell("")
        if name.casefold() not in map(str.casefold, self._programs):
            self.changed.emit((*self._programs, name))

    def _remove(self, name: str, _checked: bool = False) -> None:
        self.field.setFocus()
        self.changed.emit(tuple(program for program in self._programs if program != name))
