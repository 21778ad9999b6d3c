"""Starts the node again when it died: at once, then more and more slowly, and at last only when the user says so."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from idlepool.ui.bridge import Bridge

DELAYS_MS: Final = (0, 2000, 10_000)
"""Before it is started again, by how often it died lately; a node that dies more often than that stays as it is."""

REFUSED_MS: Final = (2000, 10_000, 60_000)
"""The same for a node that said why it cannot run: what it said may have changed by then."""

LATELY_S: Final = 120.0


class Revival(QObject):
    """Watches a bridge whose node was started."""

    died = Signal(str, int)
    """The node is gone: why, in a sentence, and the milliseconds until it is started again; negative: it is not."""

    restarted = Signal()

    def __init__(
        self,
        bridge: Bridge,
        *,
        delays_ms: tuple[int, ...] = DELAYS_MS,
        refused_ms: tuple[int, ...] = REFUSED_MS,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._delays_ms = delays_ms
        self._refused_ms = refused_ms
        self._clock = clock
        self._deaths: list[float] = []
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.restart)
        bridge.node_ended.connect(self._on_node_ended)

    def restart(self) -> None:
        """Start the node now, as the user wants it or as the time has come."""
        self._timer.stop()
        self._bridge.start()
        self.restarted.emit()

    def cause_is_gone(self) -> None:
        """What a node said that it cannot run for is no more: start it now, if it is not running."""
        if self._bridge.refusal is not None and not self._bridge.running:
            self._deaths.clear()
            self.restart()

    def stop(self) -> None:
        """Begin nothing more."""
        self._timer.stop()
        self._bridge.node_ended.disconnect(self._on_node_ended)

    def _on_node_ended(self, sentence: str) -> None:
        now = self._clock()
        self._deaths = [death for death in self._deaths if now - death < LATELY_S]
        before = len(self._deaths)
        self._deaths.append(now)
        delays_ms = self._refused_ms if self._bridge.refusal is not None else self._delays_ms
        if before < len(delays_ms):
            self._timer.start(delays_ms[before])  # also 0: not while the others still hear of the death
            self.died.emit(sentence, delays_ms[before])
        else:
            self.died.emit(sentence, -1)
