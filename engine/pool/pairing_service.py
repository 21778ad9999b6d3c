"""Pairing on behalf of a window or a terminal: one thing at a time, its events passed on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from idlepool.engine.commands import (
    EnterCode,
    LeavePool,
    OpenPairing,
    PairingCommand,
    RemoveMember,
    StopPairing,
)
from idlepool.engine.errors import IdlepoolError, StorageError
from idlepool.engine.net.addresses import DEFAULT_PORT, parse_address
from idlepool.engine.net.pairing_beacon import announced, pairing_hosts
from idlepool.engine.net.pairing_code import make_code, plate_of, read_code, shown_code
from idlepool.engine.net.pairing_words import identity_words
from idlepool.engine.pairing_errors import PairingError
from idlepool.engine.pairing_events import (
    MemberInfo,
    MembersChanged,
    PairingDone,
    PairingEvent,
    PairingFailed,
    PairingOpen,
    PairingWrong,
)
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.pairing_door import PAIRING_PORT, Paired, PairingDoor, PairingLimits
from idlepool.engine.pool.pairing_guest import PairingGuest
from idlepool.engine.trust_errors import TrustError
from idlepool.engine.types import Address, NodeId

log = logging.getLogger("idlepool.pairing")

SHOWN_ADDRESSES = 2


@dataclass(frozen=True, slots=True)
class PairingSettings:
    """How this PC pairs. `name` is what it is called until somebody takes it in."""

    name: str
    listens: str
    """The address to show a code at; 0.0.0.0: all."""
    port: int = PAIRING_PORT
    """To show a code at, where it is free."""
    interfaces: Sequence[str] | None = None
    """IPv4 addresses of this PC to be found at and to look for others; None: all it listens on."""
    node_port: int = 0
    """Where this PC's node listens; 0: it does not run."""


class PairingService:
    """Shows a code, tries one, and changes the pool of this PC. Whatever begins ends what went on before.

    `on_paired` hears who is a member now and where its node is reached. `sleep` waits for a code's time to run out.
    """

    def __init__(
        self,
        membership: Membership,
        settings: PairingSettings,
        emit: Callable[[PairingEvent], None],
        *,
        on_paired: Callable[[NodeId, Address], None] = lambda node, address: None,
        limits: PairingLimits | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._membership = membership
        self._settings = settings
        self._emit = emit
        self._on_paired = on_paired
        self._limits = limits or PairingLimits()
        self._sleep = sleep
        self._work: asyncio.Task[None] | None = None
        membership.on_change(self.tell_members)

    def tell_members(self) -> None:
        """Tell who belongs to the pool."""
        own = self._membership.node
        members = self._membership.roster.members
        told = (MemberInfo(m.node, m.name, m.node == own, identity_words(m.node)) for m in members)
        self._emit(MembersChanged(tuple(told)))

    def obey(self, command: PairingCommand) -> None:
        """Do what a window asks for."""
        match command:
            case OpenPairing():
                self.open()
            case EnterCode(code=code, address=address):
                self.enter(code, address)
            case StopPairing():
                self.give_up()
            case RemoveMember(node=node):
                self.remove(NodeId(node))
            case LeavePool():
                self.leave()

    def open(self) -> None:
        """Show a new code; PairingOpen follows."""
        self._begin(self._show)

    def enter(self, code: str, address: str = "") -> None:
        """Try a code that another PC shows; at `address` (host or host:port), where one was typed."""
        self._begin(lambda: self._try(code, address))

    def remove(self, node: NodeId) -> None:
        """Make a PC no member any more; PairingFailed says why where that cannot be."""
        self._change(lambda: self._membership.remove(node))

    def leave(self) -> None:
        """Be the only PC of a new pool. The others list this one until one of them removes it."""
        self._change(self._membership.leave)

    def give_up(self) -> None:
        """End what is going on; a code that is shown is void."""
        if self._work is not None:
            self._work.cancel()

    async def stop(self) -> None:
        """End what is going on, and wait for that; nothing more is told."""
        self._membership.forget(self.tell_members)
        if self._work is not None:
            await _ended(self._work)

    def _begin(self, pairing: Callable[[], Awaitable[Paired]]) -> None:
        self._work = asyncio.create_task(self._run(pairing, before=self._work))

    async def _run(self, pairing: Callable[[], Awaitable[Paired]], *, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await _ended(before)
        try:
            paired = await pairing()
        except IdlepoolError as error:
            self._emit(PairingFailed(error.sentence, error.hint))
            return
        log.info("paired with %s", paired.node[:8])
        self._on_paired(paired.node, Address(paired.address.host, paired.address.port or DEFAULT_PORT))
        self._emit(PairingDone(paired.node, paired.name, paired.words))

    async def _show(self) -> Paired:
        settings, membership = self._settings, self._membership
        own = membership.roster.find(membership.node)
        if own is None or own.role != "admin":
            raise PairingError("This PC may not take others into its pool.", "Show the code on a PC that may.")
        code = make_code()
        door = PairingDoor(code, membership, on_wrong=self._on_wrong, node_port=settings.node_port, limits=self._limits)
        await door.open(settings.listens, settings.port)
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(door.close)
            hosts = await pairing_hosts(settings.listens, settings.interfaces)
            problem = await stack.enter_async_context(
                announced(membership.node, plate_of(code), door.port, hosts=hosts)
            )
            addresses = tuple(
                host if door.port == PAIRING_PORT else str(Address(host, door.port)) for host in hosts[:SHOWN_ADDRESSES]
            )
            self._emit(PairingOpen(shown_code(code), self._limits.open_seconds, addresses, problem))
            return await self._outcome(door)

    async def _outcome(self, door: PairingDoor) -> Paired:
        expiry = asyncio.create_task(self._expire(door))
        try:
            outcome = await door.outcome
        finally:
            expiry.cancel()
        if isinstance(outcome, PairingError):
            raise outcome
        return outcome

    async def _expire(self, door: PairingDoor) -> None:
        await self._sleep(self._limits.open_seconds)
        await door.expire()

    async def _try(self, code: str, address: str) -> Paired:
        settings = self._settings
        guest = PairingGuest(
            read_code(code), self._membership, name=settings.name, node_port=settings.node_port, limits=self._limits
        )
        if address.strip():
            return await guest.at(parse_address(address, default_port=PAIRING_PORT))
        return await guest.find(await pairing_hosts(settings.listens, settings.interfaces))

    def _on_wrong(self, left: int) -> None:
        self._emit(PairingWrong(left))

    def _change(self, change: Callable[[], None]) -> None:
        try:
            change()
        except (TrustError, StorageError) as error:
            self._emit(PairingFailed(error.sentence, error.hint))


async def _ended(work: asyncio.Task[None]) -> None:
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
