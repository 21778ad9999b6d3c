"""All that a node knows of the other PCs: who is present, who is looked for, and who else was seen.

Discovery, the addresses known from before and the typed ones feed the Seeker; the links it makes, and those that come
in, are kept by Peers. The roster decides who is looked for and what everybody is called.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from idlepool.engine.errors import LinkError, OtherVersion, PeerRefused
from idlepool.engine.events import ModelInfo, PeerInfo, PeerState
from idlepool.engine.net.addresses import seen_address
from idlepool.engine.net.discovery import Discovery, NodeHint, short_id
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.interfaces import network_changes, own_addresses
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import PROTOCOL_VERSION, Message, NodeStatus
from idlepool.engine.net.presence_messages import Heartbeat
from idlepool.engine.net.shown import MAX_NAME, shown
from idlepool.engine.pool.known_addresses import KnownAddresses
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.peers import Peer, Peers
from idlepool.engine.pool.seeking import Connect, Seeker, Sought
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.trust_errors import NotPaired, RemovedFromPool
from idlepool.engine.types import Address, NodeId

FALLBACK_S = 3.0
"""What discovery gets before the fallback addresses are tried; on a network that allows it, it needs a tenth of it."""

SILENT = "Nothing was heard of it for {seconds:.0f} s."
NOWHERE = "It is not announced in this network, and no address is known at which it answered before."
UNVERIFIED = "It is not paired with this PC."

MAX_TURNED_AWAY = 8

STRANGERS_S = 1.5
"""What announcements of others get to come in for somebody who looks, also where all members are met sooner."""


class Neighbourhood:
    """The other PCs, from `start` to `close`. `connect` opens control links; the callbacks are those of Peers."""

    def __init__(
        self,
        settings: NodeSettings,
        membership: Membership,
        *,
        connect: Connect,
        status: Callable[[], NodeStatus],
        heartbeat: Callable[[], Heartbeat],
        on_item: Callable[[NodeId, Message | Frame], Awaitable[None]],
        on_change: Callable[[], None],
        on_lost: Callable[[NodeId], None],
        on_trouble: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._membership = membership
        self._known = KnownAddresses(settings.root)
        self._on_trouble = on_trouble
        self._on_change = on_change
        self._changed = asyncio.Event()
        self._looks_since = time.monotonic()
        """When there was last somebody new to look for."""
        self.peers = Peers(
            membership.node,
            status=status,
            heartbeat=heartbeat,
            on_item=on_item,
            on_met=lambda link: self._seeker.met(link),
            on_change=self._change,
            on_lost=on_lost,
        )
        self._seeker = Seeker(
            self.peers,
            membership.node,
            members=lambda: [NodeId(member.node) for member in membership.roster.members],
            connect=connect,
            known=self._known,
            on_change=self._change,
        )
        membership.on_change(self._on_members)
        self._turned_away: dict[str, str] = {}
        self._discovery: Discovery | None = None
        self._tasks = TaskKeeper()

    async def start(self, *, port: int) -> None:
        """Look for everybody, and announce this PC, which listens on `port`."""
        settings, seeker = self._settings, self._seeker
        self._looks_since = time.monotonic()
        seeker.port = port
        await self._known.load()
        seeker.network_changed(await asyncio.to_thread(own_addresses))
        seeker.look_again()
        for address in settings.peers:
            seeker.type_in(address)
        for address in settings.fallback_peers:
            seeker.type_in(address, wait_s=FALLBACK_S)
        self._discovery = Discovery(
            self._membership.node,
            port,
            on_seen=seeker.hint,
            on_gone=seeker.forget,
            on_trouble=self._on_trouble,
            listens=settings.host,
            interfaces=settings.interfaces,
        )
        await self._discovery.start()
        self._tasks.start(self._watch_network(self._discovery))

    async def adopt(self, link: Link) -> None:
        """Keep a control link that came in for as long as it lives."""
        await self.peers.adopt(link, found="called")

    def type_in(self, address: Address) -> None:
        """A PC is said to be there."""
        self._looks_since = time.monotonic()
        self._seeker.type_in(address)

    async def look(self, seconds: float) -> None:
        """Wait until all members are here and the announcements of others had their time.

        At most until everybody was looked for so long.
        """
        while (elapsed := time.monotonic() - self._looks_since) < seconds:
            enough = min(STRANGERS_S, seconds) if self._complete() else seconds
            if elapsed >= enough:
                return
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), enough - elapsed)
            except TimeoutError:
                return

    def paired(self, node: NodeId, address: Address) -> None:
        """A PC became a member just now, and is reached there."""
        self._seeker.paired(node, address)

    def turned_away(self, host: str, sentence: str) -> None:
        """Somebody called from there who was not let in, for that reason."""
        host = seen_address((host,), port=0).host
        known = self._turned_away.pop(host, None)
        self._turned_away[host] = sentence
        if len(self._turned_away) > MAX_TURNED_AWAY:
            del self._turned_away[next(iter(self._turned_away))]
        if known != sentence:
            self._change()

    def infos(self) -> tuple[PeerInfo, ...]:
        """This PC, the members by name, and then what else was seen."""
        membership, present, hints = self._membership, self.peers.present, self._seeker.hints
        here = PeerInfo(membership.node, membership.own_name, here=True, present=True)
        members = [
            _member_info(node, membership.name_of(node), sought, present.get(node), hints.get(short_id(node)))
            for node, sought in self._seeker.members.items()
        ]
        reached = {peer.link.peer.address for peer in present.values()}
        typed = [
            _typed_info(address, sought.problem)
            for address, sought in self._seeker.typed.items()
            if sought.problem and address not in reached and not membership.is_member(sought.met or "")
        ]
        known = {short_id(NodeId(member.node)) for member in membership.roster.members}
        strangers = [_stranger_info(hint) for key, hint in hints.items() if key not in known]
        hosts = {address.host for address in reached}
        callers = [_caller_info(host, why) for host, why in self._turned_away.items() if host not in hosts]
        return (here, *sorted(members, key=lambda info: (info.name, info.node)), *typed, *strangers, *callers)

    async def close(self) -> None:
        """Look for nobody any more, and say goodbye to all."""
        await self._tasks.close()
        if self._discovery is not None:
            await self._discovery.close()
        await self._seeker.close()
        await self.peers.close()

    def _complete(self) -> bool:
        here = {self._membership.node, *self.peers.present}
        return all(member.node in here for member in self._membership.roster.members)

    def _change(self) -> None:
        self._changed.set()
        self._on_change()

    def _on_members(self) -> None:
        self._looks_since = time.monotonic()
        self._turned_away.clear()  # whoever was no member may be one now
        self._seeker.look_again()

    async def _watch_network(self, discovery: Discovery) -> None:
        async for change in network_changes():
            self._seeker.network_changed(change.addresses)
            await discovery.refresh(change.addresses)


def _member_info(node: NodeId, name: str, sought: Sought, peer: Peer | None, hint: NodeHint | None) -> PeerInfo:
    if peer is None:
        state, problem = _state_of(sought.problem), sought.problem
        if state == "refused" and hint is not None and hint.version != PROTOCOL_VERSION:
            state = "other version"
        reason, advice = (problem.sentence, problem.hint) if problem else (NOWHERE, "")
        return PeerInfo(node, name, here=False, present=False, state=state, reason=reason, hint=advice)
    return PeerInfo(
        node,
        name,
        here=False,
        present=True,
        state="suspect" if peer.suspect else "present",
        reason=SILENT.format(seconds=peer.silent_s) if peer.suspect else "",
        found=peer.found,
        address=str(peer.link.peer.address),
        build=peer.link.peer.build,
        phase=peer.heartbeat.phase,
        done=peer.heartbeat.done,
        total=peer.heartbeat.total,
        running=tuple(shown(model.name, MAX_NAME) for model in peer.running),
        whole=tuple(
            ModelInfo(shown(model.name, MAX_NAME), model.layers, model.context, model.bytes)
            for model in peer.status.whole
        ),
        lends=peer.status.lends,
        lends_reason=shown(peer.status.reason, MAX_NAME),
    )


def _typed_info(address: Address, problem: LinkError) -> PeerInfo:
    where = str(address)
    return PeerInfo(
        "",
        where,
        here=False,
        present=False,
        state=_state_of(problem),
        reason=problem.sentence,
        found="typed",
        address=where,
        hint=problem.hint,
    )


def _stranger_info(hint: NodeHint) -> PeerInfo:
    return PeerInfo(
        hint.short_id,
        hint.short_id[:8],
        here=False,
        present=False,
        state="unverified",
        reason=UNVERIFIED,
        found="announced",
        address=str(hint.addresses[0]),
    )


def _caller_info(host: str, sentence: str) -> PeerInfo:
    return PeerInfo("", host, here=False, present=False, state="refused", reason=sentence, found="called", address=host)


def _state_of(problem: LinkError | None) -> PeerState:
    match problem:
        case None:
            return "looking"
        case RemovedFromPool():
            return "removed"
        case NotPaired():
            return "unpaired"
        case OtherVersion():
            return "other version"
        case PeerRefused():
            return "refused"
    return "unreachable"
