"""What this PC does at the moment, at a glance: for the tray, and for the line at the bottom of the sidebar."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from idlepool.engine.events import AnswerDone, AnswerQueued, AnswerStarted, Event
from idlepool.ui import lending_words
from idlepool.ui.node_state import NodeState

REFRESH_MS: Final = 15_000
"""While a time is shown that goes on by itself. It is read from the clock each time, which may jump."""


class Kind(StrEnum):
    """Each has an icon of its own, `ui/icons/tray-<kind>.svg`. Of several that hold, the first is shown."""

    STARTING = "starting"
    TROUBLE = "trouble"
    LENDING = "lending"
    CHATTING = "chatting"
    READY = "ready"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class PcStatus:
    """`words` fit into a line; `reason` says why, and may be empty."""

    kind: Kind
    words: str
    reason: str = ""


class StatusWatch(QObject):
    """`now` is the status; `changed` is emitted when it is another one."""

    changed = Signal()
    time_passed = Signal()
    """A time that is shown may have become another one."""

    def __init__(self, state: NodeState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self._answering: set[int] = set()
        self._ended = ""
        """Why there is no node, in a sentence."""
        self._timer = QTimer(self, interval=REFRESH_MS)
        self._timer.timeout.connect(self.refresh)
        self._timer.timeout.connect(self.time_passed)
        state.bridge.received.connect(self._on_event)
        state.bridge.node_ended.connect(self._on_node_ended)
        for changed in (state.ready_changed, state.lending_changed, state.hosted_changed):
            changed.connect(self.refresh)
        self.now = self._find()

    def refresh(self) -> None:
        """Find out anew, also what only time has changed."""
        if self.state.ready is not None:
            self._ended = ""
        found = self._find()
        lending = self.state.lending
        if lending is not None and lending.until is not None:
            self._timer.start()
        else:
            self._timer.stop()
        if found != self.now:
            self.now = found
            self.changed.emit()

    def _find(self) -> PcStatus:
        state = self.state
        if self._ended:
            return PcStatus(Kind.TROUBLE, self.tr("Not running"), self._ended)
        if state.ready is None:
            return PcStatus(Kind.STARTING, self.tr("Starting …"))
        if state.hosted:
            return PcStatus(Kind.LENDING, lending_words.guests(state.hosted), lending_words.lent(state.hosted[0]))
        reason = lending_words.reason(state.lending) if state.lending is not None else ""
        if self._answering:
            return PcStatus(Kind.CHATTING, self.tr("Answering"), reason)
        if state.lending is None:
            return PcStatus(Kind.STARTING, self.tr("Running"))
        if not state.lending.lends:
            return PcStatus(Kind.PAUSED, self.tr("Not lending"), reason)
        return PcStatus(Kind.READY, self.tr("Ready to lend"), reason)

    def _on_event(self, event: Event) -> None:
        match event:
            case AnswerStarted() | AnswerQueued():
                self._answering.add(event.request)
            case AnswerDone():
                self._answering.discard(event.request)
            case _:
                return
        self.refresh()

    def _on_node_ended(self, sentence: str) -> None:
        self._answering.clear()
        self._ended = sentence
        self.refresh()
