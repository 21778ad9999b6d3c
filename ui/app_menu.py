"""The menu of the tray icon, which the window has too: what this PC does, when it lends, and the way out."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from idlepool.engine.events import SetLending, Snooze, StopLending
from idlepool.engine.lending_rules import LendingMode
from idlepool.ui.lending_words import left, lent_in_full
from idlepool.ui.pc_status import Kind, StatusWatch
from idlepool.ui.snooze_menu import SnoozeMenu

MOST_LENT: Final = 4
"""Lines of who uses what; a longer menu would not fit on small screens."""


class Requests(QObject):
    """What a menu asks the application for; all menus share one."""

    open_requested = Signal()
    pair_requested = Signal()
    settings_requested = Signal()
    quit_requested = Signal()


class AppMenu(QMenu):
    """Always up to date: some desktops copy a menu as it changes, and never say that they open it."""

    def __init__(self, watch: StatusWatch, requests: Requests) -> None:
        super().__init__()
        self._watch = watch
        self._state = watch.state
        self.status = self.addAction("")
        self.status.setEnabled(False)
        self._lent = [self.addAction("") for _ in range(MOST_LENT)]
        for line in self._lent:
            line.setEnabled(False)
        self.addSeparator()
        self.setDefaultAction(self.addAction(self.tr("Open chat"), requests.open_requested.emit))
        self.addSeparator()
        self._build_lending()
        self.addSeparator()
        self.pair = self.addAction(self.tr("Pair PCs …"), requests.pair_requested.emit)
        self.settings = self.addAction(self.tr("Settings …"), requests.settings_requested.emit)
        self.addSeparator()
        self.addAction(self.tr("Quit Idlepool"), requests.quit_requested.emit)
        state = watch.state
        for told in (state.lending_changed, state.hosted_changed, state.members_changed):
            told.connect(self.refresh)
        for changed in (watch.changed, watch.time_passed):
            changed.connect(self.refresh)
        self.aboutToShow.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say how things are now."""
        status, now = self._watch.now, datetime.now().astimezone()
        lending, hosted = self._state.lending, self._state.hosted
        told = status.words if status.kind is Kind.LENDING or not status.reason else f"{status.words}: {status.reason}"
        self.status.setText(_plain(told))
        lines = self._lent_lines(now)
        for line, lent in zip(self._lent, [*lines, *[""] * MOST_LENT], strict=False):
            line.setVisible(bool(lent))
            line.setText(_plain(lent))
        rules = lending.rules if lending is not None else None
        for mode, action in self.modes.items():
            action.setEnabled(rules is not None)
            action.setChecked(lending is not None and lending.mode == mode)
        self._refresh_snooze(now)
        self.stop.setEnabled(bool(hosted) and rules is not None)
        self.pair.setVisible(bool(self._state.members))

    def _lent_lines(self, now: datetime) -> list[str]:
        hosted = self._state.hosted
        shown = hosted if len(hosted) <= MOST_LENT else hosted[: MOST_LENT - 1]
        more = len(hosted) - len(shown)
        rest = [self.tr("… and {count} more").format(count=more)] if more else []
        return [lent_in_full(one, now) for one in shown] + rest

    def _build_lending(self) -> None:
        words: dict[LendingMode, str] = {
            "when_idle": self.tr("Lend when I am away"),
            "always": self.tr("Always lend"),
            "never": self.tr("Never lend"),
        }
        group = QActionGroup(self)
        self.modes = {mode: self._add_mode(group, text, mode) for mode, text in words.items()}
        self.snooze = SnoozeMenu(self._state.bridge, self)
        self.snooze.setTitle(self.tr("Snooze"))
        self.addMenu(self.snooze)
        self.end_snooze = self.addAction("", lambda: self._state.bridge.send(Snooze(None)))
        self.stop = self.addAction(self.tr("Stop lending now"), lambda: self._state.bridge.send(StopLending()))

    def _add_mode(self, group: QActionGroup, words: str, mode: LendingMode) -> QAction:
        action = group.addAction(words)
        action.setCheckable(True)
        action.triggered.connect(lambda: self._choose(mode))
        self.addAction(action)
        return action

    def _choose(self, mode: LendingMode) -> None:
        lending = self._state.lending
        if lending is not None and lending.rules is not None:
            self._state.bridge.send(SetLending(msgspec.structs.replace(lending.rules, mode=mode)))

    def _refresh_snooze(self, now: datetime) -> None:
        lending = self._state.lending
        until = lending.snoozed_until if lending is not None else None
        remaining = left(until, now) if until is not None else ""
        self.snooze.refresh(now)
        self.snooze.menuAction().setEnabled(lending is not None and lending.rules is not None)
        self.end_snooze.setVisible(bool(remaining))
        self.end_snooze.setText(self.tr("End snooze ({left})").format(left=remaining))


def _plain(text: str) -> str:
    """Names come from other PCs: what a menu takes for a mark of an access key is doubled."""
    return text.replace("&", "&&")
