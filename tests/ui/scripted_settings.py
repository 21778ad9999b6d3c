"""Plays what the settings ask of the node: --play settings, and one of in-use, snoozed, always, api, broken-api."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from idlepool.engine.events import Command, LendingChanged, LendingRules, SetLending, Snooze, StopLending
from idlepool.engine.lending_rules import WeekHours
from idlepool.engine.machine_events import MachineFacts, WantMachineFacts
from idlepool.engine.node_preferences import (
    NodePreferences,
    NodePreferencesChanged,
    RenewApiKey,
    SetNodePreferences,
)

if TYPE_CHECKING:
    from scripted_parts import Say  # which imports this file

KEY = "ip-4f9c0a7d3be1486fa2c05b7795d0e6f1"

NIGHTS = (WeekHours((0, 1, 2, 3, 4), 18 * 60, 8 * 60), WeekHours((5, 6), 0, 24 * 60))

FACTS = MachineFacts(
    16_000_000_000,
    212_000_000_000,
    ("CPU (CPU, bf16)", "GPU.0 (integrated GPU, f16)"),
    ("blender.exe", "explorer.exe", "game.exe", "mail.exe", "spreadsheet.exe"),
)

SENTENCES = {
    "idle": "This PC lends: nobody uses it.",
    "user active": "This PC lends nothing: somebody uses it.",
    "snoozed": "This PC lends nothing: its owner wants it for a while.",
    "never": "This PC lends nothing: its owner wants to lend nothing.",
    "always": "This PC lends: its owner wants to lend always.",
}


class Settings:
    def __init__(self) -> None:
        self.active = False
        self.fixed = False
        self.reason = "idle"
        self.rules = LendingRules()
        self.snoozed_until: datetime | None = None
        self.preferences = NodePreferences()
        self.key = KEY
        self.problem = ""

    def start(self, play: Sequence[str], say: Say) -> None:
        self.active = "settings" in play
        if not self.active:
            return
        if "in-use" in play:
            self.reason = "user active"
            self.rules = LendingRules(hours=NIGHTS, exclusive_programs=("blender.exe", "game.exe"), on_battery=True)
        if "snoozed" in play:
            self.snoozed_until = datetime.now().astimezone() + timedelta(minutes=25)
        if "broken-api" in play:
            self.problem = "Port 7419 is used by another program. Choose another one."
        if {"api", "broken-api"} & set(play):
            self.preferences = NodePreferences(api_on=True)
        self.fixed = "always" in play
        self.tell_lending(say)
        self.tell_preferences(say)

    def obey(self, command: Command, say: Say) -> None:
        if not self.active:
            return
        match command:
            case SetLending(rules=rules):
                self.rules = rules
                self.tell_lending(say)
            case Snooze(until=until):
                self.snoozed_until = until
                self.tell_lending(say)
            case StopLending():
                self.snoozed_until = datetime.now().astimezone() + timedelta(hours=1)
                self.tell_lending(say)
            case SetNodePreferences(preferences=preferences):
                self.preferences = preferences
                self.tell_preferences(say)
            case RenewApiKey():
                self.key = self.key[::-1]
                self.tell_preferences(say)
            case WantMachineFacts():
                say(FACTS)

    def tell_lending(self, say: Say) -> None:
        if self.fixed:
            say(LendingChanged("always", True, "always", SENTENCES["always"]))
            return
        reason = self.reason if self.rules.mode == "when_idle" else self.rules.mode
        reason = "snoozed" if self.snoozed_until and self.rules.mode != "never" else reason
        until = datetime.now().astimezone() + timedelta(minutes=5) if reason == "user active" else None
        told = LendingChanged(self.rules.mode, reason in ("idle", "always"), reason, SENTENCES[reason])
        until = self.snoozed_until if reason == "snoozed" else until
        say(msgspec.structs.replace(told, until=until, rules=self.rules, snoozed_until=self.snoozed_until))

    def tell_preferences(self, say: Say) -> None:
        on = self.preferences.api_on and not self.problem
        address = f"http://127.0.0.1:{self.preferences.api_port}/v1" if on else ""
        say(NodePreferencesChanged(self.preferences, address, self.key if on else "", self.problem))
