"""The HTTP server, in a loop that is not its own. Imported only where programs are answered: it takes a moment."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from idlepool.app.api.asgi import Application

MOST_CONNECTIONS = 64
"""At once; more are told that there is no room."""
IDLE_S = 60
"""A connection on which nothing was asked for so long is closed."""
HEAD_S = 10
"""What the headers of a request get to come, the first one's from when the connection is there."""
MOST_HEAD_BYTES = 64 * 2**10
"""Of a request's headers."""
PATIENCE_S = 1
"""What answers under way get to end when the server stops."""


class EmbeddedServer(uvicorn.Server):
    """Signals are the node's."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class HttpProtocol(H11Protocol):
    """Nobody holds a connection without asking for something: uvicorn itself waits for ever once a byte came."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Bytes came; those of a request that is being answered are its body."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        self._end_watch()

    def _watch(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._end_watch()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_S, self.transport.close)

    def _end_watch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def make_server(application: Application) -> EmbeddedServer:
    """A server that is ready to take sockets."""
    config = uvicorn.Config(
        application,
        http=HttpProtocol,
        loop="none",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=PATIENCE_S,
        h11_max_incomplete_event_size=MOST_HEAD_BYTES,
    )
    config.load()
    return EmbeddedServer(config)
