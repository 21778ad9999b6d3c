"""`idlepool plan`: which PCs of the pool would run a model, which layers each, how fast, and why not the others.

Looks who is there like `idlepool peers`, for a few seconds, or asks the node that runs on this PC: nothing is lent,
loaded or fetched.
"""

from __future__ import annotations

import argparse
import asyncio

import msgspec
import openvino as ov

from idlepool.app.event_lines import Speaker, next_of
from idlepool.app.looking import look_around
from idlepool.app.own_pool import data_folder, measured, own_pool, visitor_settings
from idlepool.app.running_node import running_node
from idlepool.app.terminal_chat import say, write
from idlepool.engine.backends.device import find_devices
from idlepool.engine.commands import WantPlanningFacts
from idlepool.engine.errors import NoRoom
from idlepool.engine.local_events import PlanningFacts
from idlepool.engine.models.store import ModelStore, cache_folder, default_root
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import DeviceInfo, Place
from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.pool.absent import Absent, absent
from idlepool.engine.pool.lent_devices import lent_devices
from idlepool.engine.pool.membership import Membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.plan_choice import PlanChoice
from idlepool.engine.pool.plan_task import promise_of
from idlepool.engine.pool.planner import PoolPlan, Task
from idlepool.engine.pool.pool_planning import Present, common_precision, plan_for, present_pcs, ran_before
from idlepool.engine.pool.profiles import Profiles
from idlepool.engine.pool.visitor import Visitor
from idlepool.engine.types import NodeId, Span

SEVERAL = 4
"""Users that are planned for where many are to be served."""


def run(arguments: argparse.Namespace) -> int:
    """Look, plan, tell, and return the exit code."""
    model = ModelStore((arguments.home or default_root()).absolute()).get(arguments.model)
    seen, absent = _seen(arguments)
    plan, task, measured = _planned(arguments, model, seen)
    if arguments.json:
        facts = _facts(plan, task, measured) | {"model": model.name}
        facts["left_out"] = [{"name": name, "reason": reason} for name, reason in (*plan.left_out, *absent)]
        write(msgspec.json.encode(facts).decode() + "\n")
    else:
        write("\n".join(_described(plan, task, measured, absent)) + "\n")
    return 0


def _seen(arguments: argparse.Namespace) -> tuple[tuple[Present, ...], Absent]:
    """This PC and the others of the pool that are here and lend."""
    node = running_node(data_folder(arguments))
    if node is not None:
        with node:
            return _seen_by_node(arguments, node)
    with own_pool(arguments) as (root, membership):
        return asyncio.run(_look(visitor_settings(arguments, root), membership, seconds=arguments.seconds))


def _seen_by_node(arguments: argparse.Namespace, node: Speaker) -> tuple[tuple[Present, ...], Absent]:
    infos, _ = look_around(node, arguments.seconds, addresses=arguments.peer)
    node.send(WantPlanningFacts())
    present = msgspec.json.decode(next_of(node, PlanningFacts).present, type=tuple[Present, ...])
    if not present or present[0].node != infos[0].node:
        raise NoRoom(
            "The Idlepool that runs here knows of no device that can run layers, or not yet.",
            "Try it again in a moment; idlepool devices tells more.",
        )
    return present, absent(infos, {pc.node for pc in present})


async def _look(
    settings: NodeSettings, membership: Membership, *, seconds: float
) -> tuple[tuple[Present, ...], Absent]:
    """This PC and the others of the pool that are here and lend."""
    visitor = Visitor(settings, membership, on_trouble=say)
    try:
        await visitor.start()
        devices = await asyncio.to_thread(_devices, settings)
        await visitor.look(seconds)
        peers = dict(visitor.neighbourhood.peers.present)
        links = [link for node, peer in peers.items() if peer.devices for link in await _links_to(visitor, node)]
        times = Profiles(cache_folder(settings.root)).times
        here = Present(Place(membership.node, "", 0), membership.own_name, devices, times, links=tuple(links))
        present = present_pcs(here, peers)
        return present, absent(visitor.neighbourhood.infos(), {pc.node for pc in present})
    finally:
        await visitor.close()


def _devices(settings: NodeSettings) -> tuple[DeviceInfo, ...]:
    found = [DeviceInfo(d.name, d.precision, d.usable_bytes, d.kind) for d in find_devices(ov.Core())]
    devices, _ = lent_devices(found, asked=settings.device, forbidden=settings.forbidden)
    if not devices:
        raise NoRoom("No device of this PC can run layers.", "idlepool devices tells why.")
    return devices


async def _links_to(visitor: Visitor, node: NodeId) -> list[LinkTime]:
    figures = await measured(visitor, node)
    if figures is None:
        return []
    return [LinkTime(node, figures.round_trip_ms / 2, min(figures.receives_bytes_s, figures.sends_bytes_s))]


def _planned(
    arguments: argparse.Namespace, model: StoredModel, present: tuple[Present, ...]
) -> tuple[PoolPlan, Task, bool]:
    """The plan, what it was made for, and whether all its PCs were measured with the model."""
    spans = tuple(Span(first, last) for first, last in arguments.spans)
    choice = PlanChoice(arguments.pcs or tuple(pc.name for pc in present[: len(spans)]), spans)
    users = arguments.users or (SEVERAL if arguments.goal == "throughput" else 1)
    wire = common_precision(pc.device for pc in choice.of(present))
    task = Task(model.manifest, promise_of(model, wire, context=arguments.context, users=users), arguments.goal)
    plan = plan_for(task, model, present, here=present[0].node, choice=choice)
    return plan, task, ran_before(plan, model, present)


def _facts(plan: PoolPlan, task: Task, measured: bool) -> dict[str, object]:
    return {
        "for": task.goal,
        "context": task.promise.context,
        "users": task.promise.users,
        "measured": measured,
        "tokens_per_second": round(plan.tokens_per_second, 2),
        "round_ms": round(plan.round_ms, 3),
        "slowest_ms": round(plan.slowest_ms, 3),
        "prompt_tokens_per_second": round(plan.prompt_tokens_per_second, 1),
        "spare_users": plan.spare_users,
        "stages": [
            {
                "node": stage.node,
                "name": stage.name,
                "first": stage.span.first,
                "last": stage.span.last,
                "device": stage.device,
                "backend": stage.backend,
                "step_ms": round(stage.step_ms, 3),
                "memory_bytes": stage.memory_bytes,
                "spare_bytes": stage.spare_bytes,
                "fetch_bytes": stage.fetch_bytes,
            }
            for stage in plan.stages
        ],
    }


def _described(plan: PoolPlan, task: Task, measured: bool, absent: Absent) -> list[str]:
    users = f" for {task.promise.users} users together" if task.promise.users > 1 else ""
    guessed = "" if measured else ", guessed from the size of the layers: not all of these PCs ran this model yet"
    lines = [f"{plan.tokens_per_second:.1f} tokens/s{users}, {plan.prompt_tokens_per_second:.0f} of a prompt{guessed}"]
    lines += [
        f"  {stage.name}, {stage.device}: layers {stage.span.first} to {stage.span.last - 1}, {stage.step_ms:.1f} ms"
        f" a step, {stage.memory_bytes / 1e9:.1f} GB, {stage.spare_bytes / 1e9:.1f} GB to spare"
        for stage in plan.stages
    ]
    lines.append(f"  room for {plan.spare_users} users more, with conversations of {task.promise.context} tokens")
    lines += [f"  without {name}: {reason}" for name, reason in (*plan.left_out, *absent)]
    return lines
