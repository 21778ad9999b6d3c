"""Layers are fetched ahead by spare PCs of the played pool, as the real standby rules say: what would be run where if
a PC of the pipeline left, and which of that is not on a disk yet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from idlepool.engine.errors import NoRoom
from idlepool.engine.pool.model_folders import AHEAD_BYTES_PER_S
from idlepool.engine.pool.standby import Disk, Leavings, Loss, next_spans
from idlepool.engine.simulation.figures import Figures
from idlepool.engine.simulation.planning import Planning
from idlepool.engine.simulation.played_pc import PlayedPc
from idlepool.engine.simulation.played_pipeline import PlayedPipeline
from idlepool.engine.types import NodeId, Span

FORESEEN_S = 600.0
"""Other PCs come meanwhile, and the plan without one may be another. Real heads look at it whenever PCs change; here
that would be nearly all of the work."""


class KeepingWarm:
    """Decides for the head of the pipeline and fetches for the others."""

    def __init__(self, planning: Planning, figures: Figures, *, on_fetched: Callable[[], None]) -> None:
        self._planning = planning
        self._figures = figures
        self._on_fetched = on_fetched
        self._leavings = Leavings()
        self._known: frozenset[NodeId] = frozenset()
        self._losses: dict[NodeId, _Foreseen] = {}
        self._wanted: dict[NodeId, Span] = {}
        self._fetched = False
        """Something came since that was found out."""
        self._fetching: dict[PlayedPc, tuple[Span, asyncio.Task[None]]] = {}

    def look(self, pipeline: PlayedPipeline | None, candidates: Sequence[PlayedPc]) -> None:
        """Something changed: begin to fetch what is wanted now, and stop what no more is. None: no pipeline is loaded.

        `candidates`: the head and all that lend.
        """
        if pipeline is None:
            self._losses.clear()
            self._wanted = {}
        elif self._foresee(pipeline, candidates) or self._fetched:
            self._wanted = self._wanted_of(pipeline, candidates)
            self._fetched = False
        for pc, (span, fetching) in list(self._fetching.items()):
            if self._wanted.get(pc.machine.node) != span:
                fetching.cancel()
                del self._fetching[pc]
        by_node = {pc.machine.node: pc for pc in candidates}
        for node, span in self._wanted.items():
            if (pc := by_node[node]) not in self._fetching:
                self._fetching[pc] = span, asyncio.create_task(self._fetch(pc, span, pipeline))

    def _foresee(self, pipeline: PlayedPipeline, candidates: Sequence[PlayedPc]) -> bool:
        """Plan without each PC of the pipeline where that may have become another plan; returns whether it may."""
        now = asyncio.get_running_loop().time()
        here = frozenset(pc.machine.node for pc in candidates)
        for node in self._known - here:
            self._leavings.left(node)
        self._leavings.here(here, now)
        self._known = here
        stale = [
            stage.pc
            for stage in pipeline.stages[1:]
            if (known := self._losses.get(stage.pc.machine.node)) is None or not known.holds(now, here)
        ]
        for pc in stale:
            self._losses[pc.machine.node] = _Foreseen(self._loss(pc, candidates, now), now)
        return bool(stale)

    def _wanted_of(self, pipeline: PlayedPipeline, candidates: Sequence[PlayedPc]) -> dict[NodeId, Span]:
        losses = [known.loss for known in self._losses.values()]
        needed = {node for loss in losses for node in loss.spans}
        disks = {
            pc.machine.node: Disk(pc.disk.chunks, pc.machine.disk_bytes, _runs(pipeline, pc))
            for pc in candidates
            if pc.machine.node in needed
        }
        return next_spans(self._planning.manifest, losses, disks)

    def _loss(self, pc: PlayedPc, candidates: Sequence[PlayedPc], now: float) -> Loss:
        per_hour = self._leavings.per_hour(pc.machine.node, now)
        try:
            plan = self._planning.plan([other for other in candidates if other is not pc])
        except NoRoom:
            return Loss(pc.machine.node, per_hour, {})
        return Loss(pc.machine.node, per_hour, {stage.pc.machine.node: stage.span for stage in plan.stages})

    async def _fetch(self, pc: PlayedPc, span: Span, pipeline: PlayedPipeline | None) -> None:
        """Slowly, layer by layer; then see what else is wanted."""
        runs = _runs(pipeline, pc) if pipeline is not None else None
        needed = {*span, *(runs or ())}
        for layer in pc.disk.missing(span):
            await asyncio.sleep(pc.disk.size_of(layer) / min(AHEAD_BYTES_PER_S, pc.machine.net_bytes_s))
            self._figures.ahead_bytes += pc.disk.add(layer, needed=needed)
        del self._fetching[pc]
        self._fetched = True
        self._on_fetched()


@dataclass(frozen=True, slots=True)
class _Foreseen:
    """What the plan would be without a PC, and when that was found out."""

    loss: Loss
    at_s: float

    def holds(self, now_s: float, here: frozenset[NodeId]) -> bool:
        return now_s < self.at_s + FORESEEN_S and here.issuperset(self.loss.spans)


def _runs(pipeline: PlayedPipeline, pc: PlayedPc) -> Span | None:
    stage = pipeline.stage_of(pc)
    return stage.span if stage is not None else None
