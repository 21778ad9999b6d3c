"""For how long nobody has touched this PC: one question, and whoever can answer it on this system."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Protocol

RETRY_S = 5.0


class IdleSource(Protocol):
    """Somebody who knows how long ago the last key was pressed or the pointer moved. Asked from worker threads."""

    def seconds(self) -> float | None:
        """None: unknown."""


class FirstThatAnswers:
    """The first of several sources that knows; it is asked until it knows nothing any more.

    While none knows, they are asked every RETRY_S only: a desktop may come up after its programs.
    """

    def __init__(self, sources: Sequence[IdleSource], clock: Callable[[], float] = time.monotonic) -> None:
        self._sources = sources
        self._clock = clock
        self._chosen: IdleSource | None = None
        self._not_before = clock()

    def seconds(self) -> float | None:
        """None: nobody knows."""
        if self._chosen is not None and (answer := self._chosen.seconds()) is not None:
            return answer
        self._chosen = None
        if self._clock() < self._not_before:
            return None
        for source in self._sources:
            if (answer := source.seconds()) is not None:
                self._chosen = source
                return answer
        self._not_before = self._clock() + RETRY_S
        return None


def idle_source() -> IdleSource:
    """What to ask on this system."""
    if sys.platform == "win32":
        from idlepool.engine.machine.idle_windows import LastInput

        return LastInput()
    if sys.platform == "darwin":
        from idlepool.engine.machine.idle_macos import HidSystem

        return HidSystem()
    from idlepool.engine.machine.idle_linux import linux_sources

    return FirstThatAnswers(linux_sources())
