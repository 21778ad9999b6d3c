"""A PC of the pool: listens, finds the others, hosts stages for whoever asks, and is the head of its own pipelines.

Start-up, in this order: listening port; discovery and typed addresses; a spare stage process, which also tells
what this PC can lend. Everything runs on one event loop and nothing here computes: that is for the stage processes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from idlepool.engine.events import Event, PoolChanged, Trouble
from idlepool.engine.models.store import ModelStore, cache_folder
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import (
    DeviceInfo,
    EndSequence,
    Message,
    Place,
    PrepareStage,
    ReleaseStage,
    Role,
    StageLeaving,
    StageLost,
    StageProgress,
    StageReady,
    StepTimes,
)
from idlepool.engine.net.question_messages import PeerAnswer, PeerAsk, PeerStop, RunningModel
from idlepool.engine.net.shown import shown
from idlepool.engine.net.standby_messages import StageAhead
from idlepool.engine.net.trust_messages import RosterNews
from idlepool.engine.pool.coalesced import Coalesced
from idlepool.engine.pool.heading import Heading, HeadingServices
from idlepool.engine.pool.lender import Lender, LenderServices
from idlepool.engine.pool.link_measuring import LinkMeasuring
from idlepool.engine.pool.link_test import serve_link_test
from idlepool.engine.pool.links import NO_SESSION, Links
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.pool.neighbourhood import Neighbourhood
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.pipeline import MAX_SENTENCE
from idlepool.engine.pool.pool_planning import Present, present_pcs
from idlepool.engine.pool.shelf import Shelf
from idlepool.engine.pool.spare import SpareStage
from idlepool.engine.pool.stage_services import StageServices
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.pool.this_pc import ThisPc
from idlepool.engine.trust_errors import HOW_TO_PAIR
from idlepool.engine.types import Address, NodeId, SequenceId, SessionId

log = logging.getLogger("idlepool.node")

SHOW_PAUSE_S = 0.1
"""Between two times that the window hears of the other PCs."""


class Node:
    """This PC. `emit` takes what the window should know."""

    def __init__(self, settings: NodeSettings, membership: Membership, *, emit: Callable[[Event], None]) -> None:
        self.settings = settings
        self.membership = membership
        self.id = membership.node
        self._emit = emit
        self._changed = asyncio.Condition()
        library = ModelStore(settings.library) if settings.library is not None else None
        store = ModelStore(settings.root)
        self.models = ModelFolders(
            self.id,
            store,
            library,
            connect=lambda place: self._connect(place, "model", NO_SESSION),
            members=lambda: [(pc.name, pc.place) for pc in self.present()],
            bytes_per_s=settings.model_bytes_per_s,
            shelf=Shelf(store, cap=lambda: self.lender.disk_bytes, in_use=lambda: self._hosting.in_use),
            on_held=self._tell_status,
        )
        self._spare = SpareStage(settings.name)
        cache = settings.cache or cache_folder(settings.root)
        self._this = ThisPc(settings, cache, self.models)
        self.links = Links(
            settings,
            membership,
            serve=self._serve,
            on_refused=lambda host, sentence: self.neighbourhood.turned_away(host, sentence),
        )
        self.neighbourhood = Neighbourhood(
            settings,
            membership,
            connect=lambda address, node: self.links.dial(address, "control", node=node),
            status=lambda: self.lender.told(self._this.status(self.pipelines.running, self._peers.links)),
            heartbeat=lambda: self._hosting.activity.heartbeat(self.pipelines.read),
            on_item=self._take,
            on_change=self._on_peers,
            on_lost=self._on_lost,
            on_trouble=lambda sentence: emit(Trouble(sentence)),
        )
        self._peers = self.neighbourhood.peers
        self._measuring = LinkMeasuring(
            self.id, self._peers.present, self.links.measure, idle=lambda: self._hosting.activity.idle
        )
        self._show_pool = Coalesced(lambda: emit(PoolChanged(self.neighbourhood.infos())), pause_s=SHOW_PAUSE_S)
        stages = StageServices(
            here=self.id,
            name=settings.name,
            threads=settings.threads,
            forbidden=settings.forbidden,
            cache=cache,
            spare=self._spare,
            tell=self._tell,
            deliver=self._deliver,
            bring=self.models.bring,
            connect=lambda place, session: self._connect(place, "activation", session),
            measured=self._on_measured,
        )
        self.lender = Lender(settings, LenderServices(stages, self.models, self._peers, emit, membership.name_of))
        self._hosting = self.lender.hosting
        self.heading = Heading(
            settings,
            HeadingServices(
                self.id,
                self.models,
                self.present,
                self._changed,
                self._tell,
                self._hosting.accept,
                emit=emit,
                running=self._running,
                whole=lambda: self._peers.whole,
                on_running=self._tell_status,
                name_of=membership.name_of,
            ),
        )
        self.pipelines = self.heading.pipelines
        self.tokenizers = self.heading.tokenizers
        self.joined = self.heading.joined
        self._tasks = TaskKeeper()
        membership.on_change(self._on_members)

    @property
    def devices(self) -> tuple[DeviceInfo, ...]:
        """What it lends, the best first; none until they are found."""
        return self._this.devices

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.links.port

    async def start(self) -> None:
        """Listen, look for others, and find out what this PC can lend.

        Raises:
            PortInUse: another program listens on the port.
        """
        await self.lender.start()
        await self.links.start()
        await self.neighbourhood.start(port=self.links.reached_at.port)
        self._tasks.start(self._find_devices())
        self._tasks.start(self.models.trim())
        self.heading.start()
        self._measuring.start()
        self._on_peers()

    def paired(self, node: NodeId, address: Address) -> None:
        """A PC became a member of the pool just now, and is reached there."""
        self.neighbourhood.paired(node, address)

    async def close(self) -> None:
        """Free everything that is hosted and say goodbye; nothing is left running."""
        await self._tasks.close()
        await self._measuring.close()
        await self.lender.stop()
        await self.heading.close()
        # Before the stages: who still counts on them learns first that this PC leaves.
        await self.neighbourhood.close()
        await self.lender.close()
        await self._spare.close()
        await self.links.close()
        self._show_pool.close()

    # --- who is here ---------------------------------------------------------------------------------------------

    def present(self) -> tuple[Present, ...]:
        """The PCs that lend, this one first, the others by name."""
        place = Place(self.id, self.links.reached_at.host, self.links.reached_at.port)
        here = self._this.present(place, self.membership.own_name, self._peers.links)
        return present_pcs(here, self._peers.present)

    async def _find_devices(self) -> None:
        await self._this.find_devices(self._spare, trouble=self._emit)
        await self._peers.tell_status()
        self._on_peers()

    def _on_peers(self) -> None:
        self.pipelines.doubt(frozenset(node for node, peer in self._peers.present.items() if peer.suspect))
        self.links.spread_news(peer.link for peer in self._peers.present.values())
        self._show_pool()
        self.lender.tell_guests()
        self.heading.on_peers()
        self._tasks.start(self._notify())

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _on_members(self) -> None:
        if self.membership.removed_by:
            by, self.membership.removed_by = self.membership.removed_by, ""
            self._emit(Trouble(f"{by} removed this PC from the pool.", HOW_TO_PAIR))
        self._on_peers()

    def _running(self) -> dict[NodeId, tuple[RunningModel, ...]]:
        """The models whose pipelines this PC and those present head."""
        others = {node: peer.running for node, peer in self._peers.present.items()}
        return {self.id: self.pipelines.running, **others}

    def _tell_status(self) -> None:
        self._tasks.start(self._peers.tell_status())

    def _on_measured(self, times: StepTimes) -> None:
        self._this.note(times)
        self._tasks.start(self._this.save())
        self._tell_status()

    def _on_lost(self, node: NodeId) -> None:
        self.heading.lose(node)
        self.lender.lose(node)

    # --- what comes in -------------------------------------------------------------------------------------------

    async def _serve(self, link: Link) -> None:
        """A link that another PC opened."""
        match link.role:
            case "control":
                await self.neighbourhood.adopt(link)
            case "model":
                await self.models.serve(link)
            case "activation":
                await self._hosting.serve(link)
            case "test":
                await serve_link_test(link)

    async def _take(self, node: NodeId, item: Message | Frame) -> None:
        """What came over a control link, or from this PC itself."""
        match item:
            case Frame():
                self.pipelines.deliver(node, item)
            case StageProgress() | StageReady() | StageLeaving() | StageLost():
                if self.pipelines.on_stage(node, item) and isinstance(item, StageReady) and item.notice:
                    self._emit(Trouble(f"{self.membership.name_of(node)}: {shown(item.notice, MAX_SENTENCE)}"))
            case PrepareStage() | ReleaseStage() | EndSequence() | StageAhead():
                await self._obey(node, item)
            case RosterNews(rosters=rosters):
                self.links.take_news(self.membership.name_of(node), rosters)
            case PeerAsk() | PeerStop():
                self.heading.guests.take(node, item)
            case PeerAnswer():
                self.joined.take(node, item)
            case _:
                log.warning("%s sent an unexpected %s", node[:8], type(item).__name__)

    async def _obey(self, head: NodeId, order: PrepareStage | ReleaseStage | EndSequence | StageAhead) -> None:
        """What a head wants of the stages here."""
        match order:
            case PrepareStage() if order.head.node == head:
                self.lender.prepare(order)
            case PrepareStage():
                log.warning("%s asked for a stage of somebody else's pipeline", head[:8])
            case ReleaseStage(session=session):
                self._hosting.release_for(head, SessionId(session))
            case EndSequence(session=session, sequence=sequence, keep=keep):
                await self._hosting.end_sequence(head, SessionId(session), SequenceId(sequence), keep)
            case StageAhead():
                self.lender.ahead.take(head, order)

    # --- what goes out -------------------------------------------------------------------------------------------

    async def _tell(self, node: NodeId, message: Message) -> None:
        self._hosting.activity.note(message)
        if node == self.id:
            await self._take(node, message)
        else:
            await self._peers.send(node, message)

    async def _deliver(self, head: NodeId, frame: Frame, data: bytes) -> None:
        if head == self.id:
            self.pipelines.deliver(self.id, frame)
        else:
            await self._peers.send_frame(head, data)

    async def _connect(self, place: Place, role: Role, session: SessionId) -> Link:
        """Open a link to a node, by the address it is known here under before the one somebody else knows."""
        known = self._peers.present.get(NodeId(place.node))
        address = known.link.peer.address if known else Address(place.host, place.port)
        return await self.links.dial(address, role, session, node=NodeId(place.node))
