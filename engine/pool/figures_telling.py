"""What the pipelines of this PC and the PCs of the pool do, told each second to somebody who looks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from idlepool.engine.errors import ModelError, NoRoom
from idlepool.engine.events import StageInfo
from idlepool.engine.figures_events import Chain, ChainFigures, HeldLayers, LentDevice, PcFigures, StageFigures
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.pipeline import Pipeline
from idlepool.engine.pool.plan_choice import PlanChoice
from idlepool.engine.pool.pool_planning import Present, plan_for, task_of, way_ms
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId, SessionId, Span

EVERY_S = 1.0
LOOK_EVERY = 10
"""After so many times it is looked anew which models are here."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a pipeline had done when it was looked at last."""

    at: float
    frames: int = 0
    tokens: int = 0
    round_trips_ms: float = 0.0


class FiguresTelling:
    """For one client; from `want(on=True)` until it is turned off."""

    def __init__(self, node: Node, emit: Callable[[ChainFigures], None]) -> None:
        self._node = node
        self._emit = emit
        self._seen: dict[SessionId, _Seen] = {}
        self._memory: dict[SessionId, tuple[int, ...]] = {}
        """Bytes that each stage needs; none where that is not known."""
        self._models: dict[ModelId, StoredModel] = {}
        self._tasks = TaskKeeper()

    def want(self, on: bool) -> None:
        """Begin, or tell no more."""
        self._tasks.cancel()
        if on:
            self._seen.clear()
            self._tasks.start(self._tell())

    async def close(self) -> None:
        """Tell no more."""
        await self._tasks.close()

    async def _tell(self) -> None:
        while True:
            self._models = {model.model: model for model in await asyncio.to_thread(self._node.models.complete)}
            for _ in range(LOOK_EVERY):
                await self._tell_once()
                await asyncio.sleep(EVERY_S)

    async def _tell_once(self) -> None:
        present, pipelines = self._node.present(), self._node.pipelines.all
        self._forget_all_but({pipeline.session for pipeline in pipelines})
        for pipeline in pipelines:
            if pipeline.session not in self._memory:
                self._memory[pipeline.session] = await asyncio.to_thread(self._needed, pipeline, present)
        chains = tuple(self._chain(pipeline, present) for pipeline in pipelines)
        here = next((pc for pc in present if pc.node == self._node.id), None)
        self._emit(ChainFigures(chains, tuple(self._pc(pc, here) for pc in present)))

    def _forget_all_but(self, sessions: Collection[SessionId]) -> None:
        for known in (self._seen, self._memory):
            for session in known.keys() - sessions:
                del known[session]

    def _chain(self, pipeline: Pipeline, present: tuple[Present, ...]) -> Chain:
        stats, now = pipeline.stats, time.monotonic()
        known = self._seen.get(pipeline.session, _Seen(now, stats.frames, stats.tokens, stats.round_trips_ms))
        self._seen[pipeline.session] = _Seen(now, stats.frames, stats.tokens, stats.round_trips_ms)
        frames, took_s = stats.frames - known.frames, now - known.at
        memory = self._memory[pipeline.session] or (0,) * len(pipeline.stages)
        taken = self._taken(pipeline.session, present)
        following = [*pipeline.stages[1:], pipeline.stages[0]]
        return Chain(
            pipeline.name,
            tuple(
                _stage(pipeline.model, stage, after, present, needed, taken.get(stage.node, 0))
                for stage, after, needed in zip(pipeline.stages, following, memory, strict=True)
            ),
            stats.tokens,
            tokens_per_second=(stats.tokens - known.tokens) / took_s if took_s else 0.0,
            round_ms=(stats.round_trips_ms - known.round_trips_ms) / frames if frames else 0.0,
        )

    def _taken(self, session: SessionId, present: tuple[Present, ...]) -> dict[str, int]:
        """Bytes that the stages of a pipeline take, by PC, as far as these measured it."""
        told = {pc.node: pc.memory for pc in present} | {self._node.id: self._node.lender.memory}
        return {node: stage.bytes for node, stages in told.items() for stage in stages if stage.session == session}

    def _needed(self, pipeline: Pipeline, present: tuple[Present, ...]) -> tuple[int, ...]:
        """Reads the disk."""
        model, stages = self._models.get(pipeline.model), pipeline.stages
        names = tuple(stage.name for stage in stages)
        if model is None or not set(names) <= {pc.name for pc in present}:
            return ()
        choice = PlanChoice(names, tuple(Span(stage.first, stage.last) for stage in stages))
        try:
            task = task_of(model, choice.of(present))
            plan = plan_for(task, model, present, here=self._node.id, choice=choice)
        except (NoRoom, ModelError):  # it is known only what would fit, and this was made when there was more
            return ()
        return tuple(stage.memory_bytes for stage in plan.stages)

    def _pc(self, pc: Present, here: Present | None) -> PcFigures:
        devices = tuple(LentDevice(device.name, device.kind, device.usable_bytes) for device in pc.devices)
        held = []
        for span in pc.held:
            model = self._models.get(ModelId(span.model))
            name, layers = (model.name, model.manifest.layers) if model else ("", 0)
            held.append(HeldLayers(name, span.first, span.last, layers))
        link_ms = way_ms(here, pc) if here is not None else 0.0
        return PcFigures(pc.node, devices, tuple(held), link_ms)


def _stage(
    model: ModelId, stage: StageInfo, after: StageInfo, present: tuple[Present, ...], needed: int, taken: int
) -> StageFigures:
    """`needed` and `taken`: bytes of memory, planned and measured; 0: unknown."""
    by_node = {pc.node: pc for pc in present}
    pc, other = by_node.get(NodeId(stage.node)), by_node.get(NodeId(after.node))
    if pc is None:
        return StageFigures(stage.node, stage.step_ms, 0.0, needed, 0, taken)
    span = stage.first, stage.last
    times = [each for each in pc.times if each.model == model and (each.first, each.last) == span and each.ms]
    step_ms = next((each.ms[0] for each in times if each.device == stage.device), stage.step_ms)
    link_ms = way_ms(pc, other) if other is not None else 0.0
    return StageFigures(stage.node, step_ms, link_ms, needed, pc.device_called(stage.device).usable_bytes, taken)
