"""Looks for the PCs of the pool: where they were last, where they are announced and what was typed, all at once.

An address is only something to try. Whoever is announced and no member is remembered to be shown, and never dialled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field

from idlepool.engine.errors import LinkError
from idlepool.engine.events import FoundBy
from idlepool.engine.net.discovery import NodeHint, short_id
from idlepool.engine.net.interfaces import OwnAddress, preferred
from idlepool.engine.net.link import Link
from idlepool.engine.pool.known_addresses import KnownAddresses
from idlepool.engine.pool.peers import Peer, Peers
from idlepool.engine.pool.race import first_link
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import Address, NodeId

log = logging.getLogger("idlepool.peers")

LEAST_PAUSE_S = 0.5
"""Between two attempts, however often somebody is announced."""
FIRST_RETRY_S = 0.5
LAST_RETRY_S = 30.0
COURTESY_S = 1.0
"""How long the PC with the larger id waits to be dialled before it dials itself."""

MAX_HINTS = 64
"""Beyond so many only members are noted: anybody can announce anything."""

Connect = Callable[[Address, NodeId | None], Awaitable[Link]]
"""Opens a control link; the PC at its other end has proved to be that node, or a member where none is named."""


@dataclass(slots=True)
class Sought:
    """A member, or a typed address, that is tried whenever no link to it is open."""

    problem: LinkError | None = None
    """Why the last attempt failed."""
    met: NodeId | None = None
    """Who was met last at a typed address."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Seeker:
    """Keeps trying to reach every one of `members()` (without this PC) and every typed address."""

    def __init__(
        self,
        peers: Peers,
        own: NodeId,
        *,
        members: Callable[[], Collection[NodeId]],
        connect: Connect,
        known: KnownAddresses,
        on_change: Callable[[], None],
    ) -> None:
        self.members: dict[NodeId, Sought] = {}
        self.typed: dict[Address, Sought] = {}
        self.hints: dict[str, NodeHint] = {}
        self.port = 0
        """Where this PC listens."""
        self._peers = peers
        self._own = own
        self._roster = members
        self._connect = connect
        self._known = known
        self._on_change = on_change
        self._network: Sequence[OwnAddress] = ()
        self._tasks = TaskKeeper()
        self._saves = TaskKeeper()

    def hint(self, hint: NodeHint) -> None:
        """Somebody is announced at these addresses."""
        known, is_member = self.hints.get(hint.short_id), any(n.startswith(hint.short_id) for n in self.members)
        if known is None and not is_member and len(self.hints) >= MAX_HINTS:
            return
        self.hints[hint.short_id] = hint
        self._wake(hint.short_id)
        if hint != known:
            self._on_change()

    def forget(self, hinted: str) -> None:
        """Nobody says any more that the PC is there; a link that is open stays."""
        if self.hints.pop(hinted, None) is not None:
            self._on_change()

    def type_in(self, address: Address, *, wait_s: float = 0.0) -> None:
        """A PC is said to be there: try until it answers, after `wait_s` if nobody was met there by then."""
        if address not in self.typed:
            sought = self.typed[address] = Sought()
            sought.task = self._tasks.start(self._follow(address, sought, wait_s=wait_s))

    def paired(self, node: NodeId, address: Address) -> None:
        """A PC became a member just now, and is reached there."""
        self._saves.start(self._learn(node, address))

    def look_again(self) -> None:
        """The members are others than before."""
        members = set(self._roster()) - {self._own}
        for node in members - set(self.members):
            sought = self.members[node] = Sought()
            sought.task = self._tasks.start(self._seek(node, sought))
        for node in set(self.members) - members:
            task = self.members.pop(node).task
            self._peers.drop(node)
            if task is not None:
                task.cancel()
        for sought in self.typed.values():
            sought.news.set()
        self._saves.start(self._known.keep_only(members))
        self._on_change()

    def network_changed(self, network: Sequence[OwnAddress]) -> None:
        """This PC has other addresses, or woke up: try everybody again at once."""
        self._network = network
        self._wake("")

    def met(self, link: Link) -> None:
        """A member proved to be at the other end of this link, and it is present."""
        sought = self.members.get(link.peer.node)
        if sought is not None:
            sought.problem = None
            self._saves.start(self._known.remember(link.peer.node, link.peer.address))

    async def close(self) -> None:
        """Look for nobody any more."""
        await self._tasks.close()
        await self._saves.wait()

    async def _learn(self, node: NodeId, address: Address) -> None:
        await self._known.remember(node, address)
        self._wake(node)

    async def _seek(self, node: NodeId, sought: Sought) -> None:
        pause, courtesy = FIRST_RETRY_S, COURTESY_S if node < self._own else 0.0
        await asyncio.sleep(courtesy)
        while True:
            sought.news.clear()
            if (peer := self._peers.present.get(node)) is not None:
                await peer.gone.wait()
                await asyncio.sleep(courtesy)
                pause = FIRST_RETRY_S
                continue
            if await self._reach(node, sought):
                pause = FIRST_RETRY_S
            await asyncio.sleep(LEAST_PAUSE_S)
            pause = FIRST_RETRY_S if await _comes(sought.news, pause) else min(2 * pause, LAST_RETRY_S)

    async def _reach(self, node: NodeId, sought: Sought) -> bool:
        """Try all its addresses and hold the link that comes of it; False where none does."""
        hint, ways = self._ways(node)
        if not ways:
            return False
        try:
            address, link = await first_link(
                ways, lambda address: self._connect(address, node), drop=_drop, tasks=self._tasks
            )
        except LinkError as error:
            self._failed(sought, error)
            return False
        found: FoundBy = "announced" if hint and address in hint.addresses else "last address"
        await self._peers.adopt(link, found=found)
        return True

    async def _follow(self, address: Address, sought: Sought, *, wait_s: float) -> None:
        """Try a typed address whenever nobody who was met there is present."""
        await asyncio.sleep(wait_s)
        pause = FIRST_RETRY_S
        while True:
            sought.news.clear()
            peer = self._present_at(address, sought)
            if peer is not None:
                await peer.gone.wait()
                pause = FIRST_RETRY_S
            try:
                link = await self._connect(address, None)
            except LinkError as error:
                self._failed(sought, error)
            else:
                sought.met, sought.problem, pause = link.peer.node, None, FIRST_RETRY_S
                await self._peers.adopt(link, found="typed")
            pause = FIRST_RETRY_S if await _comes(sought.news, pause) else min(2 * pause, LAST_RETRY_S)

    def _ways(self, node: NodeId) -> tuple[NodeHint | None, tuple[Address, ...]]:
        """How it is announced, and all addresses it may have: a LAN in common first, and the last one among equals."""
        hint = self.hints.get(short_id(node))
        addresses = (*self._known.of(node), *(hint.addresses if hint else ()))
        return hint, preferred(addresses, self._network, port=self.port)

    def _present_at(self, address: Address, sought: Sought) -> Peer | None:
        present = self._peers.present.items()
        return next((p for node, p in present if node == sought.met or p.link.peer.address == address), None)

    def _failed(self, sought: Sought, error: LinkError) -> None:
        log.info("%s", error)
        told = None if sought.problem is None else str(sought.problem)
        sought.problem = error
        if told != str(error):
            self._on_change()

    def _wake(self, beginning: str) -> None:
        for node, sought in self.members.items():
            if node.startswith(beginning):
                sought.news.set()
        if not beginning:
            for sought in self.typed.values():
                sought.news.set()


async def _comes(event: asyncio.Event, timeout_s: float) -> bool:
    try:
        await asyncio.wait_for(event.wait(), timeout_s)
    except TimeoutError:
        return False
    return True


async def _drop(link: Link) -> None:
    await link.close("Another way to this PC was faster.")
