"""What the owner chooses for the node beside the rules for lending: its name, the network, the API for programs."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLineEdit, QMessageBox, QPushButton

from idlepool.engine.node_preferences import MOST_NAME, NodePreferences, RenewApiKey
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.controls import NumberField
from idlepool.ui.settings.copy_field import CopyField
from idlepool.ui.settings.editor import Editor
from idlepool.ui.settings.rows import Card, Section, SettingRow
from idlepool.ui.settings.switch import Switch

MB = 1_000_000

NodeEditor = Editor[NodePreferences]


class NameRow(SettingRow):
    """What other PCs call this one."""

    def __init__(self, state: NodeState, editor: NodeEditor) -> None:
        self.field = QLineEdit()
        self.field.setMaxLength(MOST_NAME)
        self.field.setMinimumWidth(22 * self.field.fontMetrics().averageCharWidth())
        super().__init__(self.tr("Name of this PC"), self.field, hint=self.tr("What the others see."))
        self._state = state
        self._editor = editor
        self.field.editingFinished.connect(self._typed)
        editor.changed.connect(self._show)
        state.pool_changed.connect(self._show)
        self._show()

    def _typed(self) -> None:
        name, kept = self.field.text().strip(), self._editor.value
        if kept is not None:
            self._editor.change(msgspec.structs.replace(kept, name=name), self.title.text())

    def _show(self) -> None:
        kept, here = self._editor.value, self._state.here
        self.setEnabled(kept is not None)
        self.field.setPlaceholderText(here.name if here else "")
        if not self.field.hasFocus() or not self.field.isModified():
            self.field.setText(kept.name if kept else "")


class NetworkSection(Section):
    """How much of the network model files may take."""

    def __init__(self, state: NodeState, editor: NodeEditor) -> None:
        translate = QCoreApplication.translate
        super().__init__(
            translate("NetworkSection", "Network"),
            translate(
                "NetworkSection",
                "Model files come from the Internet and from the other PCs of your pool. Answers are never slowed.",
            ),
        )
        self._state = state
        self._editor = editor
        self.rate = NumberField(0, 100_000, unit=self.tr("MB/s"), decimals=1, none=self.tr("No limit"))
        self.row = SettingRow(
            self.tr("Limit for model files"), self.rate, hint=self.tr("Of what is fetched, and of what is given.")
        )
        self.add(Card(self.row))
        self.rate.valueChanged.connect(self._typed)
        editor.changed.connect(self._show)
        self._show()

    def _typed(self, megabytes: float) -> None:
        kept = self._editor.value
        if kept is not None:
            rate = round(megabytes * MB)
            self._editor.change(msgspec.structs.replace(kept, model_bytes_per_s=rate), self.row.title.text())

    def _show(self) -> None:
        told = self._state.node_preferences
        fixed = told is not None and "model_bytes_per_s" in told.fixed
        self.row.setEnabled(self._editor.value is not None and not fixed)
        self.row.say(fixed_words() if fixed else self.tr("Of what is fetched, and of what is given."))
        self.rate.show_value((self._editor.value or NodePreferences()).model_bytes_per_s / MB)


class ApiSection(Section):
    """The switch, where programs reach it, and what they must show."""

    def __init__(self, state: NodeState, editor: NodeEditor) -> None:
        translate = QCoreApplication.translate
        super().__init__(
            translate("ApiSection", "API for programs"),
            translate(
                "ApiSection",
                "Other programs of this PC can ask your pool as they ask OpenAI's API. Nobody else in the network can.",
            ),
        )
        self._state = state
        self._editor = editor
        self.on = Switch()
        self.on_row = SettingRow(
            self.tr("Answer programs"), self.on, hint=self.tr("Only programs that run here, and only with the key.")
        )
        self.port = NumberField(1024, 65535)
        self.port_row = SettingRow(self.tr("Port"), self.port, hint=self.tr("Another one if it is taken."))
        self.address = CopyField(self.tr("Address"), self.tr("Copy the address"))
        self.key = CopyField(self.tr("Key"), self.tr("Copy the key"), secret=True)
        self.renew = QPushButton(self.tr("New key …"))
        self.example = CopyField(self.tr("Example"), self.tr("Copy the example, with the key"))
        self.rows = (
            self.port_row,
            SettingRow(self.tr("Address"), self.address, hint=self.tr("What programs call “base URL”.")),
            SettingRow(self.tr("Key"), self.key, hint=self.tr("Programs must show it. Keep it to yourself.")),
            SettingRow(self.tr("Another key"), self.renew, hint=self.tr("Programs that have the old one are refused.")),
            SettingRow(self.tr("Example"), self.example, hint=self.tr("For a terminal."), wide=True),
        )
        self.renew.setAccessibleName(self.tr("Make a new key"))
        self.add(Card(self.on_row, *self.rows))
        self.on.clicked.connect(lambda on: self._change(self.on_row, api_on=on))
        self.port.valueChanged.connect(lambda port: self._change(self.port_row, api_port=int(port)))
        self.renew.clicked.connect(self._ask_to_renew)
        editor.changed.connect(self._show)
        self._show()

    def _change(self, row: SettingRow, **fields: object) -> None:
        kept = self._editor.value
        if kept is not None:
            self._editor.change(msgspec.structs.replace(kept, **fields), row.title.text())

    def _show(self) -> None:
        kept, told = self._editor.value, self._state.node_preferences
        on = kept is not None and kept.api_on
        fixed = told.fixed if told else ()
        self.on_row.setEnabled(kept is not None and "api_on" not in fixed)
        self.on.setChecked(on)
        self.on_row.tell(told.api_problem if told else "")
        self.port.show_value((kept or NodePreferences()).api_port)
        self.port_row.setEnabled("api_port" not in fixed)
        address, key = (told.api_address, told.api_key) if told else ("", "")
        self.address.show_text(address)
        self.key.show_text(key)
        self.example.show_text(example(address, self.tr("KEY")) if address else "")
        self.example.copy.set_text(example(address, key) if address else "")
        for row in self.rows:
            row.setVisible(on)

    def _ask_to_renew(self) -> None:
        box = QMessageBox(self.window())
        box.setWindowTitle(self.tr("New key"))
        box.setText(self.tr("Make a new key?"))
        box.setInformativeText(self.tr("Every program that uses the old one is refused until you give it the new one."))
        renew = box.addButton(self.tr("Make a new key"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        renew.clicked.connect(lambda: self._state.bridge.send(RenewApiKey()))
        box.finished.connect(box.deleteLater)
        box.open()


def example(address: str, key: str) -> str:
    """A command that asks the API which models there are."""
    return f'curl {address.rstrip("/")}/models -H "Authorization: Bearer {key}"'


def fixed_words() -> str:
    """Why something cannot be changed here."""
    return QCoreApplication.translate("NodeSections", "The command line with which Idlepool was started decides this.")
