"""One WebSocket connection to a peer after its handshake: messages and frames in both directions.

TLS tells both who is there (tls.py). The connector says Hello, the listener (link_server.py) Welcome or Refused; from
then on both are alike. A peer that breaks the protocol is disconnected with the sentence that says how.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.frames import CloseCode

from idlepool.engine.build import BUILD
from idlepool.engine.errors import (
    IdlepoolError,
    LinkError,
    MessageError,
    OtherVersion,
    PeerRefused,
    PeerUnreachable,
    ProtocolError,
)
from idlepool.engine.net.bulk import BulkReader, Sink, send_bytes
from idlepool.engine.net.dial_errors import why_no_link
from idlepool.engine.net.frames import Frame, decode_frame
from idlepool.engine.net.handshake import program_of, read_answer, version_clash
from idlepool.engine.net.link_limits import Intake, LinkLimits, intake_of
from idlepool.engine.net.messages import (
    PROTOCOL_VERSION,
    Hello,
    Message,
    Refused,
    Role,
    Welcome,
    decode_message,
    encode_message,
)
from idlepool.engine.net.pings import Caller
from idlepool.engine.net.roster import Member
from idlepool.engine.net.roster_branches import roster_id
from idlepool.engine.net.shown import shown
from idlepool.engine.net.tls import Credentials, WasRemoved, peer_of
from idlepool.engine.net.trust_messages import Dismissed
from idlepool.engine.types import Address, NodeId, SessionId

_log = logging.getLogger("idlepool.link")

_MAX_REASON_BYTES = 123
"""RFC 6455, section 5.5: a close frame holds 125 bytes, two of them the code."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Who is at the other end, by its certificate and the roster, and where it says that it listens."""

    node: NodeId
    name: str
    address: Address
    instance: int = 0
    """Another number each time it starts."""
    epoch: int = 0
    """Of the roster that it knew when the link was opened,"""
    roster: str = ""
    """and which of that epoch it was, see roster_id; empty: an older program does not say."""
    build: str = ""
    """The version of its program."""

    def __str__(self) -> str:
        return f"{self.name} ({self.node[:8]}, {self.address})"


class Link:
    """Iterate it for what the peer sends; the iteration ends when the link does, and `wait_closed` tells why.

    Sending waits while the peer is slow to read. Both may be cancelled at any time: what was taken is whole.
    """

    def __init__(self, connection: Connection, hello: Hello, peer: Peer, *, dialled: bool) -> None:
        self.role: Role = hello.role
        self.session = SessionId(hello.session)
        self.peer = peer
        self._connection = connection
        self._reason = ""
        self._ignores_rest = False
        self._closing: asyncio.Task[None] | None = None
        self.allow(intake_of(hello.role, dialled=dialled))

    def __str__(self) -> str:
        return f"{self.role} link to {self.peer}"

    def allow(self, intake: Intake) -> None:
        """Take so much from now on; before, it is what the link's role needs (intake_of)."""
        self._intake = intake
        # Seen by the parser at the start of the next message: a longer one is refused by its header.
        self._connection.protocol.max_message_size = intake.max_bytes

    def divert(self, sink: Sink) -> None:
        """Give all that comes to `sink` from now on, by the short way (bulk.py); iterating tells of the end only.

        For a link that was dialled, before anything was asked over it.
        """
        connection = self._connection
        assert isinstance(connection, ClientConnection)
        reader = BulkReader(connection, sink, intake=self._intake, on_fault=self._on_fault)
        connection.transport.set_protocol(reader)

    def ignore_rest(self) -> None:
        """Take no more of what the peer sends, though it may still be told things; so it is once `close` was called."""
        self._ignores_rest = True

    async def send(self, message: Message) -> None:
        """Send a control message.

        Raises:
            LinkError: the link is closed; the sentence says why.
        """
        await self._send(encode_message(message))

    async def send_frame(self, data: bytes | memoryview) -> None:
        """Send an encoded frame.

        Raises:
            LinkError: the link is closed; the sentence says why.
        """
        await self._send(data)

    async def send_bytes(self, data: memoryview) -> None:
        """Send model bytes, over a link that came in.

        Raises:
            LinkError: the link is closed; the sentence says why.
        """
        assert isinstance(self._connection, ServerConnection)
        try:
            await send_bytes(self._connection, data)
        except ConnectionClosed as error:
            raise self._is_closed() from error

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message | Frame:
        try:
            data = await self._connection.recv()
            while self._ignores_rest:  # read all the same: the peer's goodbye comes after it
                data = await self._connection.recv()
        except ConnectionClosed:
            raise StopAsyncIteration from None
        try:
            return self._decode(data)
        except ProtocolError as error:
            _log.warning("%s broke the protocol: %s", self, error)
            await self._close(CloseCode.PROTOCOL_ERROR, error.sentence)
            raise StopAsyncIteration from error

    async def close(self, reason: str) -> None:
        """Say goodbye with a reason that the peer may show; wait for it, but not long. Idempotent."""
        await self._close(CloseCode.NORMAL_CLOSURE, reason)

    async def wait_closed(self) -> str:
        """Wait for the end of the link and tell why it ended, in a sentence.

        Keep iterating meanwhile: what is not taken stops the reading, and with it the news of the end.
        """
        await self._connection.wait_closed()
        return self._why_closed()

    async def _send(self, data: str | bytes | memoryview) -> None:
        try:
            await self._connection.send(data)
        except ConnectionClosed as error:
            raise self._is_closed() from error

    def _is_closed(self) -> LinkError:
        return LinkError(f"The link to {self.peer.name} is closed. {self._why_closed()}")

    def _on_fault(self, error: IdlepoolError) -> None:
        _log.warning("%s broke the protocol: %s", self, error)
        self._closing = asyncio.create_task(self._close(CloseCode.PROTOCOL_ERROR, error.sentence))

    async def _close(self, code: CloseCode, reason: str) -> None:
        self._reason = self._reason or reason
        self.ignore_rest()
        await self._connection.close(code, reason.encode()[:_MAX_REASON_BYTES].decode(errors="ignore"))

    def _decode(self, data: str | bytes) -> Message | Frame:
        if isinstance(data, bytes):
            return decode_frame(data, limits=self._intake.frames)
        if len(data) > self._intake.max_message_bytes:
            raise MessageError(f"A control message has {len(data):,} characters; that is too many.")
        return decode_message(data)

    def _why_closed(self) -> str:
        name = self.peer.name
        reason = self._reason or shown(self._connection.close_reason or "", _MAX_REASON_BYTES)
        for close in (self._connection.protocol.close_sent, self._connection.protocol.close_rcvd):
            if close is not None and close.code == CloseCode.MESSAGE_TOO_BIG:
                why = shown(close.reason, _MAX_REASON_BYTES)
                return f"A message on the {self.role} link to {name} was too large ({why})."
        if reason:
            return reason
        match self._connection.close_code:
            case CloseCode.NORMAL_CLOSURE:
                return f"{name} closed the link."
            case CloseCode.GOING_AWAY:
                return f"Idlepool was closed on {name}."
            case CloseCode.ABNORMAL_CLOSURE:
                return f"The connection to {name} broke."
            case code:
                return f"The link to {name} failed (code {code})."


async def dial(
    address: Address,
    hello: Hello,
    *,
    credentials: Credentials,
    node: NodeId | None = None,
    limits: LinkLimits | None = None,
) -> Link:
    """Connect to the member that listens at `address`; `node`, where given, is who must answer.

    Node, name, pool, roster and build are filled into `hello`.

    Raises:
        PeerUnreachable: nobody answers there, or something other than that node.
        NotPaired: one of the two PCs is no member for the other; WasRemoved: this one is none any more.
        PeerRefused: it answers and says no for another reason; OtherVersion: that reason is its program's version.
    """
    limits = limits or LinkLimits()
    hello = _signed_by(hello, credentials)
    try:
        async with asyncio.timeout(limits.handshake_seconds), AsyncExitStack() as stack:
            connection = await _connect(address, limits, credentials)
            stack.push_async_callback(connection.close)
            member = credentials.member(peer_of(connection.transport))
            if node is not None and member.node != node:
                raise PeerUnreachable(str(address), f"another PC, {member.name}, answers there")
            await connection.send(encode_message(hello))
            peer = _accept(read_answer(await connection.recv()), hello, address, member)
            stack.pop_all()
    except TimeoutError as error:
        raise PeerUnreachable(str(address), f"no answer within {limits.handshake_seconds:g} s") from error
    # ValueError: websockets met a redirect to somewhere else.
    except (OSError, WebSocketException, ProtocolError, ValueError) as error:
        raise why_no_link(address, error) from error
    return Link(connection, hello, peer, dialled=True)


def _signed_by(hello: Hello, credentials: Credentials) -> Hello:
    own, roster = credentials.own, credentials.roster
    return msgspec.structs.replace(
        hello,
        node=own.node,
        name=own.name,
        pool=roster.pool,
        epoch=roster.epoch,
        build=BUILD,
        roster=roster_id(credentials.chain[-1]),
    )


async def _connect(address: Address, limits: LinkLimits, credentials: Credentials) -> ClientConnection:
    return await connect(
        # The name in the URI is nobody's: host and port say where to connect.
        "wss://idlepool/",
        host=address.host,
        port=address.port,
        ssl=credentials.client_context,
        proxy=None,
        user_agent_header=None,
        open_timeout=None,
        create_connection=Caller,
        **limits.settings(),
    )


def _accept(answer: Welcome | Refused | Dismissed, hello: Hello, address: Address, member: Member) -> Peer:
    if isinstance(answer, Dismissed):
        raise WasRemoved(member.name, answer.rosters)
    if isinstance(answer, Refused):
        kind = PeerRefused if answer.version == PROTOCOL_VERSION else OtherVersion
        raise kind(str(address), answer.sentence, answer.hint)
    if answer.version != PROTOCOL_VERSION:
        clash = version_clash(program_of(answer), answer.version, program_of(hello), PROTOCOL_VERSION)
        raise OtherVersion(str(address), clash)
    if answer.node != member.node:
        raise PeerUnreachable(str(address), f"{member.name} answers there and says that it is another PC")
    node = NodeId(member.node)
    return Peer(node, member.name, address, answer.instance, answer.epoch, answer.roster, answer.build)
