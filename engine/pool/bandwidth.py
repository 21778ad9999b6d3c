"""A limit on bytes a second, so that fetching a model leaves the network to those who work with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

BURST_S = 0.25
"""What was not used for so long may be made up for at once."""

LOOK_S = 0.5
"""Whoever waits looks so often whether another limit holds."""

_NOTHING = 1e-6
"""Bytes; less than that is an error of rounding."""


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
        self._since, self._before = clock(), 0.0
        """When this limit began to hold, and the bytes that were allowed before."""
        self._asked = 0.0
        """Bytes that may go once so many are allowed; whoever asks next comes after them."""

    def limit(self, bytes_per_s: int) -> None:
        """Another limit holds from now on, also for those who wait; 0: none."""
        before, self._since = self._allowed(), self._clock()
        self._before = before if self._rate else self._asked
        self._rate = bytes_per_s

    async def take(self, count: int) -> None:
        """Wait until `count` bytes may go."""
        if not self._rate:
            return
        self._asked = max(self._asked, self._allowed() - BURST_S * self._rate) + count
        place = self._asked
        while self._rate and (short := place - self._allowed()) > _NOTHING:
            await self._sleep(min(short / self._rate, LOOK_S))

    def take_alone(self, count: int) -> None:
        """The same for a program without an event loop, in which nobody else shares the limit."""
        if self._rate:
            asyncio.run(self.take(count))

    def _allowed(self) -> float:
        return self._before + (self._clock() - self._since) * self._rate
