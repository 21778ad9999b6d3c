"""Pairing messages over a TCP connection: each one's length, then its bytes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final, TypeVar

from idlepool.engine.net.handshake import version_clash
from idlepool.engine.net.pairing import (
    PAIRING_VERSION,
    Content,
    Declined,
    Message,
    Sealed,
    Session,
    Unwelcome,
    decode,
    encode,
)
from idlepool.engine.net.shown import shown
from idlepool.engine.pairing_errors import CodeOver, PairingBroken, PairingError, WrongCode

MAX_OPEN_BYTES: Final = 1024
"""Of a message from somebody who has not proved to know the code."""
MAX_SEALED_BYTES: Final = 2**20
"""Of one from somebody who has: rosters are the largest."""

MAX_SENTENCE: Final = 300

_LENGTH_BYTES: Final = 4
_CLOSE_SECONDS: Final = 1.0

MessageT = TypeVar("MessageT", bound=Message)
ContentT = TypeVar("ContentT", bound=Content)


class PairingWire:
    """One connection between two PCs that pair; at most `max_bytes` of a message are taken."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.max_bytes = MAX_OPEN_BYTES
        self._reader = reader
        self._writer = writer

    @property
    def remote(self) -> tuple[object, ...]:
        """The other end's address as its socket names it."""
        remote: tuple[object, ...] = self._writer.get_extra_info("peername") or ("", 0)
        return remote

    async def send(self, message: Message) -> None:
        """Send a message.

        Raises:
            PairingBroken: the other side hung up.
        """
        data = encode(message)
        try:
            self._writer.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
            await self._writer.drain()
        except OSError as error:
            raise PairingBroken("the connection broke") from error

    async def receive(self, kind: type[MessageT]) -> MessageT:
        """The next message, which has to be a `kind`.

        Raises:
            PairingBroken: it is none, or the other side hung up.
            PairingError: the other side declined, and why.
        """
        try:
            length = int.from_bytes(await self._reader.readexactly(_LENGTH_BYTES), "big")
            if length > self.max_bytes:
                raise PairingBroken(f"it sent a message of {length:,} bytes, where {self.max_bytes:,} are enough")
            message = decode(await self._reader.readexactly(length))
        except (OSError, asyncio.IncompleteReadError) as error:
            raise PairingBroken("it closed the connection") from error
        if isinstance(message, Declined):
            raise _why(message)
        if not isinstance(message, kind):
            raise PairingBroken("it sent its messages in another order")
        return message

    async def unseal(self, session: Session, kind: type[ContentT]) -> ContentT:
        """What the next message seals, which has to be a `kind`. Raises as `receive` does."""
        self.max_bytes = MAX_SEALED_BYTES
        content = session.unseal(await self.receive(Sealed))
        if isinstance(content, Unwelcome):
            raise PairingError(shown(content.sentence, MAX_SENTENCE))
        if not isinstance(content, kind):
            raise PairingBroken("it sent its messages in another order")
        return content

    async def close(self) -> None:
        """Hang up, once what was sent is on its way."""
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._writer.wait_closed()
        self._writer.transport.abort()


def _why(declined: Declined) -> PairingError:
    """What the user of the guest is told."""
    match declined.reason:
        case "wrong" if declined.left > 0:
            return WrongCode(declined.left)
        case "wrong":
            return CodeOver("it was typed wrong too often")
        case "over":
            return CodeOver("it was used or ran out")
        case "busy":
            return PairingError("The other PC is just being paired with another one.", "Try again in a moment.")
        case "oneself":
            return PairingError("This PC shows that code itself.", "Type it on the other PC.")
        case "version":
            clash = version_clash("The other PC", declined.version, "this one", PAIRING_VERSION)
            return PairingError(clash)
