"""The door by which commands of this PC's user speak to the node that runs: lines of JSON over a socket on loopback.

See control_file.py for how both sides prove who they are, and engine/events.py for the lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

from idlepool.engine.errors import StorageError
from idlepool.engine.net.sockets import listening_socket
from idlepool.engine.pool.control_file import (
    CHALLENGE_BYTES,
    PROOF_BYTES,
    ControlFile,
    new_challenge,
    remove_control_file,
    write_control_file,
)
from idlepool.engine.pool.tasks import TaskKeeper

log = logging.getLogger("idlepool.control")

LOOPBACK = "127.0.0.1"
PROOF_S = 5.0
"""What a caller gets to prove itself."""
MOST_CALLERS = 32
"""At once, those included who have not proved themselves yet."""
MOST_LINE_BYTES = 16 * 2**20
MOST_UNREAD_BYTES = 16 * 2**20
"""A client that leaves so much unread is let go."""
_BLOCK_BYTES = 2**16


class Client(Protocol):
    """What somebody who speaks to the node is for the node."""

    def take(self, line: bytes) -> None:
        """A line came, without its newline."""

    async def close(self) -> None:
        """No more will come."""


class LocalControl:
    """Listens from `start` to `close`. `open_client` gets what sends lines to a new client; clients come to an end
    one by one, or with this."""

    def __init__(self, root: Path, open_client: Callable[[Callable[[bytes], None]], Client]) -> None:
        self._root = root
        self._open_client = open_client
        self._server: asyncio.Server | None = None
        self._calls = TaskKeeper()
        self._callers = 0

    async def start(self) -> None:
        """Listen, and leave word of it in the data folder; what a node that crashed left there is replaced.

        Raises:
            StorageError: the folder cannot be written.
            PoolError: the system does not allow it.
        """
        listener = listening_socket(LOOPBACK, 0)
        try:
            self._file = await asyncio.to_thread(write_control_file, self._root, port=listener.getsockname()[1])
        except StorageError:
            listener.close()
            raise
        self._server = await asyncio.start_server(self._on_call, sock=listener, limit=_BLOCK_BYTES)

    async def close(self) -> None:
        """Take the word back, and end with all clients."""
        if self._server is None:
            return
        self._server.close()
        await asyncio.to_thread(remove_control_file, self._root)
        await self._calls.close()

    def _on_call(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._callers >= MOST_CALLERS:
            writer.close()
            return
        self._callers += 1
        self._calls.start(self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, EOFError):  # a caller may go at any time
                if await _proved(reader, writer, self._file):
                    await self._attend(reader, writer)
        finally:
            self._callers -= 1
            writer.close()

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def send(line: bytes) -> None:
            if writer.transport.get_write_buffer_size() > MOST_UNREAD_BYTES:
                log.warning("a client on this PC does not read what it is told")
                writer.transport.abort()
            else:
                writer.write(line)

        client = self._open_client(send)
        try:
            async for line in _lines(reader):
                client.take(line)
        finally:
            await client.close()


async def _proved(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, file: ControlFile) -> bool:
    """Both sides prove that they know the secret; whoever does not is told nothing."""
    challenge = new_challenge()
    writer.write(challenge)
    try:
        async with asyncio.timeout(PROOF_S):
            answer = await reader.readexactly(CHALLENGE_BYTES + PROOF_BYTES)
    except TimeoutError:
        return False
    challenges = challenge + answer[:CHALLENGE_BYTES]
    if not hmac.compare_digest(answer[CHALLENGE_BYTES:], file.proof("client", challenges)):
        log.warning("somebody on this PC called the node without knowing its secret")
        return False
    writer.write(file.proof("node", challenges))
    return True


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Lines without their newlines, until there are no more or one is too long."""
    pending = bytearray()
    while data := await reader.read(_BLOCK_BYTES):
        first, *more = data.split(b"\n")
        pending += first
        for beginning in more:
            yield bytes(pending)
            pending = bytearray(beginning)
        if len(pending) > MOST_LINE_BYTES:
            log.warning("a client on this PC sent a line of more than %d bytes", MOST_LINE_BYTES)
            return
