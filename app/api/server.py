"""The server of the API: on this PC's loopback addresses, in the node's own loop, from `start` to `stop`."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from idlepool.app.api.asgi import Application
from idlepool.app.api.guard import Guard
from idlepool.engine.errors import PoolError, PortInUse
from idlepool.engine.net.sockets import listening_socket

if TYPE_CHECKING:
    from idlepool.app.api.embedded import EmbeddedServer

log = logging.getLogger("idlepool.api")

LOOPBACK = "127.0.0.1"
LOOPBACK_6 = "::1"


class LocalApi:
    """`application` answers those who show the key."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._server: EmbeddedServer | None = None
        self._serving: asyncio.Task[None] | None = None
        self._port = 0

    @property
    def address(self) -> str:
        """The base address that programs are given; empty: it does not run."""
        return f"http://{LOOPBACK}:{self._port}/v1" if self._serving is not None else ""

    async def start(self, port: int, key: str) -> None:
        """Answer whoever shows the key.

        Raises:
            PortInUse: another program listens there.
            PoolError: the system does not allow it.
        """
        server = await asyncio.to_thread(_make_server, Guard(self._application, key))
        listeners = [listening_socket(LOOPBACK, port)]
        self._port = listeners[0].getsockname()[1]
        try:
            listeners.append(listening_socket(LOOPBACK_6, self._port))
        except PortInUse:  # programs that are told “localhost” would show the key to whoever listens there
            listeners[0].close()
            raise
        except PoolError:
            log.info("this PC has no IPv6, so programs are answered over IPv4 alone")
        self._server = server
        self._serving = asyncio.create_task(server.serve(sockets=listeners))

    async def stop(self) -> None:
        """Answer nobody any more; answers under way get a moment to end."""
        if self._server is None or self._serving is None:
            return
        self._server.should_exit = True
        await asyncio.wait([self._serving])
        for listener in self._server.servers:  # older versions leave them open where they were stopped at once
            listener.close()
        self._server = self._serving = None


def _make_server(application: Application) -> EmbeddedServer:
    from idlepool.app.api.embedded import make_server

    return make_server(application)
