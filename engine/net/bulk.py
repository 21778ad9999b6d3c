"""The short way for model bytes: encrypted from where they lie, and decrypted into the memory they are meant for.

websockets copies what comes five times before it can be used, which costs as much as the encryption. On a link that
only model bytes and short messages come over, this stands between the transport and websockets instead: it reads and
writes the headers of whole messages (RFC 6455, section 5.2), and leaves pings and goodbyes to websockets.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from idlepool.engine.errors import FrameError, IdlepoolError, LinkError, MessageError, ProtocolError
from idlepool.engine.net.frames import HEADER_BYTES, Frame, FrameKind, decode_header, frame_start
from idlepool.engine.net.link_limits import Intake
from idlepool.engine.net.messages import Message, decode_message
from idlepool.engine.types import ElementType, SessionId

_TEXT, _BINARY = 0x81, 0x82
"""The first byte of whole messages; others are parts of messages, which no PC of a pool sends."""
_CONTROL_BIT = 0x08
_MASK_BIT = 0x80
_LENGTHS: Final = {126: 4, 127: 10}
"""How long the header is where the second byte says so; it has two bytes else."""

_BETWEEN: Final = frame_start(Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, 0, 1, b""))[HEADER_BYTES:]
"""What stands between the header and the payload of a frame without segments."""
_BEFORE: Final = HEADER_BYTES + len(_BETWEEN)

_AHEAD_BYTES = 4096
"""Read at once where a frame begins."""


async def send_bytes(connection: ServerConnection, data: memoryview) -> None:
    """Send model bytes in a frame, from where they lie: the short way out, for the end that listens.

    Raises:
        ConnectionClosed: the connection is closed, or about to be.
    """
    if connection.protocol.state is not State.OPEN:
        raise connection.protocol.close_exc
    connection.transport.writelines((_start_of(len(data)), data))
    await connection.drain()


@lru_cache(maxsize=64)
def _start_of(count: int) -> bytes:
    """What comes before `count` model bytes: the headers of a message and of a frame."""
    frame = Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, count, 1, bytes(count))
    return _head(_BEFORE + count) + frame_start(frame)


def _head(size: int) -> bytes:
    """The header of a whole binary message that a listener sends."""
    if size < min(_LENGTHS):
        return bytes((_BINARY, size))
    if size < 2**16:
        return struct.pack("!BBH", _BINARY, 126, size)
    return struct.pack("!BBQ", _BINARY, 127, size)


class Sink(Protocol):
    """Takes what comes. Each method may raise a LinkError or ProtocolError, which ends the link."""

    def room_for(self, size: int) -> memoryview:
        """Where the next `size` model bytes go."""

    def filled(self) -> None:
        """They are there."""

    def take(self, message: Message) -> None:
        """A message came."""

    def heard(self) -> None:
        """Something came, perhaps a part of one of these."""


class BulkReader(asyncio.BufferedProtocol):
    """The protocol of a connection that was opened here, from a moment on at which no frame is on its way.

    `on_fault` hears of what breaks the protocol; nothing is taken after that.
    """

    def __init__(
        self, connection: ClientConnection, sink: Sink, *, intake: Intake, on_fault: Callable[[IdlepoolError], None]
    ) -> None:
        self._connection = connection
        self._sink = sink
        self._intake = intake
        self._on_fault = on_fault
        self._ahead = memoryview(bytearray(_AHEAD_BYTES))
        self._begun = bytearray()
        """A frame of which the rest is still to come."""
        self._room: memoryview | None = None
        """What is left to be filled by the payload that is coming."""
        self._over = False

    def get_buffer(self, sizehint: int) -> memoryview:
        """See asyncio.BufferedProtocol: where what comes next is put."""
        return self._ahead if self._room is None else self._room

    def buffer_updated(self, nbytes: int) -> None:
        """See asyncio.BufferedProtocol: so much was put there."""
        if self._over:
            return
        try:
            self._sink.heard()
            if self._room is not None:
                self._fill(self._room[nbytes:])
            else:
                self._begun += self._ahead[:nbytes]
                while self._begun and self._room is None and self._read_frame():
                    pass
        except (LinkError, ProtocolError) as error:
            self._over, self._room = True, None
            self._on_fault(error)

    def eof_received(self) -> None:
        """See asyncio.Protocol, and so for the rest."""
        self._connection.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self._connection.connection_lost(exc)

    def pause_writing(self) -> None:
        """Too much waits to be sent."""
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        """It was sent."""
        self._connection.resume_writing()

    def _fill(self, left: memoryview) -> None:
        self._room = left if len(left) else None
        if self._room is None:
            self._sink.filled()

    def _read_frame(self) -> bool:
        """Deal with the frame that has begun; False where that needs more of it."""
        begun = self._begun
        if len(begun) < 2:
            return False
        kind, length = begun[:2]
        if length & _MASK_BIT:
            raise FrameError("A frame of a listener is masked.")
        start = _LENGTHS.get(length, 2)
        if len(begun) < start:
            return False
        size = length if start == 2 else int.from_bytes(begun[2:start], "big")
        if kind == _BINARY:
            return self._begin_bytes(start, size)
        self._check(kind, size)
        end = start + size
        if len(begun) < end:
            return False
        whole = bytes(begun[:end])
        del begun[:end]
        if kind == _TEXT:
            self._sink.take(decode_message(whole[start:]))
        else:
            self._connection.data_received(whole)
        return True

    def _begin_bytes(self, start: int, size: int) -> bool:
        begun = self._begun
        if size < _BEFORE:
            raise FrameError(f"A binary message of {size} bytes is no frame.")
        if len(begun) < start + _BEFORE:
            return False
        header = decode_header(bytes(begun[start : start + HEADER_BYTES]), self._intake.frames)
        if (
            header.kind is not FrameKind.WEIGHTS
            or header.payload_bytes != size - _BEFORE
            or begun[start + HEADER_BYTES : start + _BEFORE] != _BETWEEN
        ):
            raise FrameError(f"A {header.kind.name} frame of {size:,} bytes came where model bytes were due.")
        room = self._sink.room_for(header.payload_bytes)
        came = begun[start + _BEFORE : start + size]
        room[: len(came)] = came
        del begun[: start + _BEFORE + len(came)]
        self._fill(room[len(came) :])
        return True

    def _check(self, kind: int, size: int) -> None:
        if kind == _TEXT and size > self._intake.max_message_bytes:
            raise MessageError(f"A control message has {size:,} bytes; that is too many.")
        if kind != _TEXT and (not kind & _CONTROL_BIT or size >= min(_LENGTHS)):
            raise FrameError("A message came in parts.")
