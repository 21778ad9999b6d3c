"""The side that shows the code: listens for whoever was told it, and takes that PC into the pool."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from idlepool.engine.errors import IdlepoolError, PortInUse
from idlepool.engine.net.addresses import seen_address
from idlepool.engine.net.identity import node_of
from idlepool.engine.net.pairing import (
    PAIRING_VERSION,
    Admission,
    Agreement,
    Declined,
    Door,
    Introduction,
    Joined,
    Knock,
    Proof,
    Reply,
    Session,
    Unwelcome,
)
from idlepool.engine.net.pairing_wire import MAX_SEALED_BYTES, MessageT, PairingWire
from idlepool.engine.net.roster import SignedRoster
from idlepool.engine.net.sockets import listening_socket
from idlepool.engine.pairing_errors import CodeOver, PairingBroken, PairingError
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.pairing_line import PairingLine
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import Address, NodeId

log = logging.getLogger("idlepool.pairing")

PAIRING_PORT: Final = 24_754
"""Where a code is listened for unless another program does: beside the node's own port."""

SIGNATURE_BYTES: Final = 256
"""More than a signature and the id beside it take."""


@dataclass(frozen=True, slots=True)
class PairingLimits:
    """How long and how often a code can be tried, and how long one waits."""

    open_seconds: float = 120
    tries: int = 5
    attempt_seconds: float = 10
    """For all that two PCs say to each other."""
    word_seconds: float = 2
    """For each word of a PC that has not shown yet that it knows the code; others wait for their turn meanwhile."""
    line_seconds: float = 6
    """How long one waits for its turn."""
    strangers: int = 8
    """Connections at once; an attempt is one, and the others have to wait for its end."""
    strangers_of_one: int = 3
    """The same from one address."""
    search_seconds: float = 10
    connect_seconds: float = 4


@dataclass(frozen=True, slots=True)
class Paired:
    """A PC that is in the same pool from now on."""

    node: NodeId
    name: str
    words: tuple[str, ...]
    """Four, the same on both screens."""
    address: Address
    """Where it is reached; port 0: its node did not run."""


class PairingDoor:
    """Lets in the one who knows `code`, and nobody else; `outcome` is who that was, or why it was nobody.

    `on_wrong` hears of each wrong code, with the number of tries that are left. `node_port` is where this PC's own
    node listens, 0 where none does.
    """

    def __init__(
        self,
        code: str,
        membership: Membership,
        *,
        on_wrong: Callable[[int], None],
        node_port: int = 0,
        limits: PairingLimits | None = None,
    ) -> None:
        self.port = 0
        self.outcome: asyncio.Future[Paired | PairingError] = asyncio.get_running_loop().create_future()
        self._code = code
        self._membership = membership
        self._on_wrong = on_wrong
        self._node_port = node_port
        self._limits = limits or PairingLimits()
        self._left = self._limits.tries
        self._void = False
        self._line = PairingLine()
        self._heard = Counter[str]()
        """Connections by where they come from."""
        self._tasks = TaskKeeper()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> None:
        """Listen; `self.port` is where. Where `port` is taken, any other one does.

        Raises:
            PoolError: the system does not allow listening there.
        """
        try:
            listener = listening_socket(host, port)
        except PortInUse:
            listener = listening_socket(host, 0)
        self.port = listener.getsockname()[1]
        self._server = await asyncio.start_server(self._let_in, sock=listener)

    async def expire(self) -> None:
        """Let nobody in any more but the one who is just being heard."""
        self._void = True
        await self._line.enter("")
        self._end(CodeOver("nobody typed it in time"))
        self._line.leave()

    async def close(self) -> None:
        """Stop listening and hang up. Idempotent."""
        self._void = True
        if self._server is not None:
            self._server.close()
        await self._tasks.close()
        self.outcome.cancel()

    def _end(self, outcome: Paired | PairingError) -> None:
        self._void = True
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def _let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = PairingWire(reader, writer)
        limits, host = self._limits, str(wire.remote[0])
        if self._heard.total() < limits.strangers and self._heard[host] < limits.strangers_of_one:
            self._heard[host] += 1
            self._tasks.start(self._meet(wire, host))
        else:
            writer.transport.abort()

    async def _meet(self, wire: PairingWire, host: str) -> None:
        try:
            async with asyncio.timeout(self._limits.attempt_seconds):
                await self._hear(wire, host)
        except (TimeoutError, PairingError) as error:
            log.info("an attempt to pair from %s failed: %s", host, error or "it took too long")
        finally:
            self._heard -= Counter((host,))
            await wire.close()

    async def _hear(self, wire: PairingWire, host: str) -> None:
        await wire.send(Door(self._membership.node))
        knock = await self._word(wire, Knock)
        if knock.version != PAIRING_VERSION:
            await wire.send(Declined("version"))
        elif knock.node == self._membership.node:
            await wire.send(Declined("oneself"))
        elif self._void:
            await wire.send(Declined("over"))
        else:
            await self._wait_and_try(wire, knock, host)

    async def _word(self, wire: PairingWire, kind: type[MessageT]) -> MessageT:
        """What a stranger says next: soon, for others may be waiting. Raises TimeoutError, and as PairingWire does."""
        async with asyncio.timeout(self._limits.word_seconds):
            return await wire.receive(kind)

    async def _wait_and_try(self, wire: PairingWire, knock: Knock, host: str) -> None:
        try:
            await self._line.enter(host, self._limits.line_seconds)
        except TimeoutError:
            await wire.send(Declined("busy"))
            return
        self._line.failed(host)  # until it has shown the opposite, which is the end of the line
        try:
            if self._void:
                await wire.send(Declined("over"))
            else:
                await self._try(wire, knock)
        finally:
            self._line.leave()

    async def _try(self, wire: PairingWire, knock: Knock) -> None:
        session = await self._agree(wire, knock)
        if session is None:
            self._left -= 1
            self._on_wrong(self._left)
            if not self._left:
                self._end(CodeOver("a wrong code was typed too often"))
            await wire.send(Declined("wrong", self._left))
            return
        self._void = True  # a code is good once, whatever comes of it
        try:
            self._end(await self._admit(wire, session, NodeId(knock.node)))
        except PairingError as error:
            self._end(error)
            raise
        finally:
            self._end(PairingBroken("it took too long"))

    async def _agree(self, wire: PairingWire, knock: Knock) -> Session | None:
        """The session of a guest that knows the code. Each step computes for 10 to 20 ms: not on the loop."""
        node, guest = self._membership.node, NodeId(knock.node)
        agreement = await asyncio.to_thread(Agreement, self._code, host=node, guest=guest, showing=True)
        session = await asyncio.to_thread(agreement.agree, knock.element)
        await wire.send(Reply(agreement.element))
        proof = await self._word(wire, Proof)
        if not session.check(proof.mac):
            return None
        await wire.send(Proof(session.proof))
        return session

    async def _admit(self, wire: PairingWire, session: Session, guest: NodeId) -> Paired:
        """Make the guest a member, then tell it: one that was told and is no member could never connect."""
        introduction = await wire.unseal(session, Introduction)
        if node_of(introduction.certificate) != guest:
            raise PairingBroken("its certificate is another one than it said")
        try:
            self._membership.add(introduction.certificate, introduction.name)
        except IdlepoolError as error:
            await wire.send(session.seal(Unwelcome(error.sentence)))
            raise PairingError(error.sentence, error.hint) from error
        name = self._membership.name_of(guest)
        try:
            await wire.send(session.seal(Admission(_latest(self._membership.chain), self._node_port)))
            await wire.unseal(session, Joined)
        except PairingError as error:
            hint = "If it does not say that it is paired, show a new code and pair it again."
            raise PairingError(f"{name} was taken into the pool, but broke off before it knew.", hint) from error
        address = seen_address(wire.remote, port=introduction.port)
        return Paired(guest, name, session.words, address)


def _latest(chain: Sequence[SignedRoster]) -> tuple[SignedRoster, ...]:
    """As many rosters as fit into a message, the newest ones."""
    sizes = accumulate(len(signed.body) + SIGNATURE_BYTES for signed in reversed(chain))
    fitting = sum(1 for size in sizes if size < MAX_SEALED_BYTES)
    return tuple(chain[-fitting:])
