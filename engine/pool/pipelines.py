"""The pipelines that this PC is the head of: planned, ordered from the PCs that lend, and kept until they break."""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import asdict
from functools import partial

from idlepool.engine.errors import LinkError, NoRoom, PeerLost, StageFailed
from idlepool.engine.events import PipelineChanged, PipelineStats, StageInfo
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.messages import (
    EndSequence,
    Message,
    ReleaseStage,
    StageLeaving,
    StageLost,
    StageProgress,
    StageReady,
)
from idlepool.engine.net.question_messages import RunningModel
from idlepool.engine.pool.head_services import HeadServices
from idlepool.engine.pool.own_plans import OwnPlanUnfit, explained
from idlepool.engine.pool.pipeline import Pipeline
from idlepool.engine.pool.pipeline_records import NEVER_BROKE, Broken, Made
from idlepool.engine.pool.plan import Assignment
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice
from idlepool.engine.pool.pool_planning import Present, planned, too_few
from idlepool.engine.pool.regrowth import outgrown
from idlepool.engine.pool.setbacks import Setbacks
from idlepool.engine.pool.stage_orders import stage_orders
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId, SequenceId, SessionId

log = logging.getLogger("idlepool.pipeline")

WAIT_FOR_PCS_S = 20.0
"""How long a pipeline with a wanted number of stages waits for so many PCs."""


class Pipelines:
    """At most one pipeline for each model."""

    def __init__(self, services: HeadServices) -> None:
        self._services = services
        self._pipelines: dict[SessionId, Pipeline] = {}
        self._made: dict[SessionId, Made] = {}
        self._broke: dict[ModelId, Broken] = {}
        """The latest pipeline that broke."""
        self._setbacks = Setbacks()
        self._opening = asyncio.Lock()
        self._tasks = TaskKeeper()

    async def open(self, model: StoredModel, *, stages: int | None = None) -> Pipeline:
        """The running pipeline of `model`, or a new one; it may still be loading.

        `stages`: see plan(). A pipeline that broke is made anew with the PCs that are left, be they fewer; one that
        nobody uses, where PCs have come that make it much faster.

        Raises:
            NoRoom: the PCs here cannot hold the model, or fewer are here than stages were asked for; OwnPlanUnfit
                where it is a plan made by hand that cannot be.
        """
        async with self._opening:
            for pipeline in list(self._pipelines.values()):
                if pipeline.model == model.model and not await self._outgrown(pipeline, model, stages):
                    return pipeline
                if pipeline.unused:
                    pipeline.close()  # its memory is wanted for another model
            if stages is not None and model.model in self._broke:
                stages = max(1, min(stages, len(self._services.present())))
            present = await self._wait_for(max(stages or 1, len(self._choice(model).names)))
            return await self._start(model, await self._planned(model, present, stages), present)

    async def _outgrown(self, pipeline: Pipeline, model: StoredModel, stages: int | None) -> bool:
        """Whether nobody uses it and much more can be had now, or something else was chosen; looked at once for the
        same PCs."""
        services = self._services
        present = self._sound(services.present())
        nodes = frozenset(pc.node for pc in present)
        made = self._made[pipeline.session]
        if pipeline.unused and services.plans.forbids(model.name, pipeline.stages, made.chosen, present):
            return True
        if not pipeline.unused or self._choice(model).names or nodes <= made.present:
            return False
        made.present = nodes
        return await asyncio.to_thread(
            outgrown,
            model,
            pipeline.stages,
            present,
            here=services.here,
            draft_bytes=services.draft_bytes,
            stages=stages,
        )

    async def wait_for_change(self) -> None:
        """Until a PC comes, goes, or lends something else."""
        async with self._services.changed:
            await self._services.changed.wait()

    @property
    def running(self) -> tuple[RunningModel, ...]:
        """The models whose pipelines run or are being prepared."""
        return tuple(RunningModel(pipeline.model, pipeline.name) for pipeline in self._pipelines.values())

    @property
    def all(self) -> tuple[Pipeline, ...]:
        """Those that run or are being prepared."""
        return tuple(self._pipelines.values())

    @property
    def read(self) -> tuple[int, int]:
        """See Scheduler.read; of all pipelines."""
        prompts = [pipeline.read for pipeline in self._pipelines.values()]
        return sum(sent for sent, _ in prompts), sum(tokens for _, tokens in prompts)

    def give_up(self, model: ModelId) -> None:
        """Close the pipeline of a model unless it is needed: another PC's is used from now on."""
        for pipeline in list(self._pipelines.values()):
            if pipeline.model == model and pipeline.unused:
                pipeline.close()

    def stats(self, model: str) -> list[PipelineStats]:
        """What the running pipeline of a model, by name, did so far."""
        running = [pipeline for pipeline in self._pipelines.values() if pipeline.name == model]
        return [PipelineStats(model, **asdict(pipeline.stats)) for pipeline in running]

    def deliver(self, node: NodeId, frame: Frame) -> None:
        """Take an answer of the stage on `node`; one of a pipeline that is gone is dropped."""
        pipeline = self._pipelines.get(frame.session)
        if pipeline is not None:
            pipeline.deliver(node, frame)

    def on_stage(self, node: NodeId, news: StageProgress | StageReady | StageLeaving | StageLost) -> bool:
        """Take news of a stage; False where no pipeline of this PC waits for them."""
        pipeline = self._pipelines.get(SessionId(news.session))
        return pipeline is not None and pipeline.on_stage(node, news)

    def doubt(self, nodes: frozenset[NodeId]) -> None:
        """Nothing is heard of these PCs for the moment."""
        for pipeline in self._pipelines.values():
            pipeline.doubt(nodes)

    def lose(self, node: NodeId) -> None:
        """A PC is gone."""
        for pipeline in list(self._pipelines.values()):
            pipeline.lose(node)

    async def close(self) -> None:
        """Release every stage of every pipeline."""
        for pipeline in list(self._pipelines.values()):
            pipeline.close()
        await self._tasks.wait()

    async def _wait_for(self, count: int) -> tuple[Present, ...]:
        """The PCs that lend, as soon as there are `count` and this one is among them: it runs the first layers."""
        services = self._services

        def enough() -> bool:
            present = services.present()
            return len(present) >= count and present[0].place.node == services.here

        try:
            async with asyncio.timeout(WAIT_FOR_PCS_S), services.changed:
                await services.changed.wait_for(enough)
        except TimeoutError:
            raise too_few(count, services.present()) from None
        return services.present()

    async def _planned(
        self, model: StoredModel, present: tuple[Present, ...], stages: int | None
    ) -> tuple[Assignment, ...]:
        """A plan without the PCs that failed lately; where there is none, one with all."""
        sound = self._sound(present)
        try:
            return await self._plan(model, sound, stages and min(stages, len(sound)))
        except NoRoom:
            if len(sound) == len(present):
                raise
        return await self._plan(model, present, stages)

    def _sound(self, present: tuple[Present, ...]) -> tuple[Present, ...]:
        """Those that did not fail lately, and this PC."""
        here = self._services.here
        return tuple(pc for pc in present if pc.node == here or not self._setbacks.left_out(pc.node))

    async def _plan(
        self, model: StoredModel, present: tuple[Present, ...], stages: int | None
    ) -> tuple[Assignment, ...]:
        services, broken = self._services, self._broke.get(model.model, NEVER_BROKE)
        own = services.plans.choice(model.name, self._sound(services.present()))
        plan = partial(
            planned,
            here=services.here,
            draft_bytes=services.draft_bytes,
            stages=stages,
            choice=self._choice(model),
            hurried=broken.wire is not None,
            before=broken.places,
        )
        try:
            return await asyncio.to_thread(plan, model, present)
        except NoRoom as error:
            raise OwnPlanUnfit(error) if own.names else explained(error, services.left_out()) from error

    def _choice(self, model: StoredModel) -> PlanChoice:
        services = self._services
        own = services.plans.choice(model.name, self._sound(services.present()))
        if own.names:
            return own
        return NO_CHOICE if model.model in self._broke else services.choice

    async def _start(
        self, model: StoredModel, assignments: tuple[Assignment, ...], present: tuple[Present, ...]
    ) -> Pipeline:
        session = SessionId(secrets.randbits(63))
        before = self._broke.get(model.model, NEVER_BROKE).wire
        orders = stage_orders(session, model.model, assignments, present, before=before)
        stages = [StageInfo(a.node, a.name, a.span.first, a.span.last, "waiting") for a in assignments]
        pipeline = Pipeline(
            session,
            model.model,
            name=model.name,
            stages=stages,
            send=self._services.feed,
            on_change=lambda change: self._on_change(session, change),
            on_end=lambda sequence, keep: self._end_sequence(session, sequence, keep),
            micro_batches=self._services.micro_batches,
        )
        self._pipelines[session] = pipeline
        chosen = self._services.plans.chosen(model.name)
        self._made[session] = Made(frozenset(pc.node for pc in present), orders[0][1].wire, chosen)
        self._services.on_running()
        self._tasks.start(self._add_drafter(pipeline, model))
        log.info("%s: %s", model.name, ", ".join(f"{a.name} {a.span}" for a in assignments))
        try:
            for node, order in orders:
                if pipeline.broken is None:
                    await self._tell(pipeline, node, order)
        except BaseException:
            pipeline.close()  # half of the orders are no pipeline
            raise
        return pipeline

    async def _add_drafter(self, pipeline: Pipeline, model: StoredModel) -> None:
        """The drafter comes when it is loaded; until then answers are made without."""
        drafter = await self._services.drafter(model)
        if drafter is not None:
            pipeline.use(drafter)

    def _end_sequence(self, session: SessionId, sequence: SequenceId, keep: int) -> None:
        """Free a sequence on every stage, all of it or what comes after `keep` positions."""
        pipeline = self._pipelines.get(session)
        if pipeline is not None:
            self._tasks.start(self._tell_all(pipeline, EndSequence(session, sequence, keep)))

    def _on_change(self, session: SessionId, change: PipelineChanged) -> None:
        self._services.emit(change)
        if change.state == "broken" and (pipeline := self._pipelines.pop(session, None)):
            places, wire = tuple(NodeId(stage.node) for stage in pipeline.stages), self._made.pop(session).wire
            self._broke[pipeline.model] = Broken(places, wire if pipeline.busy else None)
            if pipeline.lost is not None and isinstance(pipeline.broken, StageFailed):
                self._setbacks.note(pipeline.lost)
            self._services.on_running()
            self._tasks.start(self._tell_all(pipeline, ReleaseStage(session)))

    async def _tell_all(self, pipeline: Pipeline, message: Message) -> None:
        """All at once: one that does not take it keeps no other from hearing it."""
        await asyncio.gather(*(self._tell(pipeline, NodeId(stage.node), message) for stage in pipeline.stages))

    async def _tell(self, pipeline: Pipeline, node: NodeId, message: Message) -> None:
        try:
            await self._services.tell(node, message)
        except LinkError:
            stage = next(s for s in pipeline.stages if s.node == node)
            pipeline.fail(PeerLost(stage.name, stage.first, stage.last), lost=node)
