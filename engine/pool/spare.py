"""A stage process kept ready: importing the engine takes a second that nobody should wait for twice.

Its hello also tells which devices this PC has, so the node itself need not import the engine at all. A spare that
nobody takes is ended after a while and gives its memory back.
"""

from __future__ import annotations

import asyncio
import contextlib

from idlepool.engine.net.messages import DeviceInfo
from idlepool.engine.pool.stage_host import StageHost

KEEP_S = 60.0
"""How long a spare waits to be taken."""


class SpareStage:
    """At most one stage process that has no layers yet. `name` is this PC's, for errors."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._starting: asyncio.Task[StageHost] | None = None
        self._expiry: asyncio.Task[None] | None = None

    async def devices(self) -> tuple[DeviceInfo, ...]:
        """Start a spare, and tell what it found on this PC.

        Raises:
            StageFailed: no stage process can be started here.
        """
        if self._starting is None:
            self._starting = asyncio.create_task(StageHost.start(name=self._name))
            self._expiry = asyncio.create_task(self._expire())
        return (await asyncio.shield(self._starting)).devices

    async def take(self) -> StageHost:
        """The spare, or a new process where there is none.

        Raises:
            StageFailed: no stage process can be started here.
        """
        starting, self._starting = self._starting, None
        if self._expiry is not None:
            self._expiry.cancel()
        return await (starting if starting is not None else StageHost.start(name=self._name))

    async def close(self) -> None:
        """End the spare."""
        starting, self._starting = self._starting, None
        if self._expiry is not None and self._expiry is not asyncio.current_task():
            self._expiry.cancel()
        if starting is not None:
            with contextlib.suppress(Exception):
                await (await starting).close()

    async def _expire(self) -> None:
        await asyncio.sleep(KEEP_S)
        await self.close()
