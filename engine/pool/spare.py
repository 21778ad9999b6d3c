"""A stage process kept ready: importing the engine takes a second that nobody should wait for twice.

Its hello also tells which devices this PC has, so the node itself need not import the engine at all. A spare that
nobody takes is ended after a while and gives its memory back.
"""

from __future__ import annotations

import asyncio
import contextlib

from idlepool.engine.errors import StageFailed
from idlepool.engine.net.messages import DeviceInfo
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.pool.tasks import TaskKeeper

KEEP_S = 60.0
"""How long a spare that is ready waits to be taken."""


class SpareStage:
    """At most one stage process that has no layers yet. `name` is this PC's, for errors."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._starting: asyncio.Task[StageHost] | None = None
        self._expiry = TaskKeeper()

    async def devices(self) -> tuple[DeviceInfo, ...]:
        """Start a spare, and tell what it found on this PC.

        Raises:
            StageFailed: no stage process can be started here.
        """
        if self._starting is None:
            self._starting = asyncio.create_task(StageHost.start(name=self._name))
            self._expiry.start(self._expire(self._starting))
        return (await asyncio.shield(self._starting)).devices

    async def take(self) -> StageHost:
        """The spare, or a new process where there is none. Whoever is cancelled meanwhile leaves it to the next.

        Raises:
            StageFailed: no stage process can be started here.
        """
        starting = self._starting or asyncio.create_task(StageHost.start(name=self._name))
        self._starting = None
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            self._put_back(starting)
            raise

    async def close(self) -> None:
        """End the spare."""
        starting, self._starting = self._starting, None
        await self._expiry.close()
        if starting is not None:
            await _end(starting)

    def _put_back(self, starting: asyncio.Task[StageHost]) -> None:
        if self._starting is None:
            self._starting = starting
            self._expiry.start(self._expire(starting))
        else:
            self._expiry.start(_end(starting))

    async def _expire(self, starting: asyncio.Task[StageHost]) -> None:
        await asyncio.wait([starting])
        await asyncio.sleep(KEEP_S)
        if self._starting is starting:
            self._starting = None
            await _end(starting)


async def _end(starting: asyncio.Task[StageHost]) -> None:
    """End a process that may not even have begun to speak."""
    starting.cancel()
    with contextlib.suppress(asyncio.CancelledError, StageFailed):
        await (await starting).close()
