"""Whether this PC lends now, why, and until when; and the ways to pause it at once."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from datetime import datetime, timedelta
from typing import Final

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from idlepool.engine.events import LendingChanged, Snooze, StopLending
from idlepool.ui.lending_words import NEAR, fixed, moment
from idlepool.ui.node_state import NodeState
from idlepool.ui.snooze_menu import SnoozeMenu
from idlepool.ui.theme import retone, styled

TICK_MS: Final = 5_000
"""So often the time left is told anew: from the clock, which may have been put right meanwhile."""


class LendingNow(QFrame):
    """The reason that holds now."""

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        styled(self, "card")
        self._state = state
        self.mark = styled(QLabel("●"), "muted")
        self.mark.setAccessibleName(" ")
        self.sentence = styled(QLabel(wordWrap=True), "headline")
        self.until = styled(QLabel(wordWrap=True), "muted")
        self.pause = styled(QPushButton(self.tr("Snooze")), "menu")
        self.menu = SnoozeMenu(state.bridge, self.pause)
        self.pause.setMenu(self.menu)
        self.resume = QPushButton(self.tr("End snooze"))
        self.resume.clicked.connect(lambda: state.bridge.send(Snooze(None)))
        self.stop = QPushButton(self.tr("Stop now"))
        self.stop.setToolTip(self.tr("Everything is given back within two seconds; nothing is lent for an hour."))
        self.stop.setAccessibleDescription(self.stop.toolTip())
        self.stop.clicked.connect(lambda: state.bridge.send(StopLending()))
        self._build()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._show)
        state.lending_changed.connect(self._show)
        self._show()

    def _build(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.mark)
        first.addWidget(self.sentence, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.pause, self.resume, self.stop):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(self.until)
        column.addLayout(buttons)

    def showEvent(self, event: QShowEvent) -> None:
        """Count only while somebody looks."""
        super().showEvent(event)
        self._show()
        self._timer.start()

    def _show(self) -> None:
        told = self._state.lending
        self.sentence.setText(told.sentence if told else self.tr("Not known yet."))
        retone(self.mark, ("good" if told.lends else "busy") if told else "muted")
        can = told is not None and told.rules is not None
        self.pause.setEnabled(can)
        self.stop.setEnabled(can)
        self.pause.setVisible(not paused(told))
        self.resume.setVisible(paused(told))
        self._show_until()

    def _show_until(self) -> None:
        if not self.isVisible():
            self._timer.stop()
        told = self._state.lending
        words = until_words(told.until, datetime.now().astimezone()) if told and told.until else ""
        words = fixed(told) or words
        self.until.setText(words)
        self.until.setVisible(bool(words))


def paused(told: LendingChanged | None) -> bool:
    """Whether its owner said so for a while."""
    return told is not None and told.snoozed_until is not None and told.snoozed_until > datetime.now().astimezone()


def until_words(until: datetime, now: datetime) -> str:
    """When something ends, in this PC's time zone, and in how long; empty where that is over."""
    left = until - now
    if left <= timedelta():
        return ""
    minutes = -(-left // timedelta(minutes=1))
    clock, translate = moment(until, now), QCoreApplication.translate
    if left >= NEAR and until.astimezone().date() != now.astimezone().date():
        return translate("LendingNow", "Until {clock}.").format(clock=clock)
    if minutes < 60:
        return translate("LendingNow", "Until {clock}, in {minutes} min.").format(clock=clock, minutes=minutes)
    words = translate("LendingNow", "Until {clock}, in {hours} h {minutes} min.")
    return words.format(clock=clock, hours=minutes // 60, minutes=minutes % 60)
