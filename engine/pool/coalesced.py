"""Telling the latest state: at once where it changes rarely, and now and then where it changes all the time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Coalesced:
    """Call it to have `work` done now, or, within `pause_s` after the last time, once at the end of that pause."""

    def __init__(self, work: Callable[[], None], *, pause_s: float) -> None:
        self._work = work
        self._pause_s = pause_s
        self._wanted = False
        self._pause: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        """Have it done."""
        self._wanted = True
        if self._pause is None:
            self._run()

    def close(self) -> None:
        """Do what is still to be done, now."""
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        if self._wanted:
            self._wanted = False
            self._work()

    def _run(self) -> None:
        self._pause = None
        if self._wanted:
            self._wanted = False
            self._pause = asyncio.get_running_loop().call_later(self._pause_s, self._run)
            self._work()
