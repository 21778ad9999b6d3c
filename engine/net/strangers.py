"""Connections that nobody has welcomed yet: few at a time, each for seconds only, and no byte before TLS is done.

websockets would be handed a connection after TLS; here a connection counts from its first packet, so that whoever may
not come in costs a handshake at most, and many of them no more than a few.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections import Counter, deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection

from idlepool.engine.net.pings import PingLimit
from idlepool.engine.trust_errors import NotPaired

_log = logging.getLogger("idlepool.link")

FORGET_S = 10.0
MAX_REMEMBERED = 256

_NO_TLS = ("HTTP_REQUEST", "WRONG_VERSION_NUMBER", "UNSUPPORTED_PROTOCOL", "UNEXPECTED_MESSAGE")


class Strangers:
    """At most `limit` connections, which have `seconds` for TLS with `context`.

    One more takes the place of the one that waits longest, of those of the host that has most: whoever only holds
    places keeps nobody out, for a member needs its place for milliseconds.
    One that says more than `opening_bytes` is cut off.
    A host that was refused `refusals` times within FORGET_S is not listened to until that is forgotten.
    `on_refused` hears the host of whoever did not get through TLS, and why, in a sentence.
    """

    def __init__(
        self,
        context: ssl.SSLContext,
        *,
        limit: int,
        seconds: float,
        opening_bytes: int,
        refusals: int,
        on_refused: Callable[[str, str], None],
    ) -> None:
        self._context = context
        self._limit = limit
        self._most_refusals = refusals
        self._refusals: deque[tuple[float, str]] = deque(maxlen=MAX_REMEMBERED)
        self._seconds = seconds
        self._opening_bytes = opening_bytes
        self._on_refused = on_refused
        self._transports: dict[ServerConnection, asyncio.Transport] = {}
        self._handshakes: set[asyncio.Task[None]] = set()

    def come(self, connection: Guest, transport: asyncio.Transport) -> None:
        """A connection was made: begin TLS on it, or cut it off where too many from there were refused."""
        if self._is_tired_of(_host_of(transport)):
            transport.abort()
            return
        if len(self._transports) >= self._limit:
            self._make_room()
        self._transports[connection] = transport
        task = asyncio.get_running_loop().create_task(self._secure(connection, transport))
        self._handshakes.add(task)
        task.add_done_callback(self._handshakes.discard)

    def leave(self, connection: ServerConnection) -> None:
        """A connection is no stranger any more, or none at all. Idempotent."""
        self._transports.pop(connection, None)

    def lets_say(self, connection: Guest, said: int) -> bool:
        """Whether a connection may have said so many bytes by now; a stranger that said too many is cut off."""
        transport = self._transports.get(connection)
        if transport is None or said <= self._opening_bytes:
            return True
        if not transport.is_closing():
            host = _host_of(transport)
            transport.abort()
            self._on_refused(host, f"A PC at {host} said too much before it was let in.")
        return False

    def refused(self, host: str) -> None:
        """Somebody from there was refused."""
        self._refusals.append((asyncio.get_running_loop().time(), host))

    def send_away(self) -> None:
        """Cut all of them off."""
        for task in self._handshakes:
            task.cancel()
        for transport in list(self._transports.values()):
            transport.abort()

    def _make_room(self) -> None:
        hosts = {connection: _host_of(transport) for connection, transport in self._transports.items()}
        ((crowd, _),) = Counter(hosts.values()).most_common(1)
        oldest = next(connection for connection, host in hosts.items() if host == crowd)
        self._transports.pop(oldest).abort()

    def _is_tired_of(self, host: str) -> bool:
        begin = asyncio.get_running_loop().time() - FORGET_S
        while self._refusals and self._refusals[0][0] < begin:
            self._refusals.popleft()
        return sum(refused == host for _, refused in self._refusals) >= self._most_refusals

    async def _secure(self, connection: Guest, transport: asyncio.Transport) -> None:
        host = _host_of(transport)
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport, connection, self._context, server_side=True, ssl_handshake_timeout=self._seconds
            )
            if secured is None:  # it was cut off meanwhile
                raise ConnectionAbortedError
        except OSError as error:
            self.leave(connection)
            transport.abort()
            if isinstance(error, ssl.SSLError):
                self._on_refused(host, _why(host, error))
            else:
                _log.info("%s left before it was known: %r", host, error)
        else:
            connection.open(secured)


def _host_of(transport: asyncio.Transport) -> str:
    address = transport.get_extra_info("peername")
    return str(address[0]) if address else "nowhere"  # it hung up at once


def _why(host: str, error: ssl.SSLError) -> str:
    if error.reason in _NO_TLS:
        return f"Something other than Idlepool, or an older version of it, came from {host}."
    return NotPaired(f"The PC at {host}").sentence


class Guest(PingLimit, ServerConnection):
    """What websockets knows of a connection begins when TLS is done."""

    strangers: Strangers
    _early: bytes | None = b""
    """What came before that was told; None: it is told."""
    _said = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol: nothing is encrypted yet."""
        assert isinstance(transport, asyncio.Transport)
        self.strangers.come(self, transport)

    def open(self, transport: asyncio.BaseTransport) -> None:
        """TLS is done."""
        early, self._early = self._early, None
        super().connection_made(transport)
        if early:
            super().data_received(early)

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol: decrypted, and perhaps before `open`."""
        self._said += len(data)
        if not self.strangers.lets_say(self, self._said):
            return
        if self._early is None:
            super().data_received(data)
        else:
            self._early += data

    def eof_received(self) -> None:
        """See asyncio.Protocol."""
        if self._early is None:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self.strangers.leave(self)
        if self._early is None:
            super().connection_lost(exc)
