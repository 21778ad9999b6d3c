"""Keeps this PC awake while others use it: on mains only, and only as long as they do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from idlepool.engine.machine.awake import Awake

LOOK_S = 5.0

QUIET_S = 600.0
"""A PC that nobody asked anything for so long may sleep, whatever is loaded: a conversation has its pauses."""


class KeepingAwake:
    """`allowed`: whether it may be, now; `busy`: whether something is computed for others."""

    def __init__(self, awake: Awake, *, allowed: Callable[[], bool], busy: Callable[[], bool]) -> None:
        self._awake = awake
        self._allowed = allowed
        self._busy = busy
        self._holds = False
        self._quiet_since = -QUIET_S

    async def run(self) -> None:
        """Go on until it is cancelled; then the PC may sleep."""
        try:
            while True:
                if self._busy():
                    self._quiet_since = time.monotonic()
                wanted = self._allowed() and time.monotonic() - self._quiet_since < QUIET_S
                await self._let(wanted)
                await asyncio.sleep(LOOK_S)
        finally:
            await self._let(False)

    async def _let(self, stay_awake: bool) -> None:
        if stay_awake != self._holds:
            self._holds = stay_awake
            await asyncio.to_thread(self._awake.hold if stay_awake else self._awake.release)
