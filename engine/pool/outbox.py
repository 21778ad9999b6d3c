"""Messages for one PC, sent in the order in which they were put; whoever puts them need not wait for the network."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from idlepool.engine.errors import LinkError
from idlepool.engine.net.messages import Message
from idlepool.engine.pool.tasks import TaskKeeper


class Outbox:
    """Sends by `send` until that raises LinkError, which `on_lost` hears of, or until it is closed."""

    def __init__(self, send: Callable[[Message], Awaitable[None]], *, on_lost: Callable[[], None]) -> None:
        self._send = send
        self._on_lost = on_lost
        self._waiting: asyncio.Queue[Message] = asyncio.Queue()
        self._tasks = TaskKeeper()
        self._tasks.start(self._send_all())

    def __len__(self) -> int:
        return self._waiting.qsize()

    def put(self, message: Message) -> None:
        """Send it after those that wait."""
        self._waiting.put_nowait(message)

    async def close(self) -> None:
        """Send nothing more."""
        await self._tasks.close()

    async def _send_all(self) -> None:
        try:
            while True:
                await self._send(await self._waiting.get())
        except LinkError:
            self._on_lost()
