"""A node that listens on this PC, for the tests of both ends of a link."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from paired import paired

from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello, Message
from idlepool.engine.types import Address

OnLink = Callable[[Link], Awaitable[None]]


class Listener:
    """Called "north"; keeps what it hears, or does with a link what it is told. "south" may connect."""

    def __init__(self, on_link: OnLink | None = None, **settings: Any) -> None:
        self.links: asyncio.Queue[Link] = asyncio.Queue()
        self.heard: asyncio.Queue[Message | Frame] = asyncio.Queue()
        self._on_link = on_link or self._listen
        self.credentials, self.south = paired("north", "south")
        self.node, self.guest = self.credentials.identity.node, self.south.identity.node
        self.refused: list[str] = []
        self.server = LinkServer(
            "127.0.0.1",
            0,
            credentials=self.credentials,
            on_link=self._enter,
            on_refused=lambda host, sentence: self.refused.append(sentence),
            **settings,
        )

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.server.port)

    async def dial(self, hello: Hello, **settings: Any) -> Link:
        """What "south" gets that says this."""
        return await dial(self.address, hello, credentials=self.south, **settings)

    async def _enter(self, link: Link) -> None:
        self.links.put_nowait(link)
        await self._on_link(link)

    async def _listen(self, link: Link) -> None:
        async for item in link:
            self.heard.put_nowait(item)


@pytest.fixture
def listening() -> Callable[..., contextlib.AbstractAsyncContextManager[Listener]]:
    """`async with listening(on_link, **settings of LinkServer) as north`."""

    @contextlib.asynccontextmanager
    async def listen(on_link: OnLink | None = None, **settings: Any) -> AsyncIterator[Listener]:
        listener = Listener(on_link, **settings)
        await listener.server.start()
        try:
            yield listener
        finally:
            await listener.server.close()

    return listen
