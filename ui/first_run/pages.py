"""The first two pages of the introduction: what this is, and when this PC lends."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton, QVBoxLayout, QWidget

from idlepool.engine.events import LendingRules
from idlepool.engine.lending_rules import LendingMode
from idlepool.engine.machine_events import WantMachineFacts
from idlepool.ui import headings
from idlepool.ui.app_icon import app_icon
from idlepool.ui.lending_words import fixed
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.controls import MemoryShare, NumberField
from idlepool.ui.settings.editor import Editor, lending_editor, node_editor, shown_rules
from idlepool.ui.settings.node_sections import NameRow
from idlepool.ui.settings.rows import Card, SettingRow, muted
from idlepool.ui.theme import styled

ICON_LINES = 2.6


class Page(QWidget):
    """A title, a sentence or two, and what there is to choose."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self.heading = headings.title(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(12)
        self.column.addWidget(self.heading)
        self.text = muted(text)
        self.column.addWidget(self.text)


class WhatThisIs(Page):
    """What Idlepool does, what others could read, and what this PC is called."""

    def __init__(self, state: NodeState) -> None:
        super().__init__(
            self.tr("Your PCs, together"),
            self.tr(
                "Idlepool joins the PCs of an office or a home. Together they run language models that none of them"
                " could hold alone. There is no account, and nothing goes to a cloud."
            ),
        )
        picture = QLabel()
        side = round(ICON_LINES * picture.fontMetrics().height())
        picture.setPixmap(app_icon().pixmap(side, side))
        self.column.insertWidget(0, picture)
        self.privacy = Note(
            self.tr("Who could read along"),
            self.tr(
                "A PC that takes part in an answer could read the whole conversation, although it holds only some of"
                " the layers. No setting can prevent that. Pair only PCs whose owners you trust."
            ),
        )
        self.name = NameRow(state, node_editor(state))
        self.column.addWidget(self.privacy)
        self.column.addWidget(Card(self.name))
        self.column.addStretch(1)


class WhenItLends(Page):
    """The mode, and the two numbers that most people ask about."""

    def __init__(self, state: NodeState) -> None:
        super().__init__(
            self.tr("When this PC helps"),
            self.tr(
                "You come first: what others use is given back as soon as you need it. It lends on mains only, not over"
                " networks that cost by the byte, and not beside a game. All of it can be changed in the settings."
            ),
        )
        self._promise = self.text.text()
        self.state = state
        self._editor: Editor[LendingRules] = lending_editor(state)
        self.modes = QButtonGroup(self)
        self._values: tuple[LendingMode, ...] = ("when_idle", "always", "never")
        for place, title in enumerate(
            (self.tr("When nobody uses it (recommended)"), self.tr("Always, also while I work"), self.tr("Never"))
        ):
            self.modes.addButton(QRadioButton(title), place)
        self.idle = NumberField(0, 240, unit=self.tr("min"))
        self.memory = MemoryShare(self.tr("Memory for others"))
        self.idle_row = SettingRow(self.tr("Unused for"), self.idle, hint=self.tr("Without keyboard and mouse."))
        self.memory_row = SettingRow(self.tr("Memory for others"), self.memory, hint=self.tr("At most so much."))
        self.memory_row.title.setBuddy(self.memory.slider)
        self.column.addWidget(Card(self._mode_row(), self.idle_row, self.memory_row))
        self.column.addStretch(1)
        self._connect()
        self._show()

    def _mode_row(self) -> QWidget:
        row = QWidget()
        column = QVBoxLayout(row)
        column.setContentsMargins(11, 12, 11, 12)  # the ring of the focus is around each
        column.setSpacing(8)
        for button in self.modes.buttons():
            column.addWidget(button)
        return row

    def _connect(self) -> None:
        self.modes.idClicked.connect(lambda place: self._change(mode=self._values[place]))
        self.idle.valueChanged.connect(lambda minutes: self._change(idle_minutes=minutes))
        self.memory.chosen.connect(lambda share: self._change(memory_share=share))
        for changed in (self._editor.changed, self.state.lending_changed):
            changed.connect(self._show)
        self.state.machine_changed.connect(self._show)
        self.state.ready_changed.connect(lambda _: self.state.bridge.send(WantMachineFacts()))
        self.state.bridge.send(WantMachineFacts())

    def _change(self, **fields: object) -> None:
        rules = self._editor.value
        if rules is not None:
            self._editor.change(msgspec.structs.replace(rules, **fields), self.heading.text())

    def _show(self) -> None:
        rules = shown_rules(self.state, self._editor)
        why_not = fixed(self.state.lending)
        self.text.setText(why_not or self._promise)
        for button in self.modes.buttons():
            button.setEnabled(self._editor.value is not None)
        self.modes.button(self._values.index(rules.mode)).setChecked(True)
        self.idle.show_value(rules.idle_minutes)
        self.memory.show_value(rules.memory_share)
        self.memory.show_memory(self.state.machine.memory_bytes if self.state.machine else 0)
        self.idle_row.setVisible(rules.mode == "when_idle")
        self.memory_row.setVisible(rules.mode != "never" and not why_not)
        for row in (self.idle_row, self.memory_row):
            row.setEnabled(self._editor.value is not None)


class Note(QWidget):
    """Something to know, in a frame that is seen."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        styled(self, "banner")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(4)
        column.addWidget(styled(QLabel(title, wordWrap=True), "headline"))
        column.addWidget(QLabel(text, wordWrap=True))
