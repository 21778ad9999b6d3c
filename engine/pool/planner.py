"""Which PCs run a model, in which order, and which layers each: the fastest that fits, and how fast that will be.

The first PC is the one that asks, so that no token leaves it before the first layer. `latency` makes the time of a
token of one user least: all stages, links and hops one after another. `throughput` makes the most tokens of several
users: as many frames are under way as there are stages or users, with a share of the users in each; a token of each
takes a whole round, or as many turns of the costliest stage as there are frames, whichever is longer.
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
from idlepool.engine.pool.plan_refusals import check_memory, check_tiling, missing
from idlepool.engine.pool.plan_search import (
    NO_CHAIN,
    Chain,
    Costs,
    Matrix,
    cheapest,
    cheapest_within,
    evenest,
    evenest_in_this_order,
    in_this_order,
)
from idlepool.engine.pool.plan_shortlist import MOST_SEARCHED, shortlist
from idlepool.engine.pool.plan_ways import Ways
from idlepool.engine.types import NodeId, Span

Goal = Literal["latency", "throughput"]

BETWEEN = 2
"""Chains that are looked at between the one with the shortest round and the one with the cheapest stages."""


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
        raise missing(task.manifest.layers, task.promise, task.besides, planning.costs)
    return planning.described(chain)


def plan_as_told(task: Task, pcs: Sequence[PlanPc], ways: Ways, *, spans: Sequence[Span] | None = None) -> PoolPlan:
    """The plan of somebody who chose all `pcs`, in this order, and perhaps their spans.

    Raises:
        NoRoom: the spans are not all layers of the model, or do not fit, or are not as many as the PCs.
    """
    planning = _Planning(task, pcs, ways)
    if spans is not None:
        check_tiling(spans, task.manifest.layers, len(pcs))
        check_memory(spans, pcs, planning.costs)
        return planning.described(Chain(0.0, tuple(range(len(pcs))), tuple(spans)))
    if len(pcs) > task.manifest.layers:
        raise NoRoom(f"The model has {task.manifest.layers} layers for {len(pcs)} PCs.", "Choose fewer PCs.")
    chain = planning.in_order()
    if not chain.pcs:
        raise missing(task.manifest.layers, task.promise, task.besides, planning.costs)
    return planning.described(chain)


class _Planning:
    """One task and the costs it comes to."""

    def __init__(self, task: Task, pcs: Sequence[PlanPc], ways: Ways) -> None:
        self._task = task
        self._pcs = pcs
        self._ways = ways
        tokens = math.ceil(self._users / len(pcs))
        self.costs = SpanCosts(task.manifest, pcs, task.promise, task.besides)
        self._hops = self._hops_with(tokens)
        self._chains = self.costs.chain_costs(self.costs.times(tokens), self._hops)
        self._searched: Sequence[int] = range(len(pcs))

    def best(self) -> Chain:
        size = MOST_SEARCHED
        while True:
            self._searched = shortlist(self._chains, size)
            chain = self._best_of(self._searched)
            if chain.pcs or size >= len(self._pcs):
                return chain
            size *= 2

    def _best_of(self, some: Sequence[int]) -> Chain:
        costs = self._chains.only(some)
        chains = _between(costs) if self._task.goal == "throughput" else [cheapest(costs)]
        named = [Chain(chain.cost, tuple(some[pc] for pc in chain.pcs), chain.spans) for chain in chains if chain.pcs]
        return max(named, key=self._rate, default=NO_CHAIN)

    def _rate(self, chain: Chain) -> float:
        """Tokens a second of all users."""
        return self._pace(chain)[0]

    def _pace(self, chain: Chain) -> tuple[float, float, list[float]]:
        """Tokens a second of all users, the milliseconds of a round, and of each stage in it."""
        users = self._users
        tokens = math.ceil(users / len(chain.pcs))
        times = self._stage_times(chain, tokens)
        round_ms = sum(times) + _way_ms(chain.pcs, self._hops_with(tokens))
        under_way = min(len(chain.pcs), users)
        return 1000 * users / max(round_ms, under_way * max(times), 1e-6), round_ms, times

    def in_order(self) -> Chain:
        return self._in_order_of(self._chains)

    def _in_order_of(self, costs: Costs) -> Chain:
        return (evenest_in_this_order if self._task.goal == "throughput" else in_this_order)(costs)

    def described(self, chain: Chain) -> PoolPlan:
        rate, round_ms, times = self._pace(chain)
        tokens = math.ceil(self._users / len(chain.pcs))
        planned = [self._stage(*each, tokens) for each in zip(chain.pcs, chain.spans, strict=True)]
        return PoolPlan(
            stages=tuple(planned),
            round_ms=round_ms,
            slowest_ms=max(times),
            tokens_per_second=rate,
            prompt_tokens_per_second=1000 * PREFILL_CHUNK / max(*self._stage_times(chain, PREFILL_CHUNK), 1e-6),
            spare_users=min(map(self._spare_users, planned)),
            left_out=tuple(self._left_out(chain)),
        )

    @property
    def _users(self) -> int:
        """Who is served together."""
        return self._task.promise.users if self._task.goal == "throughput" else 1

    def _stage(self, pc: int, span: Span, tokens: int) -> PlannedStage:
        at = span.first, span.last
        memory = int(self.costs.memory[at])
        placed = self.costs.placed(pc, span, tokens)
        return PlannedStage(
            self._pcs[pc].node,
            self._pcs[pc].name,
            span,
            placed.ms,
            memory,
            int(self.costs.fetched[pc][at]),
            device=placed.device.name,
            backend=placed.device.backend,
            spare_bytes=max(0, int(placed.room) - memory),
        )

    def _stage_times(self, chain: Chain, tokens: float) -> list[float]:
        return [self.costs.placed(pc, span, tokens).ms for pc, span in zip(chain.pcs, chain.spans, strict=True)]

    def _spare_users(self, stage: PlannedStage) -> int:
        """0 where it is not known what a conversation takes."""
        user = float(self.costs.user[stage.span.first, stage.span.last])
        return int(stage.spare_bytes / user) if user else 0

    def _left_out(self, chain: Chain) -> list[tuple[str, str]]:
        return [
            (pc.name, self._reason(number, chain)) for number, pc in enumerate(self._pcs) if number not in chain.pcs
        ]

    def _reason(self, pc: int, chain: Chain) -> str:
        """Why a PC is not in the chain; looks at the chain with it where that makes the ways least longer."""
        least = float(np.diagonal(self.costs.memory, 1).min())
        room = float(self.costs.room[pc])
        if room < least:
            return f"It has {room / 1e9:.1f} GB for layers, and the smallest one takes {least / 1e9:.1f} GB."
        if np.diagonal(self.costs.kept_out[pc], 1).all():
            return "Its disk has no room for a layer."
        if pc not in self._searched:
            return "Others are faster, nearer or have more room, and there are enough of them."
        if len(chain.pcs) == self._task.manifest.layers:
            return "There is no layer left for it."
        orders = [(*chain.pcs[:place], pc, *chain.pcs[place:]) for place in range(1, len(chain.pcs) + 1)]
        order = min(orders, key=lambda pcs: _way_ms(pcs, self._hops))
        with_it = self._in_order_of(self._chains.only(order))
        if not with_it.pcs:
            return "The layers do not fit into the memory of the others and its own so that each has some."
        now, then = self._pace(chain), self._pace(Chain(0.0, order, with_it.spans))
        if self._task.goal == "throughput":
            return f"With it {then[0]:.1f} tokens would come in a second instead of {now[0]:.1f}."
        return f"With it a token would take {then[1]:.1f} ms instead of {now[1]:.1f} ms."

    def _hops_with(self, tokens: float) -> Matrix:
        return self._ways.hops(tokens * self._task.promise.row_bytes, hop_ms=self._task.besides.hop_ms)


def _way_ms(pcs: tuple[int, ...], hops: Matrix) -> float:
    """On the links of a chain, from the first PC to the last and back."""
    return float(sum(hops[way] for way in zip(pcs, (*pcs[1:], pcs[0]), strict=True)))


def _between(costs: Costs) -> list[Chain]:
    """The chain whose costliest span is cheapest, the one that costs least together, and some between them."""
    even, least = evenest(costs), cheapest(costs)
    if not even.pcs:
        return []
    least_of_any, most_of_any = _costliest(costs, even), _costliest(costs, least)
    if not 0 < least_of_any < most_of_any:
        return [even, least]
    limits = np.geomspace(least_of_any, most_of_any, BETWEEN + 2)[1:-1]
    return [even, least, *(cheapest_within(costs, float(most), known=even.pcs) for most in limits)]


def _costliest(costs: Costs, chain: Chain) -> float:
    return max(float(costs.spans[pc, span.first, span.last]) for pc, span in zip(chain.pcs, chain.spans, strict=True))
