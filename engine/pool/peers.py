"""The other PCs: found by hints, met over control links, present exactly as long as such a link lives.

An address is only something to try. Each pair of PCs keeps one control link: where both dialled at the same moment, the
link that the smaller id dialled stays, on both sides.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from idlepool.engine.errors import LinkError, ProtocolError
from idlepool.engine.net.discovery import NodeHint
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import DeviceInfo, Message, NodeStatus
from idlepool.engine.net.question_messages import RunningModel
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import Address, NodeId

log = logging.getLogger("idlepool.peers")

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 30.0
COURTESY_S = 1.0
"""How long the PC with the larger id waits to be dialled before it dials itself."""


@dataclass(slots=True, eq=False)
class Peer:
    """A PC that is present."""

    link: Link
    dialled_here: bool
    devices: tuple[DeviceInfo, ...] = ()
    running: tuple[RunningModel, ...] = ()
    gone: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class _Attempt:
    """Addresses that are tried for one PC."""

    addresses: tuple[Address, ...]
    task: asyncio.Task[None]


class Peers:
    """Control links to all PCs of the pool that can be reached; `own` is this PC, `dial` opens a control link.

    `on_item` takes what comes over a control link (NodeStatus is kept here), `on_change` hears when somebody came, went
    or changed, `on_lost` who went.
    """

    def __init__(
        self,
        own: NodeId,
        *,
        dial: Callable[[Address], Awaitable[Link]],
        status: Callable[[], NodeStatus],
        on_item: Callable[[NodeId, Message | Frame], Awaitable[None]],
        on_change: Callable[[], None],
        on_lost: Callable[[NodeId], None],
    ) -> None:
        self.present: dict[NodeId, Peer] = {}
        self._own = own
        self._dial_link = dial
        self._status = status
        self._on_item = on_item
        self._on_change = on_change
        self._on_lost = on_lost
        self._attempts: dict[str, _Attempt] = {}
        self._tasks = TaskKeeper()

    def hint(self, hint: NodeHint) -> None:
        """Somebody may be reached at these addresses; tried again whenever no link is open, until `forget`."""
        patient = hint.short_id < self._own
        self._try(hint.short_id, hint.addresses, wait_s=COURTESY_S if patient else 0.0)

    def forget(self, short_id: str) -> None:
        """Nobody says any more that the PC is there; a link that is open stays."""
        attempt = self._attempts.pop(short_id, None)
        if attempt is not None and self._met(short_id, attempt.addresses) is None:
            attempt.task.cancel()

    def typed(self, address: Address, *, wait_s: float = 0.0) -> None:
        """A PC is said to be there: try until it answers, after `wait_s` if it was not met in another way by then."""
        self._try(str(address), (address,), wait_s=wait_s)

    async def adopt(self, link: Link, *, dialled_here: bool) -> None:
        """Keep a control link for as long as it lives; returns when it is closed."""
        node = link.peer.node
        older = self.present.get(node)
        same_run = older is not None and older.link.peer.instance == link.peer.instance
        if older is not None and same_run and older.dialled_here != dialled_here and self._loses(node, dialled_here):
            await link.close("Another link to this PC is open already.")
            return
        peer = self.present[node] = Peer(link, dialled_here)
        try:
            if older is not None:
                if not same_run:
                    self._on_lost(node)  # whoever started anew knows nothing of what was agreed
                await older.link.close("A newer link to this PC is open.")
            log.info("%s is here", link.peer)
            await link.send(self._status())
            self._on_change()
            async for item in link:
                await self._take(peer, item)
        except LinkError as error:
            log.info("%s", error)
        except ProtocolError as error:
            log.warning("%s broke the protocol: %s", link, error)
            await link.close(error.sentence)
        finally:
            peer.gone.set()
            if self.present.get(node) is peer:
                del self.present[node]
                log.info("%s is gone", link.peer)
                self._on_lost(node)
                self._on_change()

    async def send(self, node: NodeId, message: Message) -> None:
        """Send over the control link. Raises LinkError where the PC is not present."""
        await self._link(node).send(message)

    async def send_frame(self, node: NodeId, data: bytes) -> None:
        """Send a frame over the control link. Raises LinkError where the PC is not present."""
        await self._link(node).send_frame(data)

    async def tell_status(self) -> None:
        """Tell all PCs what this one lends now."""
        for node in list(self.present):
            with contextlib.suppress(LinkError):
                await self.send(node, self._status())

    async def close(self) -> None:
        """Stop dialling and say goodbye to all."""
        peers = list(self.present.values())
        await asyncio.gather(*(peer.link.close("Idlepool was closed there.") for peer in peers))
        await self._tasks.close()

    def _loses(self, node: NodeId, dialled_here: bool) -> bool:
        """Whether a second link to `node` has to go: the one that the larger id dialled."""
        return (self._own > node) == dialled_here

    async def _take(self, peer: Peer, item: Message | Frame) -> None:
        if isinstance(item, NodeStatus):
            peer.devices, peer.running = item.devices, item.running
            self._on_change()
        else:
            await self._on_item(peer.link.peer.node, item)

    def _met(self, key: str, addresses: tuple[Address, ...]) -> Peer | None:
        """The PC that is tried, if a link to it is open: known by its id or by where it listens."""
        return next(
            (p for node, p in self.present.items() if node.startswith(key) or p.link.peer.address in addresses), None
        )

    def _link(self, node: NodeId) -> Link:
        peer = self.present.get(node)
        if peer is None:
            raise LinkError(f"The PC {node[:8]} is not here.")
        return peer.link

    def _try(self, key: str, addresses: tuple[Address, ...], *, wait_s: float) -> None:
        attempt = self._attempts.get(key)
        if attempt is not None:
            attempt.addresses = addresses
            return
        self._attempts[key] = _Attempt(addresses, self._tasks.start(self._dial(key, wait_s=wait_s)))

    async def _dial(self, key: str, *, wait_s: float) -> None:
        """Try the addresses in turn, with growing pauses, whenever no link to the PC is open; hold the link."""
        await asyncio.sleep(wait_s)
        pause = FIRST_RETRY_S
        while (attempt := self._attempts.get(key)) is not None:
            if (peer := self._met(key, attempt.addresses)) is not None:
                await peer.gone.wait()
                pause = FIRST_RETRY_S
            for address in attempt.addresses:
                link = await self._reach(address)
                if link is not None:
                    await self.adopt(link, dialled_here=True)
                    pause = FIRST_RETRY_S
                    break
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_RETRY_S)

    async def _reach(self, address: Address) -> Link | None:
        try:
            return await self._dial_link(address)
        except LinkError as error:
            log.info("%s", error)
            return None
