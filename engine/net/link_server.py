"""Where links come in: listens, checks who says Hello, and hands over a Link for each peer that is welcome."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from idlepool.engine.errors import MessageError
from idlepool.engine.net.addresses import seen_address
from idlepool.engine.net.handshake import answer_hello
from idlepool.engine.net.link import Link, LinkLimits, Peer
from idlepool.engine.net.messages import Refused, Welcome, encode_message
from idlepool.engine.net.sockets import listening_socket
from idlepool.engine.types import NodeId

_log = logging.getLogger("idlepool.link")


class LinkServer:
    """Listens on `host` and `port` (0: any) and introduces itself as `welcome`, whose port it fills in.

    `on_link` owns the link it is called with: when it returns or fails, the link is closed. `close` cancels those that
    do not return by themselves once their links are closed.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        welcome: Welcome,
        on_link: Callable[[Link], Awaitable[None]],
        pool: str = "",
        limits: LinkLimits | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.port = port
        self._host = host
        self._welcome = welcome
        self._on_link = on_link
        self._pool = pool
        self._limits = limits or LinkLimits()
        self._tls = tls
        self._strangers: set[ServerConnection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: Server | None = None

    async def start(self) -> None:
        """Listen; `port` is the real one afterwards.

        Raises:
            PortInUse: another program listens there.
            PoolError: the system does not allow listening there.
        """
        listener = listening_socket(self._host, self.port)
        self.port = listener.getsockname()[1]
        self._welcome = msgspec.structs.replace(self._welcome, port=self.port)
        self._server = await serve(
            self._serve,
            sock=listener,
            ssl=self._tls,
            # Browsers always send an origin: no web page may talk to a node.
            origins=[None],
            server_header=None,
            open_timeout=self._limits.handshake_seconds,
            create_connection=_guests(self._strangers, limit=self._limits.max_strangers),
            **self._limits.settings(),
        )

    async def close(self) -> None:
        """Stop listening and close every link that came in. Idempotent."""
        if self._server is None:
            return
        self._server.close()
        for stranger in list(self._strangers):
            stranger.transport.abort()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2 * self._limits.close_seconds)
        for task in list(self._tasks):
            task.cancel()
        await self._server.wait_closed()

    async def _serve(self, connection: ServerConnection) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            link = await self._meet(connection)
            if link is not None:
                await self._on_link(link)
        finally:
            self._tasks.discard(task)

    async def _meet(self, connection: ServerConnection) -> Link | None:
        try:
            async with asyncio.timeout(self._limits.handshake_seconds):
                answer = answer_hello(await connection.recv(), self._welcome, pool=self._pool)
                reply = answer if isinstance(answer, Refused) else self._welcome
                await connection.send(encode_message(reply))
        except (TimeoutError, MessageError) as error:
            _log.info("%s did not introduce itself: %s", connection.remote_address, error)
            await connection.close(CloseCode.PROTOCOL_ERROR, "No Hello came.")
            return None
        except ConnectionClosed:
            return None
        if isinstance(answer, Refused):
            _log.info("refused %s: %s", connection.remote_address, answer.sentence)
            await connection.close(CloseCode.POLICY_VIOLATION)
            return None
        self._strangers.discard(connection)
        address = seen_address(connection.remote_address, port=answer.port)
        peer = Peer(NodeId(answer.node), answer.name, address, answer.instance)
        return Link(connection, answer, peer, limits=self._limits)


def _guests(strangers: set[ServerConnection], *, limit: int) -> type[ServerConnection]:
    """Connections that are strangers from their first byte on, and cut off where there are too many of them."""

    class Guest(ServerConnection):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            if len(strangers) < limit:
                strangers.add(self)
            else:
                self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            strangers.discard(self)
            super().connection_lost(exc)

    return Guest
