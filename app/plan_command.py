"""`idlepool plan`: which PCs of the pool would run a model, which layers each, how fast, and why not the others.

Looks who is there like `idlepool peers`, for a few seconds: nothing is lent, loaded or fetched.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass

import msgspec
import numpy as np
import openvino as ov

from idlepool.app.own_pool import measured, own_pool, visitor_settings
from idlepool.app.terminal_chat import say, write
from idlepool.engine.backends.device import find_devices
from idlepool.engine.errors import NoRoom
from idlepool.engine.events import PeerInfo
from idlepool.engine.models.store import ModelStore, cache_folder, default_root
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import DeviceInfo, StepTimes
from idlepool.engine.pool.lent_devices import lent_devices
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.plan_costs import LINK_MS
from idlepool.engine.pool.plan_search import Matrix
from idlepool.engine.pool.plan_task import pc_of, promise_of
from idlepool.engine.pool.planner import PoolPlan, Task, plan_as_told, plan_pool
from idlepool.engine.pool.pool_planning import common_precision
from idlepool.engine.pool.profiles import Profiles
from idlepool.engine.pool.visitor import Visitor
from idlepool.engine.types import NodeId, Span

SEVERAL = 4
"""Users that are planned for where many are to be served."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A PC that is here: what it lends, how fast it was, and half a round trip to it."""

    node: NodeId
    name: str
    device: DeviceInfo
    times: tuple[StepTimes, ...]
    link_ms: float = 0.0


Absent = tuple[tuple[str, str], ...]
"""Names of PCs that are not here, and why."""


def run(arguments: argparse.Namespace) -> int:
    """Look, plan, tell, and return the exit code."""
    model = ModelStore((arguments.home or default_root()).absolute()).get(arguments.model)
    with own_pool(arguments) as (root, membership):
        seen, absent = asyncio.run(_look(visitor_settings(arguments, root), membership, seconds=arguments.seconds))
    plan, task, measured = _planned(arguments, model, seen)
    if arguments.json:
        facts = _facts(plan, task, measured) | {"model": model.name}
        facts["left_out"] = [{"name": name, "reason": reason} for name, reason in (*plan.left_out, *absent)]
        write(msgspec.json.encode(facts).decode() + "\n")
    else:
        write("\n".join(_described(plan, task, measured, absent)) + "\n")
    return 0


async def _look(settings: NodeSettings, membership: Membership, *, seconds: float) -> tuple[list[_Seen], Absent]:
    """This PC and the others of the pool that are here and lend."""
    visitor = Visitor(settings, membership, on_trouble=say)
    try:
        await visitor.start()
        here = await asyncio.to_thread(_here, settings, membership)
        await visitor.look(seconds)
        others = [
            _Seen(node, peer.link.peer.name, peer.devices[0], peer.times, await _link_ms(visitor, node))
            for node, peer in list(visitor.neighbourhood.peers.present.items())
            if peer.devices
        ]
        known = {pc.node for pc in (here, *others)}
        infos = [
            info for info in visitor.neighbourhood.infos() if info.node not in known and info.state != "unverified"
        ]
        absent = tuple((info.name, _why_absent(info)) for info in infos)
        return [here, *sorted(others, key=lambda pc: pc.name)], absent
    finally:
        await visitor.close()


def _why_absent(info: PeerInfo) -> str:
    if info.present:
        return "It lends nothing at the moment."
    return f"{info.reason} {info.hint}".strip() or "It is not here."


def _here(settings: NodeSettings, membership: Membership) -> _Seen:
    found = [DeviceInfo(d.name, d.precision, d.usable_bytes, d.kind) for d in find_devices(ov.Core())]
    devices, _ = lent_devices(found, asked=settings.device, forbidden=settings.forbidden)
    if not devices:
        raise NoRoom("No device of this PC can run layers.", "idlepool devices tells why.")
    return _Seen(membership.node, membership.own_name, devices[0], Profiles(cache_folder(settings.root)).times)


async def _link_ms(visitor: Visitor, node: NodeId) -> float:
    figures = await measured(visitor, node)
    return figures.round_trip_ms / 2 if figures is not None else LINK_MS


def _planned(arguments: argparse.Namespace, model: StoredModel, seen: list[_Seen]) -> tuple[PoolPlan, Task, bool]:
    """The plan, what it was made for, and whether all its PCs were measured with the model."""
    spans = [Span(first, last) for first, last in arguments.spans] or None
    chosen = _chosen(seen, arguments.pcs, len(spans) if spans else 0)
    users = arguments.users or (SEVERAL if arguments.goal == "throughput" else 1)
    wire = common_precision([pc.device for pc in chosen])
    promise = promise_of(model, wire, context=arguments.context, users=users)
    task = Task(model.manifest, promise, arguments.goal)
    pcs = [pc_of(model, pc.node, pc.name, device=pc.device, told=pc.times, here=pc is seen[0]) for pc in chosen]
    links = _links(chosen)
    told = arguments.pcs or spans
    plan = plan_as_told(task, pcs, links, spans=spans) if told else plan_pool(task, pcs, links)
    measured = {pc.node for pc in pcs if pc.times is not None}
    return plan, task, all(stage.node in measured for stage in plan.stages)


def _chosen(seen: list[_Seen], names: tuple[str, ...], spans: int) -> list[_Seen]:
    """The PCs that may be used: those named, in that order; for chosen spans as many as there are of them."""
    if not names:
        return seen[:spans] if spans else seen
    by_name = {pc.name.casefold(): pc for pc in seen}
    for name in names:
        if name.casefold() not in by_name:
            raise NoRoom(f"{name} is not here.", f"These PCs are: {', '.join(pc.name for pc in seen)}.")
    chosen = [by_name[name.casefold()] for name in names]
    if chosen[0] is not seen[0] or len(set(map(id, chosen))) < len(chosen):
        raise NoRoom(
            f"The plan begins with this PC, {seen[0].name}, and each PC is in it once.",
            "No text leaves the PC where it was typed before the first layer.",
        )
    return chosen


def _links(seen: list[_Seen]) -> Matrix:
    """Between two others the longer of their ways to this PC: they are not asked to measure it."""
    ways = np.array([pc.link_ms for pc in seen])
    return np.asarray(np.maximum(ways[:, None], ways[None, :]), np.float64)


def _facts(plan: PoolPlan, task: Task, measured: bool) -> dict[str, object]:
    return {
        "for": task.goal,
        "context": task.promise.context,
        "users": task.promise.users,
        "measured": measured,
        "tokens_per_second": round(plan.tokens_per_second, 2),
        "round_ms": round(plan.round_ms, 3),
        "slowest_ms": round(plan.slowest_ms, 3),
        "stages": [
            {
                "node": stage.node,
                "name": stage.name,
                "first": stage.span.first,
                "last": stage.span.last,
                "step_ms": round(stage.step_ms, 3),
                "memory_bytes": stage.memory_bytes,
                "fetch_bytes": stage.fetch_bytes,
            }
            for stage in plan.stages
        ],
    }


def _described(plan: PoolPlan, task: Task, measured: bool, absent: Absent) -> list[str]:
    users = f" for {task.promise.users} users together" if task.promise.users > 1 else ""
    guessed = "" if measured else ", guessed from the size of the layers: not all of these PCs ran this model yet"
    lines = [f"{plan.tokens_per_second:.1f} tokens/s{users}{guessed}"]
    lines += [
        f"  {stage.name}: layers {stage.span.first} to {stage.span.last - 1}, {stage.step_ms:.1f} ms a step,"
        f" {stage.memory_bytes / 1e9:.1f} GB"
        for stage in plan.stages
    ]
    lines += [f"  without {name}: {reason}" for name, reason in (*plan.left_out, *absent)]
    return lines
