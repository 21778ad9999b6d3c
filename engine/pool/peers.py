"""The other PCs: found by hints, met over control links, present exactly as long as such a link lives.

An address is only something to try. Each pair of PCs keeps one control link: where both dialled at the same moment, the
link that the smaller id dialled stays, on both sides.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from idlepool.engine.errors import LinkError, ProtocolError
from idlepool.engine.net.discovery import NodeHint
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.messages import DeviceInfo, Hello, Message, NodeStatus
from idlepool.engine.types import Address, NodeId

log = logging.getLogger("idlepool.peers")

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 30.0
COURTESY_S = 1.0
"""How long the PC with the larger id waits to be dialled before it dials itself."""


@dataclass(slots=True)
class Peer:
    """A PC that is present."""

    link: Link
    dialled_here: bool
    devices: tuple[DeviceInfo, ...] = ()


class Peers:
    """Control links to all PCs of the pool that can be reached.

    `on_item` takes what comes over a control link (NodeStatus is kept here), `on_change` hears when somebody came, went
    or changed, `on_lost` who went.
    """

    def __init__(
        self,
        hello: Callable[[], Hello],
        *,
        status: Callable[[], NodeStatus],
        on_item: Callable[[NodeId, Message | Frame], Awaitable[None]],
        on_change: Callable[[], None],
        on_lost: Callable[[NodeId], None],
    ) -> None:
        self.present: dict[NodeId, Peer] = {}
        self._hello = hello
        self._status = status
        self._on_item = on_item
        self._on_change = on_change
        self._on_lost = on_lost
        self._dialling: dict[str, asyncio.Task[None]] = {}

    def hint(self, hint: NodeHint) -> None:
        """Somebody may be reached at these addresses."""
        if any(node.startswith(hint.short_id) for node in self.present):
            return
        patient = hint.short_id < self._hello().node
        self._try(hint.short_id, hint.addresses, wait_s=COURTESY_S if patient else 0.0, rounds=4)

    def typed(self, address: Address, *, wait_s: float = 0.0) -> None:
        """A PC is said to be there: try until it answers, after `wait_s` if it was not met in another way by then."""
        self._try(str(address), (address,), wait_s=wait_s, rounds=None)

    async def adopt(self, link: Link, *, dialled_here: bool) -> None:
        """Keep a control link for as long as it lives; returns when it is closed."""
        node = link.peer.node
        older = self.present.get(node)
        if older is not None and older.dialled_here != dialled_here and self._loses(node, dialled_here):
            await link.close("Another link to this PC is open already.")
            return
        peer = self.present[node] = Peer(link, dialled_here)
        if older is not None:
            await older.link.close("A newer link to this PC is open.")
        log.info("%s is here", link.peer)
        try:
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
            if self.present.get(node) is peer:
                del self.present[node]
                log.info("%s is gone: %s", link.peer, await link.wait_closed())
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
        for task in self._dialling.values():
            task.cancel()
        await asyncio.gather(*(peer.link.close("Idlepool was closed there.") for peer in self.present.values()))

    def _loses(self, node: NodeId, dialled_here: bool) -> bool:
        """Whether a second link to `node` has to go: the one that the larger id dialled."""
        here = self._hello().node
        return (here > node) == dialled_here

    async def _take(self, peer: Peer, item: Message | Frame) -> None:
        if isinstance(item, NodeStatus):
            peer.devices = item.devices
            self._on_change()
        else:
            await self._on_item(peer.link.peer.node, item)

    async def _until_gone(self, node: NodeId) -> None:
        """Wait while another link to the PC stays open."""
        while (peer := self.present.get(node)) is not None:
            await peer.link.wait_closed()
            await asyncio.sleep(0)  # whoever adopted it takes it off the list a moment later

    def _reached(self, addresses: tuple[Address, ...]) -> bool:
        return any(peer.link.peer.address in addresses for peer in self.present.values())

    def _link(self, node: NodeId) -> Link:
        peer = self.present.get(node)
        if peer is None:
            raise LinkError(f"The PC {node[:8]} is not here.")
        return peer.link

    def _try(self, key: str, addresses: tuple[Address, ...], *, wait_s: float, rounds: int | None) -> None:
        if key not in self._dialling:
            task = asyncio.create_task(self._dial(addresses, wait_s=wait_s, rounds=rounds))
            self._dialling[key] = task
            task.add_done_callback(lambda _: self._dialling.pop(key, None))

    async def _dial(self, addresses: tuple[Address, ...], *, wait_s: float, rounds: int | None) -> None:
        """Try the addresses in turn, with growing pauses, until one leads to a link; hold it while it lives."""
        await asyncio.sleep(wait_s)
        if wait_s and self._reached(addresses):
            return
        pause = FIRST_RETRY_S
        while rounds is None or rounds > 0:
            for address in addresses:
                try:
                    link = await dial(address, self._hello())
                except LinkError as error:
                    log.info("%s", error)
                    continue
                await self.adopt(link, dialled_here=True)
                if rounds is not None:
                    return
                await self._until_gone(link.peer.node)
                pause = FIRST_RETRY_S
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_RETRY_S)
            rounds = None if rounds is None else rounds - 1
