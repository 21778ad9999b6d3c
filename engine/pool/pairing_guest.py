"""The side that was told the code: finds the PC that shows it, and becomes a member of that PC's pool."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from idlepool.engine.errors import PeerUnreachable
from idlepool.engine.net.handshake import version_clash
from idlepool.engine.net.pairing import (
    PAIRING_VERSION,
    Admission,
    Agreement,
    Door,
    Introduction,
    Joined,
    Knock,
    Proof,
    Reply,
    Session,
)
from idlepool.engine.net.pairing_beacon import found
from idlepool.engine.net.pairing_code import plate_of
from idlepool.engine.net.pairing_wire import PairingWire
from idlepool.engine.pairing_errors import AlreadyPooled, CodeNotFound, PairingBroken, PairingError
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.pairing_door import Paired, PairingLimits
from idlepool.engine.types import Address, NodeId

log = logging.getLogger("idlepool.pairing")

OTHERS_S = 1.0
"""How long one waits for others that show such a code, once one of them declined."""


class PairingGuest:
    """Tries one code. `node_port` is where this PC's own node listens, 0 where none does."""

    def __init__(
        self, code: str, membership: Membership, *, name: str, node_port: int = 0, limits: PairingLimits | None = None
    ) -> None:
        self._code = code
        self._membership = membership
        self._name = name
        self._node_port = node_port
        self._limits = limits or PairingLimits()

    async def find(self, hosts: Sequence[str]) -> Paired:
        """Look for the PC that shows the code on the networks of this PC's addresses `hosts`, and pair with it.

        Raises:
            PairingError: there is none, or it declined, or it is not the one it should be.
        """
        refused: PairingError = CodeNotFound(plate_of(self._code))
        self._check_alone()
        async with found(plate_of(self._code), hosts=hosts) as doors:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._limits.search_seconds) as patience:
                    while True:
                        addresses = await doors.get()
                        patience.reschedule(None)
                        try:
                            return await self._try_each(addresses)
                        except PairingError as error:
                            # Somebody else may show a code that begins alike, or only say so.
                            refused = error
                        patience.reschedule(asyncio.get_running_loop().time() + OTHERS_S)
        raise refused

    async def at(self, address: Address) -> Paired:
        """Pair with the PC that shows the code at a typed address. Raises as `find` does."""
        self._check_alone()
        return await self._try_each((address,))

    def _check_alone(self) -> None:
        own = self._membership.node
        others = tuple(member.name for member in self._membership.roster.members if member.node != own)
        if others:
            raise AlreadyPooled(others)

    async def _try_each(self, addresses: Sequence[Address]) -> Paired:
        """Pair at the first of a PC's addresses that answers."""
        for address in addresses:
            try:
                async with self._connect(address) as wire:
                    return await self._pair(wire, address)
            except PeerUnreachable as error:
                log.info("%s", error)
        tried = " or ".join(map(str, addresses))
        raise PairingError(f"Nobody shows a code at {tried}.", "Is it still shown there, and is that its address?")

    @asynccontextmanager
    async def _connect(self, address: Address) -> AsyncIterator[PairingWire]:
        try:
            async with asyncio.timeout(self._limits.connect_seconds):
                reader, writer = await asyncio.open_connection(address.host, address.port)
        except (OSError, TimeoutError) as error:
            raise PeerUnreachable(str(address), "no connection") from error
        wire = PairingWire(reader, writer)
        try:
            async with asyncio.timeout(self._limits.attempt_seconds):
                yield wire
        except TimeoutError as error:
            raise PairingBroken("it fell silent") from error
        finally:
            await wire.close()

    async def _pair(self, wire: PairingWire, address: Address) -> Paired:
        door = await wire.receive(Door)
        if door.version != PAIRING_VERSION:
            raise PairingError(version_clash("The other PC", door.version, "this one", PAIRING_VERSION))
        host = NodeId(door.node)
        session = await self._agree(wire, host)
        identity = self._membership.identity
        await wire.send(session.seal(Introduction(self._name, identity.certificate, self._node_port)))
        admission = await wire.unseal(session, Admission)
        self._check_alone()
        self._membership.join(admission.rosters)
        # From here on this PC is a member, whether or not the other one hears so.
        with contextlib.suppress(PairingError):
            await wire.send(session.seal(Joined()))
        return Paired(host, self._membership.name_of(host), session.words, Address(address.host, admission.port))

    async def _agree(self, wire: PairingWire, host: NodeId) -> Session:
        """A session with a host that knows the code. Each step computes for 10 to 20 ms: not on the loop."""
        own = self._membership.node
        if host == own:
            raise PairingError("This PC shows that code itself.", "Type it on the other PC.")
        agreement = await asyncio.to_thread(Agreement, self._code, host=host, guest=own, showing=False)
        await wire.send(Knock(own, agreement.element))
        reply = await wire.receive(Reply)
        session = await asyncio.to_thread(agreement.agree, reply.element)
        await wire.send(Proof(session.proof))
        if not session.check((await wire.receive(Proof)).mac):
            raise PairingBroken("it does not know the code itself")
        return session
