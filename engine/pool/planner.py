"""Which PCs run a model, in which order, and which layers each: the fastest that fits, and how fast that will be.

The first PC is the one that asks, so that no token leaves it before the first layer. `latency` makes the time of a
token of one user least: all stages, links and hops one after another. `throughput` makes the costliest stage as cheap
as can be, since with several users all stages work at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from idlepool.engine.decode.scheduler import PREFILL_CHUNK
from idlepool.engine.errors import NoRoom
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.pool.plan_costs import Besides, PlanPc, Promise, SpanCosts
from idlepool.engine.pool.plan_search import (
    Chain,
    Matrix,
    cheapest,
    evenest,
    evenest_in_this_order,
    in_this_order,
)
from idlepool.engine.pool.plan_ways import Ways
from idlepool.engine.types import NodeId, Span

Goal = Literal["latency", "throughput"]

SHORT_CONTEXT = 2048
"""Tokens of a conversation that are not worth offering less than."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be planned."""

    manifest: Manifest
    promise: Promise
    goal: Goal = "latency"
    besides: Besides = field(default_factory=Besides)


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """One stage of a plan."""

    node: NodeId
    name: str
    span: Span
    step_ms: float
    memory_bytes: int
    """That it needs, with caches for what is promised."""
    fetch_bytes: int
    """Of its weights that are not on the PC's disk."""
    device: str = ""
    backend: str = ""
    """The device it runs on, and the form in which it is compiled for it."""
    spare_bytes: int = 0
    """What the device would have left for layers and caches."""


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """A plan, with what it will do if the PCs are as fast as they were when they were measured."""

    stages: tuple[PlannedStage, ...]
    round_ms: float
    """A step through all stages and links."""
    slowest_ms: float
    """The costliest stage of it."""
    tokens_per_second: float
    """Of all promised users together."""
    prompt_tokens_per_second: float
    """At which a prompt is read, in chunks of which each stage has one."""
    spare_users: int
    """Users more whose conversations would fit as well."""
    left_out: tuple[tuple[str, str], ...]
    """The PCs that are not used, by name, and why."""


def plan_pool(task: Task, pcs: Sequence[PlanPc], ways: Ways) -> PoolPlan:
    """The best plan with some of `pcs`, of which the first is the one that asks.

    Raises:
        NoRoom: the layers do not fit their memory; it says how much is missing.
    """
    planning = _Planning(task, pcs, ways)
    chain = planning.best()
    if not chain.pcs:
        raise NoRoom(*planning.missing())
    return planning.described(chain)


def plan_as_told(task: Task, pcs: Sequence[PlanPc], ways: Ways, *, spans: Sequence[Span] | None = None) -> PoolPlan:
    """The plan of somebody who chose all `pcs`, in this order, and perhaps their spans.

    Raises:
        NoRoom: the spans are not all layers of the model, or do not fit, or are not as many as the PCs.
    """
    planning = _Planning(task, pcs, ways)
    if spans is not None:
        _check_tiling(spans, task.manifest.layers, len(pcs))
        planning.check_memory(spans)
        return planning.described(Chain(0.0, tuple(range(len(pcs))), tuple(spans)))
    if len(pcs) > task.manifest.layers:
        raise NoRoom(f"The model has {task.manifest.layers} layers for {len(pcs)} PCs.", "Choose fewer PCs.")
    chain = planning.in_order()
    if not chain.pcs:
        raise NoRoom(*planning.missing())
    return planning.described(chain)


class _Planning:
    """One task and the costs it comes to."""

    def __init__(self, task: Task, pcs: Sequence[PlanPc], ways: Ways) -> None:
        self._task = task
        self._pcs = pcs
        self._ways = ways
        tokens = math.ceil(task.promise.users / len(pcs)) if task.goal == "throughput" else 1
        self._spans = SpanCosts(task.manifest, pcs, task.promise, task.besides)
        self._times = self._spans.times(tokens)
        self._hops = self._hops_with(tokens)
        self._costs = self._spans.chain_costs(self._times, self._hops)

    def best(self) -> Chain:
        return evenest(self._costs) if self._task.goal == "throughput" else cheapest(self._costs)

    def in_order(self) -> Chain:
        return (evenest_in_this_order if self._task.goal == "throughput" else in_this_order)(self._costs)

    def described(self, chain: Chain) -> PoolPlan:
        users = self._task.promise.users if self._task.goal == "throughput" else 1
        stages = len(chain.pcs)
        tokens = math.ceil(users / stages)
        times = _of_stages(self._spans.times(tokens), chain)
        round_ms = sum(times) + _way_ms(chain.pcs, self._hops_with(tokens))
        under_way = min(stages, users)
        chunk_ms = max(_of_stages(self._spans.times(PREFILL_CHUNK), chain))
        planned = [self._stage(*each, tokens) for each in zip(chain.pcs, chain.spans, times, strict=True)]
        return PoolPlan(
            stages=tuple(planned),
            round_ms=round_ms,
            slowest_ms=max(times),
            tokens_per_second=1000 * users / max(round_ms, under_way * max(times), 1e-6),
            prompt_tokens_per_second=1000 * PREFILL_CHUNK / max(chunk_ms, 1e-6),
            spare_users=min(map(self._spare_users, planned)),
            left_out=tuple(self._left_out(chain)),
        )

    def check_memory(self, spans: Sequence[Span]) -> None:
        for number, (pc, span) in enumerate(zip(self._pcs, spans, strict=True)):
            needed, room = float(self._spans.memory[span.first, span.last]), float(self._spans.room[number])
            if needed > room:
                raise NoRoom(
                    f"Layers {span.first}-{span.last} need {needed / 1e9:.1f} GB; {pc.name} has {room / 1e9:.1f} GB "
                    "for them.",
                    "Give it fewer layers.",
                )

    def missing(self) -> tuple[str, str]:
        """What to say where the layers do not fit: how much is missing, and what would make it fit."""
        besides, promise, layers = self._task.besides, self._task.promise, self._task.manifest.layers
        rooms = np.maximum(self._spans.room - besides.stage_bytes, 0.0)
        lent, needed = float(rooms.sum()), float(self._spans.memory[0, layers]) - besides.stage_bytes
        caches = promise.cache_bytes * promise.context * promise.users
        said = (
            f"The model needs {needed / 1e9:.1f} GB, {caches / 1e9:.1f} GB of it for conversations of "
            f"{promise.context} tokens, and the PCs here have {lent / 1e9:.1f} GB for it"
        )
        lack = needed - lent
        if lack <= 0:
            return f"{said}, in parts that its layers do not fit into.", "A PC that lends more would make it fit."
        more = (lack + besides.stage_bytes) / (1 - besides.reserve)
        hint = f"Another PC that lends {more / 1e9:.1f} GB would make it fit"
        context = int((lent - (needed - caches)) / max(promise.cache_bytes * promise.users, 1))
        if context >= SHORT_CONTEXT:
            hint += f", or conversations of {context} tokens"
        return f"{said}: {lack / 1e9:.1f} GB are missing.", f"{hint}, or a smaller model."

    def _stage(self, pc: int, span: Span, step_ms: float, tokens: int) -> PlannedStage:
        at = span.first, span.last
        memory = int(self._spans.memory[at])
        device, room = self._spans.device(pc, span, tokens)
        return PlannedStage(
            self._pcs[pc].node,
            self._pcs[pc].name,
            span,
            step_ms,
            memory,
            int(self._spans.fetched[pc][at]),
            device=device.name,
            backend=device.backend,
            spare_bytes=max(0, int(room) - memory),
        )

    def _spare_users(self, stage: PlannedStage) -> int:
        """0 where it is not known what a conversation takes."""
        user = float(self._spans.user[stage.span.first, stage.span.last])
        return int(stage.spare_bytes / user) if user else 0

    def _left_out(self, chain: Chain) -> list[tuple[str, str]]:
        return [
            (pc.name, self._reason(number, chain)) for number, pc in enumerate(self._pcs) if number not in chain.pcs
        ]

    def _reason(self, pc: int, chain: Chain) -> str:
        """Why a PC is not in the chain; looks at the chain with it where that makes the ways least longer."""
        least = float(np.diagonal(self._spans.memory, 1).min())
        room = float(self._spans.room[pc])
        if room < least:
            return f"It has {room / 1e9:.1f} GB for layers, and the smallest one takes {least / 1e9:.1f} GB."
        if len(chain.pcs) == self._task.manifest.layers:
            return "There is no layer left for it."
        orders = [(*chain.pcs[:place], pc, *chain.pcs[place:]) for place in range(1, len(chain.pcs) + 1)]
        order = min(orders, key=lambda pcs: _way_ms(pcs, self._hops))
        with_it = in_this_order(self._costs.only(order))
        if not with_it.pcs:
            return "The layers do not fit into the memory of the others and its own so that each has some."
        if self._task.goal == "throughput":
            return "With it the slowest stage would be no faster."
        slower, now = self._round_ms(Chain(0.0, order, with_it.spans)), self._round_ms(chain)
        return f"With it a token would take {slower:.1f} ms instead of {now:.1f} ms."

    def _round_ms(self, chain: Chain) -> float:
        return sum(_of_stages(self._times, chain)) + _way_ms(chain.pcs, self._hops)

    def _hops_with(self, tokens: float) -> Matrix:
        return self._ways.hops(tokens * self._task.promise.row_bytes, hop_ms=self._task.besides.hop_ms)


def _way_ms(pcs: tuple[int, ...], hops: Matrix) -> float:
    """On the links of a chain, from the first PC to the last and back."""
    return float(sum(hops[way] for way in zip(pcs, (*pcs[1:], pcs[0]), strict=True)))


def _of_stages(times: Matrix, chain: Chain) -> list[float]:
    return [float(times[pc, span.first, span.last]) for pc, span in zip(chain.pcs, chain.spans, strict=True)]


def _check_tiling(spans: Sequence[Span], layers: int, pcs: int) -> None:
    """Raise NoRoom where the spans are not the model, or not one for each PC."""
    if len(spans) != pcs:
        raise NoRoom(f"{len(spans)} spans were given for {pcs} PCs.", "Give each PC one span.")
    ends = [0, *(span.last for span in spans)]
    if ends[-1] != layers or any(span.first != end for span, end in zip(spans, ends, strict=False)):
        told = ", ".join(f"{span.first}-{span.last}" for span in spans)
        raise NoRoom(
            f"The spans {told} are not the {layers} layers of the model.",
            f"Begin with 0, end with {layers}, and let each span begin where the one before ends.",
        )
