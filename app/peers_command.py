"""`idlepool peers`: for each PC of the pool how it is reached, how well, and what stops it.

A node that runs on this PC is asked. Where there is none, this starts what a node looks for others with, for a few
seconds: nothing is lent and nothing computed.
"""

from __future__ import annotations

import argparse
import asyncio

import msgspec

from idlepool.app.event_lines import Speaker, next_of
from idlepool.app.looking import look_around
from idlepool.app.own_pool import data_folder, measured, own_pool, visitor_settings
from idlepool.app.running_node import running_node
from idlepool.app.terminal_chat import say, write
from idlepool.engine.build import BUILD
from idlepool.engine.events import FoundBy, PeerInfo
from idlepool.engine.pairing_events import MembersChanged
from idlepool.engine.pool.link_test import LinkFigures
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.visitor import Visitor
from idlepool.engine.types import NodeId

Found = tuple[PeerInfo, LinkFigures | None]

FOUND: dict[FoundBy, str] = {
    "": "",
    "called": "it called this PC",
    "typed": "the address that was typed",
    "announced": "announced in the network",
    "last address": "where it was last",
}


def run(arguments: argparse.Namespace) -> int:
    """Look, tell what was found, and return the exit code: 1 where a PC of the pool is not reached."""
    found, members = _looked(arguments)
    if arguments.json:
        write(msgspec.json.encode([_facts(info, figures) for info, figures in found]).decode() + "\n")
    else:
        write("\n".join(_described(info, figures) for info, figures in found) + "\n")
        if len(members) == 1:
            say("This PC shares its pool with no other one yet. Pair them: idlepool pair")
    return 0 if all(info.present for info, _ in found if info.node in members) else 1


def _looked(arguments: argparse.Namespace) -> tuple[list[Found], set[str]]:
    """Who was found, and the ids of the pool's members."""
    node = running_node(data_folder(arguments))
    if node is not None:
        with node:
            members = next_of(node, MembersChanged).members
            return _look_by_node(arguments, node), {member.node for member in members}
    with own_pool(arguments) as (root, membership):
        found = asyncio.run(_look(visitor_settings(arguments, root), membership, seconds=arguments.seconds))
    return found, {member.node for member in membership.roster.members}


def _look_by_node(arguments: argparse.Namespace, node: Speaker) -> list[Found]:
    peers, seen = look_around(node, arguments.seconds, measure=True, addresses=arguments.peer)
    for problem in seen.problems:
        say(problem)
    figures = {
        link.node: LinkFigures(link.round_trip_ms, link.receives_bytes_s, link.sends_bytes_s) for link in seen.links
    }
    return [(info, figures.get(info.node)) for info in peers]


async def _look(settings: NodeSettings, membership: Membership, *, seconds: float) -> list[Found]:
    visitor = Visitor(settings, membership, on_trouble=say)
    try:
        await visitor.start()
        await visitor.look(seconds)
        # One after another: they may share a cable.
        return [(info, await measured(visitor, NodeId(info.node))) for info in visitor.neighbourhood.infos()]
    finally:
        await visitor.close()


def _facts(info: PeerInfo, figures: LinkFigures | None) -> dict[str, object]:
    measured = (
        {
            "round_trip_ms": round(figures.round_trip_ms, 3),
            "receives_mb_s": round(figures.receives_bytes_s / 1e6, 1),
            "sends_mb_s": round(figures.sends_bytes_s / 1e6, 1),
        }
        if figures
        else {}
    )
    return {
        "node": info.node,
        "name": info.name,
        "this_pc": info.here,
        "state": info.state,
        "reason": info.reason,
        "hint": info.hint,
        "found": info.found,
        "address": info.address,
        "build": BUILD if info.here else info.build,
        "does": info.phase,
        "lends": info.lends,
        "lends_reason": info.lends_reason,
    } | measured


def _described(info: PeerInfo, figures: LinkFigures | None) -> str:
    if info.here:
        return f"{info.name}  this PC\n  version {BUILD}"
    lines = [f"{info.name}  {info.state}"]
    if info.present:
        lines.append(f"  {info.address} ({FOUND[info.found]}), version {info.build or 'unknown'}, {info.phase}")
    elif info.address and info.address != info.name:
        lines.append(f"  {info.address}")
        if not info.lends:
            lines.append(f"  does not lend: {info.lends_reason}")
    if figures is not None:
        lines.append(
            f"  round trip {figures.round_trip_ms:.2f} ms, receives {figures.receives_bytes_s / 1e6:.1f} MB/s,"
            f" sends {figures.sends_bytes_s / 1e6:.1f} MB/s"
        )
    if info.reason:
        lines.append(f"  {info.reason} {info.hint}".rstrip())
    return "\n".join(lines)
