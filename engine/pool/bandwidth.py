"""A limit on bytes a second, so that fetching a model leaves the network to those who work with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

BURST_S = 0.25
"""What was not used for so long may be made up for at once."""


class Cap(Protocol):
    """What is asked before bytes are fetched."""

    async def take(self, count: int) -> None:
        """Wait until `count` bytes may come. A StorageError that is raised ends the fetch."""


class Bandwidth:
    """A token bucket that all who share the limit take from, in the order in which they ask."""

    def __init__(
        self,
        bytes_per_s: int = 0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`bytes_per_s` 0: no limit."""
        self._rate = bytes_per_s
        self._clock = clock
        self._sleep = sleep
        self._paid_until = clock()

    async def take(self, count: int) -> None:
        """Wait until `count` bytes may go."""
        if not self._rate:
            return
        now = self._clock()
        self._paid_until = max(self._paid_until, now - BURST_S) + count / self._rate
        if self._paid_until > now:
            await self._sleep(self._paid_until - now)
