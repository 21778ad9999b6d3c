"""`idlepool peers`: for each PC of the pool how it is reached, how well, and what stops it.

Starts what a node looks for others with, for a few seconds: nothing is lent and nothing computed.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

import msgspec

from idlepool.app.terminal_chat import say, write
from idlepool.engine.build import BUILD
from idlepool.engine.errors import LinkError
from idlepool.engine.events import FoundBy, PeerInfo
from idlepool.engine.models.store import default_root
from idlepool.engine.net.addresses import parse_address
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.key_store import SystemKeyStore
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Message, NodeStatus
from idlepool.engine.net.presence_messages import Heartbeat
from idlepool.engine.net.trust_messages import RosterNews
from idlepool.engine.pool.folder_lock import folder_lock
from idlepool.engine.pool.link_test import LinkFigures, measure_link, serve_link_test
from idlepool.engine.pool.links import Links
from idlepool.engine.pool.membership import Membership, load_membership
from idlepool.engine.pool.neighbourhood import Neighbourhood
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.types import NodeId

LOOPBACK = ("127.0.0.1", "::1", "localhost")

STRANGERS_S = 1.5
"""What announcements of others get to come in, also where all members are met sooner."""

FOUND: dict[FoundBy, str] = {
    "": "",
    "called": "it called this PC",
    "typed": "at the address that was typed",
    "announced": "by its announcement in the network",
    "last address": "where it was last",
}


def run(arguments: argparse.Namespace) -> int:
    """Look, tell what was found, and return the exit code: 1 where a PC of the pool is not reached."""
    root: Path = (arguments.home or default_root()).absolute()
    with folder_lock(root):
        keys = SystemKeyStore(root)
        membership = load_membership(root, arguments.name, keys)
        if keys.notice:
            say(keys.notice)
        found = asyncio.run(_look(_settings(arguments, root), membership, seconds=arguments.seconds))
    if arguments.json:
        write(msgspec.json.encode([_facts(info, figures) for info, figures in found]).decode() + "\n")
    else:
        write("\n".join(_described(info, figures) for info, figures in found) + "\n")
        if len(membership.roster.members) == 1:
            say("This PC shares its pool with no other one yet. Pair them: idlepool pair")
    members = {member.node for member in membership.roster.members}
    return 0 if all(info.present for info, _ in found if info.node in members) else 1


def _settings(arguments: argparse.Namespace, root: Path) -> NodeSettings:
    return NodeSettings(
        arguments.name,
        root,
        host=arguments.listen,
        peers=tuple(map(parse_address, arguments.peer)),
        interfaces=("127.0.0.1",) if arguments.listen in LOOPBACK else None,
    )


async def _look(
    settings: NodeSettings, membership: Membership, *, seconds: float
) -> list[tuple[PeerInfo, LinkFigures | None]]:
    visit = _Visit(settings, membership)
    try:
        await visit.start()
        await visit.wait(seconds)
        # One after another: they may share a cable.
        return [(info, await visit.measure(info)) for info in visit.neighbourhood.infos()]
    finally:
        await visit.close()


class _Visit:
    """The part of a node that meets others."""

    def __init__(self, settings: NodeSettings, membership: Membership) -> None:
        self._membership = membership
        self._changed = asyncio.Event()
        self._links = Links(
            settings,
            membership,
            serve=self._serve,
            on_refused=lambda host, sentence: self.neighbourhood.turned_away(host, sentence),
        )
        self.neighbourhood = Neighbourhood(
            settings,
            membership,
            connect=lambda address, node: self._links.dial(address, "control", node=node),
            status=lambda: NodeStatus(()),
            heartbeat=Heartbeat,
            on_item=self._take,
            on_change=self._on_change,
            on_lost=lambda node: None,
            on_trouble=say,
        )

    async def start(self) -> None:
        await self._links.start()
        await self.neighbourhood.start(port=self._links.port)

    async def wait(self, seconds: float) -> None:
        """Until all members are here and the announcements of others had their time, or for so long."""
        started = time.monotonic()
        while (left := started + seconds - time.monotonic()) > 0:
            complete = all(member.node in self._here for member in self._membership.roster.members)
            if complete and time.monotonic() - started >= min(STRANGERS_S, seconds):
                return
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), min(left, STRANGERS_S) if complete else left)
            except TimeoutError:
                continue

    async def measure(self, info: PeerInfo) -> LinkFigures | None:
        """The figures of the connection to a PC that is present."""
        peer = self.neighbourhood.peers.present.get(NodeId(info.node))
        if peer is None:
            return None
        try:
            link = await self._links.dial(peer.link.peer.address, "test", node=NodeId(info.node))
            try:
                return await measure_link(link)
            finally:
                await link.close("The test is over.")
        except LinkError as error:
            say(str(error))
            return None

    async def close(self) -> None:
        await self.neighbourhood.close()
        await self._links.close()

    @property
    def _here(self) -> set[str]:
        return {self._membership.node, *self.neighbourhood.peers.present}

    async def _serve(self, link: Link) -> None:
        match link.role:
            case "control":
                await self.neighbourhood.adopt(link)
            case "test":
                await serve_link_test(link)
            case _:
                await link.close("Only idlepool peers runs here.")

    async def _take(self, node: NodeId, item: Message | Frame) -> None:
        if isinstance(item, RosterNews):
            self._links.take_news(self._membership.name_of(node), item.rosters)

    def _on_change(self) -> None:
        self._links.spread_news(peer.link for peer in self.neighbourhood.peers.present.values())
        self._changed.set()


def _facts(info: PeerInfo, figures: LinkFigures | None) -> dict[str, object]:
    measured = figures or LinkFigures(0, 0, 0)
    return {
        "node": info.node,
        "name": info.name,
        "this_pc": info.here,
        "state": info.state,
        "reason": info.reason,
        "found": info.found,
        "address": info.address,
        "build": BUILD if info.here else info.build,
        "does": info.phase,
        "round_trip_ms": round(measured.round_trip_ms, 3),
        "receives_mb_s": round(measured.receives_bytes_s / 1e6, 1),
        "sends_mb_s": round(measured.sends_bytes_s / 1e6, 1),
    }


def _described(info: PeerInfo, figures: LinkFigures | None) -> str:
    if info.here:
        return f"{info.name}  this PC\n  version {BUILD}"
    lines = [f"{info.name}  {info.state}"]
    if info.present:
        lines.append(f"  {info.address}, found {FOUND[info.found]}, version {info.build or 'unknown'}, {info.phase}")
    elif info.address and info.address != info.name:
        lines.append(f"  {info.address}")
    if figures is not None:
        lines.append(
            f"  round trip {figures.round_trip_ms:.2f} ms, receives {figures.receives_bytes_s / 1e6:.1f} MB/s,"
            f" sends {figures.sends_bytes_s / 1e6:.1f} MB/s"
        )
    if info.reason:
        lines.append(f"  {info.reason}")
    return "\n".join(lines)
