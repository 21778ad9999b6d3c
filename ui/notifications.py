"""Notifications for what must be known although the window is not in sight; the user may switch them off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject

from idlepool.engine.events import AnswerDone, AnswerStarted, Event, Trouble
from idlepool.ui import lending_words
from idlepool.ui.node_state import NodeState

TROUBLED: Final = frozenset({"too hot", "memory cap", "disk cap", "idle time unknown"})
"""Reasons of pool/donation.py for which a PC stops lending although its owner did nothing."""


class Notifications(QObject):
    """`tell` shows a title and a sentence; it is called only while `wanted` says so. No question and no answer is ever
    in one: others may look at the screen."""

    def __init__(
        self,
        state: NodeState,
        *,
        tell: Callable[[str, str], None],
        wanted: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._tell = tell
        self._wanted = wanted
        self._answering: set[int] = set()
        self._lent = state.lending is not None and state.lending.lends
        state.bridge.received.connect(self._on_event)
        state.lending_changed.connect(self._on_lending)
        state.ready_changed.connect(lambda _: self._answering.clear())

    def tell_given_up(self, sentence: str) -> None:
        """The node died too often to be started again by itself."""
        self._say(self.tr("Idlepool needs you"), sentence)

    def _on_event(self, event: Event) -> None:
        match event:
            case AnswerStarted():
                self._answering.add(event.request)
            case AnswerDone() if event.request in self._answering:
                self._answering.discard(event.request)
                self._on_answer(event)
            case Trouble(once=False):
                self._say(self.tr("Idlepool needs you"), f"{event.sentence} {event.hint}".strip())

    def _on_answer(self, done: AnswerDone) -> None:
        if done.finish == "failed":
            self._say(self.tr("The answer broke off"), self.tr("Open Idlepool to see why."))
        elif done.finish != "cancelled":
            self._say(self.tr("The answer is there"), self.tr("Open Idlepool to read it."))

    def _on_lending(self) -> None:
        lending = self._state.lending
        if lending is None:
            return
        if self._lent and not lending.lends and lending.reason in TROUBLED:
            self._say(self.tr("This PC lends nothing more"), f"{lending_words.reason(lending)}.")
        self._lent = lending.lends

    def _say(self, title: str, words: str) -> None:
        if self._wanted():
            self._tell(title, words)
