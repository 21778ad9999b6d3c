"""Notices that the node lives but does not answer while something is awaited, and offers to start it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from idlepool.engine.commands import AreYouThere
from idlepool.ui.banner import Banner, Banners
from idlepool.ui.node_state import NodeState

TICK_MS: Final = 2000

PATIENCE_TICKS: Final = 5
"""Ticks in a row without a word from the node. They are counted instead of the time between them: a PC that slept has
one tick when it wakes, however long it slept."""


class Silence(QObject):
    """Asks the node whether it is there as long as something is awaited of it; any word of it is an answer."""

    restart_wanted = Signal()

    def __init__(self, state: NodeState, banners: Banners, awaited: Callable[[], bool]) -> None:
        """`awaited` says whether the node owes the user something now."""
        super().__init__(state)
        self._state = state
        self._banners = banners
        self._awaited = awaited
        self._silent_ticks = 0
        self._banner: Banner | None = None
        self.timer = QTimer(self, interval=TICK_MS)
        self.timer.timeout.connect(self._on_tick)
        self.timer.start()
        state.bridge.received.connect(self._on_word)
        state.bridge.node_ended.connect(self._on_word)

    def _on_tick(self) -> None:
        if self._state.ready is None or not (self._awaited() or self._banner):
            self._silent_ticks = 0
            return
        if self._silent_ticks == PATIENCE_TICKS:  # asked already, and nothing came: a pipe holds only so much
            self._tell()
            return
        self._silent_ticks += 1
        self._state.bridge.send(AreYouThere())

    def _on_word(self, _word: object) -> None:
        self._silent_ticks = 0
        if self._banner is not None:
            self._banners.remove(self._banner)
            self._banner = None

    def _tell(self) -> None:
        if self._banner is not None:
            return
        sentence = self.tr("The engine of Idlepool does not answer.")
        if self._state.outlives_window:
            hint = self.tr("It was not started by this window: end it where it was started. The conversation is kept.")
            self._banner = self._banners.add_with_report(sentence, hint)
            return
        hint = self.tr("It may be very busy. If it stays so, start it again: the conversation is kept.")
        self._banner = self._banners.add_with_report(sentence, hint)
        self._banner.add_action(self.tr("Start it again"), self.restart_wanted.emit)
