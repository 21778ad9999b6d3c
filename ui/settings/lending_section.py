"""All rules by which this PC lends; each holds as soon as it is changed, and the one that decides now is marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from idlepool.engine.lending_rules import LendingMode, LendingRules
from idlepool.ui.lending_words import fixed
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.controls import GB, Choice, MemoryShare, NumberField
from idlepool.ui.settings.editor import Editor, shown_rules
from idlepool.ui.settings.hours_row import HoursRow
from idlepool.ui.settings.lending_now import LendingNow
from idlepool.ui.settings.programs_row import ProgramsRow
from idlepool.ui.settings.rows import Card, Section, SettingRow
from idlepool.ui.settings.switch import Switch

DECIDING = {
    "never": "mode",
    "always": "mode",
    "on battery": "on_battery",
    "battery low": "battery_at_least",
    "metered network": "on_metered",
    "outside hours": "hours",
    "idle time unknown": "idle_minutes",
    "user active": "idle_minutes",
    "idle": "idle_minutes",
    "program running": "exclusive_programs",
    "full-screen program": "pause_full_screen",
    "too hot": "hottest_celsius",
    "memory cap": "memory_share",
    "disk cap": "disk_bytes",
}
"""Which rule each reason of LendingChanged is about; a pause and a PC that goes to sleep are none."""


class LendingSection(Section):
    """The state that holds now, and three cards of rules."""

    def __init__(self, state: NodeState, editor: Editor[LendingRules]) -> None:
        super().__init__(
            QCoreApplication.translate("LendingSection", "Lending"),
            QCoreApplication.translate("LendingSection", "When the other PCs of your pool may compute on this one."),
        )
        self._state = state
        self._editor = editor
        self._shows: dict[str, Callable[[Any], None]] = {}
        self.rows: dict[str, SettingRow] = {}
        """By the field of LendingRules."""
        self.now = LendingNow(state)
        self._cards = Card(*self._when()), Card(*self._not_while()), Card(*self._how_much())
        self.add(self.now, *self._cards)
        for changed in (editor.changed, state.lending_changed):
            changed.connect(self._show)
        state.lending_changed.connect(self._mark)
        state.machine_changed.connect(self._show_memory)
        self._show()
        self._mark()
        self._show_memory()

    # --- the rows ----------------------------------------------------------------------------------------------------

    def _when(self) -> list[QWidget]:
        modes = (
            ("when_idle", self.tr("When nobody uses it")),
            ("always", self.tr("Always")),
            ("never", self.tr("Never")),
        )
        idle = self.tr("Without keyboard and mouse. At your first key it stops at once.")
        self.hours = HoursRow()
        self.hours.changed.connect(lambda hours: self._change("hours", hours))
        self.rows["hours"] = self.hours
        self._shows["hours"] = self.hours.show_hours
        return [
            self._choice("mode", self.tr("This PC lends"), modes, ""),
            self._number("idle_minutes", self.tr("Unused for"), NumberField(0, 240, unit=self.tr("min")), idle),
            self.hours,
        ]

    def _not_while(self) -> list[QWidget]:
        battery = self.tr("Off: it lends only while it is plugged in.")
        metered = self.tr("A network that costs by the byte, such as a phone's.")
        screen = self.tr("A game, a film or a talk is left alone.")
        self.programs = ProgramsRow(self._state)
        self.programs.changed.connect(lambda programs: self._change("exclusive_programs", programs))
        self.rows["exclusive_programs"] = self.programs
        self._shows["exclusive_programs"] = self.programs.show_programs
        return [
            self._switch("on_battery", self.tr("Lend on battery"), battery),
            self._number(
                "battery_at_least", self.tr("Only while it is charged above"), NumberField(0, 100, unit="%"), ""
            ),
            self._switch("on_metered", self.tr("Lend on metered networks"), metered),
            self._switch("pause_full_screen", self.tr("Not while a program fills the screen"), screen),
            self.programs,
        ]

    def _how_much(self) -> list[QWidget]:
        title = self.tr("Memory for others")
        self.memory = MemoryShare(title)
        self.memory.chosen.connect(lambda share: self._change("memory_share", share))
        self._shows["memory_share"] = self.memory.show_value
        memory = SettingRow(title, self.memory, hint=self.tr("At most this share of the memory is given."))
        memory.title.setBuddy(self.memory.slider)
        self.rows["memory_share"] = memory
        disk = NumberField(0, 100_000, unit="GB", decimals=1, none=self.tr("Automatic"))
        disk_hint = self.tr("For layers that are fetched for others. Automatic: a tenth of what is free.")
        hot = self.tr("Where the temperature can be read; above that, nothing is lent.")
        awake = self.tr("It does not go to sleep while others use it; on mains only.")
        return [
            memory,
            self._number("disk_bytes", self.tr("Disk for others"), disk, disk_hint),
            self._number("hottest_celsius", self.tr("Not hotter than"), NumberField(50, 110, unit="°C"), hot),
            self._switch("keep_awake", self.tr("Keep it awake"), awake),
        ]

    def _choice(self, field: str, title: str, choices: tuple[tuple[str, str], ...], hint: str) -> SettingRow:
        control = Choice(*choices)
        control.chosen.connect(lambda value: self._change(field, value))
        return self._row(field, SettingRow(title, control, hint=hint), control.show_value)

    def _switch(self, field: str, title: str, hint: str) -> SettingRow:
        control = Switch()
        control.clicked.connect(lambda on: self._change(field, on))
        return self._row(field, SettingRow(title, control, hint=hint), control.setChecked)

    def _number(self, field: str, title: str, control: NumberField, hint: str) -> SettingRow:
        whole_bytes = field == "disk_bytes"
        control.valueChanged.connect(lambda value: self._change(field, _bytes(value) if whole_bytes else value))
        show = (lambda value: control.show_value((value or 0) / GB)) if whole_bytes else control.show_value
        return self._row(field, SettingRow(title, control, hint=hint), show)

    def _row(self, field: str, row: SettingRow, show: Callable[[Any], None]) -> SettingRow:
        self.rows[field] = row
        self._shows[field] = show
        return row

    # --- keeping them true -------------------------------------------------------------------------------------------

    def _change(self, field: str, value: object) -> None:
        rules = self._editor.value
        if rules is not None:
            self._editor.change(msgspec.structs.replace(rules, **{field: value}), self.rows[field].title.text())

    def _show(self) -> None:
        for row in self.rows.values():
            row.setEnabled(self._editor.value is not None)
        shown = shown_rules(self._state, self._editor)
        for field, show in self._shows.items():
            show(getattr(shown, field))
        ruled = not fixed(self._state.lending)
        self.rows["mode"].say(self._mode_words(shown.mode) if ruled else "")
        self.rows["hours"].setVisible(ruled)
        for card in self._cards[1:]:
            card.setVisible(ruled)
        self.rows["idle_minutes"].setVisible(shown.mode == "when_idle")
        self.rows["battery_at_least"].setVisible(shown.on_battery)

    def _mode_words(self, mode: LendingMode) -> str:
        return {
            "when_idle": self.tr("Others get what you do not use; you come first."),
            "always": self.tr("Also while you work. All other rules hold all the same."),
            "never": self.tr("You can still use the PCs of the others."),
        }[mode]

    def _mark(self) -> None:
        told = self._state.lending
        deciding = DECIDING.get(told.reason) if told else None
        for field, row in self.rows.items():
            row.mark(field == deciding)

    def _show_memory(self) -> None:
        facts = self._state.machine
        self.memory.show_memory(facts.memory_bytes if facts else 0)


def _bytes(gigabytes: float) -> int | None:
    return round(gigabytes * GB) or None
