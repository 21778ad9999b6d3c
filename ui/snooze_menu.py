"""The menu of lengths for which this PC lends nothing; the tray's menu and the settings have it."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtWidgets import QMenu, QWidget

from idlepool.engine.events import Snooze
from idlepool.ui.bridge import Bridge
from idlepool.ui.lending_words import snoozes


class SnoozeMenu(QMenu):
    """Each length counts from when it is chosen, by the clock of that moment."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        now = _now()
        self._lengths = [self.addAction(words) for words, _ in snoozes(now)]
        for number, action in enumerate(self._lengths):
            action.triggered.connect(lambda _checked, number=number: self._snooze(number))
        self.aboutToShow.connect(lambda: self.refresh(_now()))

    def refresh(self, now: datetime) -> None:
        """Say until when the last one would hold."""
        for action, (words, _) in zip(self._lengths, snoozes(now), strict=True):
            action.setText(words)

    def _snooze(self, number: int) -> None:
        self._bridge.send(Snooze(snoozes(_now())[number][1]))


def _now() -> datetime:
    return datetime.now().astimezone()
