"""An event loop on which nobody waits: where nothing is left to do now, it is at once the time of the next timer."""

from __future__ import annotations

import asyncio
import math
import selectors
from typing import Any


class VirtualLoop(asyncio.SelectorEventLoop):
    """For code that waits on timers alone; sockets and threads never wake it. It begins at 0 seconds.

    An error that nobody catches ends the loop with it, and RuntimeError where nothing is left to wait for: in real time
    that would be a program that hangs.
    """

    def __init__(self) -> None:
        self.now_s = 0.0
        super().__init__(_Skipping(self))

    def time(self) -> float:
        """Seconds since the beginning."""
        return self.now_s

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Raise it instead of logging it: what is played after it would mean nothing."""
        raise context.get("exception") or RuntimeError(context["message"])


class _Skipping(selectors.DefaultSelector):
    """Waits for no file; lets the time pass for which it was to wait."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Nothing ever comes."""
        if timeout is None:
            raise RuntimeError("Everything waits, and nothing is going to happen.")
        if timeout > 0:
            # A hair beyond the timer: what rounding leaves before it would never come.
            self._loop.now_s = math.nextafter(self._loop.now_s + timeout, math.inf)
        return []
