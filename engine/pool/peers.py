"""The other PCs that are present: exactly as long as a control link to them lives and they are heard over it.

Each pair of PCs keeps one control link. Whoever dials speaks first: a link on which nothing comes was one of several
attempts and not the one chosen. Where both PCs dialled, the link that the smaller id dialled stays, on both sides.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from idlepool.engine.errors import LinkError, ProtocolError
from idlepool.engine.events import FoundBy
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import DeviceInfo, Message, NodeStatus
from idlepool.engine.net.presence_messages import Heartbeat, LinkPing, LinkPong, LinkTime
from idlepool.engine.net.question_messages import RunningModel, WholeModel
from idlepool.engine.pool.link_times import LinkTiming
from idlepool.engine.pool.patience import Patience
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId

log = logging.getLogger("idlepool.peers")

HEARTBEAT_S = 1.0
TICK_S = 0.5
SUSPECT_TICKS = 7
"""Three seconds of silence are shown, and"""
GONE_TICKS = 17
"""eight are the end. Counted in ticks of this PC's own event loop, so that the seconds for which it was busy, or
frozen, and heard nobody, count once and not in full."""
SHOWN_TICKS = 2
"""Each second the silence is shown to be longer."""
FIRST_WORD_S = 5.0
GOODBYE = "Idlepool was closed there."
SETTLED_S = 5.0
"""A link that stood for longer and is replaced was dead for the other PC, which has given up what was under way."""


@dataclass(slots=True, eq=False)
class Peer:
    """A PC that is present."""

    link: Link
    found: FoundBy
    status: NodeStatus = field(default_factory=lambda: NodeStatus(()))
    """What it told of itself last."""
    timing: LinkTiming = field(default_factory=LinkTiming)
    """How far it is from here."""
    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    suspect: bool = False
    """Nothing was heard of it for a while."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    silent_ticks: int = 0
    busy: bool = False
    """What it sent last is not dealt with yet, so nothing more is heard."""
    since: float = field(default_factory=time.monotonic)
    patience: Patience = field(default_factory=Patience)

    @property
    def devices(self) -> tuple[DeviceInfo, ...]:
        """What it lends."""
        return self.status.devices

    @property
    def running(self) -> tuple[RunningModel, ...]:
        """Models whose pipelines it heads."""
        return self.status.running

    @property
    def silent_s(self) -> float:
        """For how long nothing was heard of it, by this PC's own ticks."""
        return max(0, self.silent_ticks - 1) * TICK_S

    @property
    def dialled_here(self) -> bool:
        """Whether this PC opened the link."""
        return self.found != "called"


class Peers:
    """Control links to all PCs of the pool that can be reached; `own` is this PC.

    `on_item` takes what comes over a control link (what PCs say of themselves and their links is kept here), `on_met`
    hears of a new link, `on_change` when somebody came, went or changed, `on_lost` who went.
    """

    def __init__(
        self,
        own: NodeId,
        *,
        status: Callable[[], NodeStatus],
        heartbeat: Callable[[], Heartbeat],
        on_item: Callable[[NodeId, Message | Frame], Awaitable[None]],
        on_met: Callable[[Link], None],
        on_change: Callable[[], None],
        on_lost: Callable[[NodeId], None],
    ) -> None:
        self.present: dict[NodeId, Peer] = {}
        self._own = own
        self._status = status
        self._heartbeat = heartbeat
        self._on_item = on_item
        self._on_met = on_met
        self._on_change = on_change
        self._on_lost = on_lost
        self._tasks = TaskKeeper()

    async def adopt(self, link: Link, *, found: FoundBy) -> None:
        """Keep a control link for as long as it lives; returns when it is closed."""
        peer = Peer(link, found)
        try:
            first = None if peer.dialled_here else await self._first_word(link)
            if not await self._register(peer):
                return
            with self._watched(peer):
                await link.send(self._status())
                if first is not None:
                    await self._take(peer, first)
                async for item in link:
                    await self._take(peer, item)
        except LinkError as error:
            log.info("%s", error)
        except ProtocolError as error:
            log.warning("%s broke the protocol: %s", link, error)
            await link.close(error.sentence)
        except asyncio.CancelledError:
            await link.close(GOODBYE)  # before anything is freed that the other PC counts on
            raise
        finally:
            self._leave(peer)

    async def send(self, node: NodeId, message: Message) -> None:
        """Send over the control link. Raises LinkError where the PC is not present."""
        await self._link(node).send(message)

    async def send_frame(self, node: NodeId, data: bytes) -> None:
        """Send a frame over the control link. Raises LinkError where the PC is not present."""
        await self._link(node).send_frame(data)

    @property
    def links(self) -> tuple[LinkTime, ...]:
        """How far those are whose way was measured."""
        timings = {node: peer.timing for node, peer in self.present.items() if peer.timing.ms}
        return tuple(LinkTime(node, timing.ms, timing.bytes_per_s) for node, timing in timings.items())

    @property
    def whole(self) -> dict[NodeId, tuple[WholeModel, ...]]:
        """The models that are complete on those that lend."""
        return {node: peer.status.whole for node, peer in self.present.items() if peer.status.lends}

    def model_name(self, node: NodeId, model: ModelId) -> str:
        """What a PC that is present calls a model it runs; empty where that is not known."""
        peer = self.present.get(node)
        names = (running.name for running in peer.running if running.model == model) if peer else iter(())
        return next(names, "")

    async def tell_status(self) -> None:
        """Tell all PCs what this one lends now."""
        for node in list(self.present):
            with contextlib.suppress(LinkError):
                await self.send(node, self._status())

    def drop(self, node: NodeId) -> None:
        """The PC is none of this pool's any more: it is gone at once; pool/links.py closes the link."""
        peer = self.present.get(node)
        if peer is not None:
            self._leave(peer)

    async def close(self) -> None:
        """Say goodbye to all."""
        peers = list(self.present.values())
        await asyncio.gather(*(peer.link.close(GOODBYE) for peer in peers))
        await self._tasks.close()

    async def _first_word(self, link: Link) -> Message | Frame:
        try:
            async with asyncio.timeout(FIRST_WORD_S):
                return await anext(link)
        except StopAsyncIteration:
            raise LinkError(f"{link.peer} chose another link.") from None
        except TimeoutError:
            await link.close("Nothing was said.")
            raise LinkError(f"{link.peer} said nothing.") from None

    async def _register(self, peer: Peer) -> bool:
        """Make it the peer's one link, unless it has a better one."""
        link = peer.link
        node = link.peer.node
        older = self.present.get(node)
        same_run = older is not None and older.link.peer.instance == link.peer.instance
        if older is not None and same_run and self._loses(peer, older):
            await link.close("Another link to this PC is open already.")
            return False
        self.present[node] = peer
        if older is not None:
            if not same_run or peer.since - older.since > SETTLED_S:
                self._on_lost(node)  # whoever started anew, or lost the link, knows nothing of what was agreed
            self._tasks.start(older.link.close("A newer link to this PC is open."))
        log.info("%s is here", link.peer)
        self._on_met(link)
        self._on_change()
        return True

    def _loses(self, new: Peer, older: Peer) -> bool:
        if new.dialled_here == older.dialled_here:
            return new.dialled_here  # the other PC dials anew where it knows that the older one is dead
        return (self._own > new.link.peer.node) == new.dialled_here

    @contextlib.contextmanager
    def _watched(self, peer: Peer) -> Iterator[None]:
        """Heartbeats go out, and silence is noticed, for the length of the block."""
        tasks = [self._tasks.start(self._beat(peer)), self._tasks.start(self._notice_silence(peer))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()

    async def _beat(self, peer: Peer) -> None:
        with contextlib.suppress(LinkError):  # whoever reads from the link learns of its end
            while True:
                await asyncio.sleep(HEARTBEAT_S)
                beat = self._heartbeat()
                await peer.link.send(beat)
                idle = beat.phase == peer.heartbeat.phase == "idle"
                if idle and (ping := peer.timing.due()) is not None:
                    await peer.link.send(ping)
                if peer.timing.take_news():
                    self._tasks.start(self.tell_status())

    async def _notice_silence(self, peer: Peer) -> None:
        while peer.silent_ticks < GONE_TICKS:
            await asyncio.sleep(TICK_S)
            peer.silent_ticks += not peer.busy
            if peer.silent_ticks >= SUSPECT_TICKS and (peer.silent_ticks - SUSPECT_TICKS) % SHOWN_TICKS == 0:
                peer.suspect = True
                self._on_change()
        log.info("nothing is heard of %s", peer.link.peer)
        self._leave(peer)
        # In a task of its own: the end of the link ends this one.
        self._tasks.start(peer.link.close("Nothing was heard for too long."))

    async def _take(self, peer: Peer, item: Message | Frame) -> None:
        peer.silent_ticks = 0
        peer.patience.hear(item)
        changed, peer.suspect = peer.suspect, False
        if isinstance(item, Heartbeat):
            changed = changed or item != peer.heartbeat
            peer.heartbeat = item
        elif isinstance(item, NodeStatus):
            changed, peer.status = changed or item != peer.status, item
        elif isinstance(item, LinkPing):
            await peer.link.send(LinkPong(item.number))
        elif isinstance(item, LinkPong):
            peer.timing.answered(item.number)
        elif self.present.get(peer.link.peer.node) is peer:
            peer.busy = True
            await self._on_item(peer.link.peer.node, item)
            peer.busy = False
        if changed:
            self._on_change()

    def _leave(self, peer: Peer) -> None:
        node = peer.link.peer.node
        peer.gone.set()
        if self.present.get(node) is peer:
            del self.present[node]
            log.info("%s is gone", peer.link.peer)
            self._on_lost(node)
            self._on_change()

    def _link(self, node: NodeId) -> Link:
        peer = self.present.get(node)
        if peer is None:
            raise LinkError(f"The PC {node[:8]} is not here.")
        return peer.link
