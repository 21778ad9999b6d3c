"""A running pipeline as its head holds it: which PC runs which layers, the steps under way, and how it breaks."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

import msgspec
import numpy as np

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.chosen import Chosen, decode_chosen
from idlepool.engine.decode.drafter import Drafter
from idlepool.engine.decode.drafting import Drafting
from idlepool.engine.decode.guess_budget import GuessBudget
from idlepool.engine.decode.head import Head, HeadStats
from idlepool.engine.decode.request import Answer, Request
from idlepool.engine.decode.scheduler import MicroBatch
from idlepool.engine.errors import FrameError, IdlepoolError, PeerLost, PoolError, StageFailed, StageLeft
from idlepool.engine.events import PipelineChanged, PipelineState, StageInfo
from idlepool.engine.net.arrays import frame_of, rows_of
from idlepool.engine.net.faults import fault_of
from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.net.messages import StageLeaving, StageLost, StageProgress, StageReady
from idlepool.engine.net.segments import Segment
from idlepool.engine.net.shown import shown
from idlepool.engine.pool.preparation import Preparation, waited_for
from idlepool.engine.pool.stage_room import room_of
from idlepool.engine.pool.stage_watch import TICK_S, StageWatch
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId, SequenceId, SessionId

OVERDUE_S = 10.0
"""After a step is overdue, where all PCs of the pipeline are heard of, it is given so much more: whoever has it may say
by itself that it fails."""

COUNT_S = 1.0
"""How often it is told for how long a stage has been loading."""

MAX_SENTENCE = 300
"""Characters of a peer's sentence that are shown."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A step under way, and what it asks."""

    future: asyncio.Future[dict[int, Chosen]]
    segments: tuple[Segment, ...]


class Pipeline:
    """One model spread over stages. `send` takes frames to the first stage; `on_change` hears of every change.

    `on_end` frees a sequence on every stage from a position on. `micro_batches` 0: as many as stages.

    It breaks once and for all: a new one is made instead of mending it.
    """

    def __init__(
        self,
        session: SessionId,
        model: ModelId,
        *,
        name: str,
        stages: Sequence[StageInfo],
        send: Callable[[Frame], Awaitable[None]],
        on_change: Callable[[PipelineChanged], None],
        on_end: Callable[[SequenceId, int], None] = lambda _, __: None,
        micro_batches: int = 0,
    ) -> None:
        self.session = session
        self.model = model
        self.name = name
        self._preparation = Preparation()
        self.stages = self._preparation.timed(stages, time.monotonic())
        self.broken: PoolError | None = None
        self.lost: NodeId | None = None
        """The PC that it broke at."""
        self._on_change = on_change
        self._on_end = on_end
        self._drafter: Drafter | None = None
        self._micro_batches = micro_batches or len(self.stages)
        self._send = send
        self._ready = asyncio.Event()
        self._steps = itertools.count(1)
        self._waiting: dict[int, _Step] = {}
        self._outgoing: asyncio.Queue[Frame] = asyncio.Queue()
        self._watch = StageWatch()
        """Of all stages together, as if they were one."""
        self._doubted: frozenset[NodeId] = frozenset()
        self._head: Head | None = None
        self._tasks = TaskKeeper(lambda error: self.fail(PoolError(f"The head failed ({type(error).__name__}).")))
        self._tasks.start(self._send_all())
        self._tasks.start(self._count_seconds())
        self._tasks.start(self._watch_steps())

    @property
    def state(self) -> PipelineState:
        """For the window."""
        if self.broken:
            return "broken"
        return "ready" if self._ready.is_set() else "preparing"

    async def wait_ready(self) -> None:
        """Wait until every stage is loaded and connected.

        Raises:
            PoolError: it broke before.
        """
        await self._ready.wait()
        if self.broken:
            raise self.broken

    @property
    def busy(self) -> bool:
        """Whether somebody is being answered, or waits."""
        return self._head is not None and self._head.busy

    @property
    def read(self) -> tuple[int, int]:
        """See Scheduler.read."""
        return self._head.read if self._head is not None else (0, 0)

    @property
    def unused(self) -> bool:
        """Whether it is ready and nobody needs it at the moment."""
        return self.state == "ready" and not self.busy

    @property
    def stats(self) -> HeadStats:
        """What the head did so far."""
        return self._head.stats if self._head is not None else HeadStats()

    async def generate(self, request: Request) -> Answer:
        """Answer a request; see Head.generate(). Waits until every stage is ready.

        Raises:
            RequestError: it could never be answered.
            QueueFull: too many wait already.
            PoolError: it broke.
        """
        await self.wait_ready()
        assert self._head is not None
        async with aclosing(self._head.generate(request)) as answer:
            async for item in answer:
                yield item

    def submit(self, batch: MicroBatch) -> asyncio.Future[dict[int, Chosen]]:
        """See decode.head.Stages."""
        future: asyncio.Future[dict[int, Chosen]] = asyncio.get_running_loop().create_future()
        if self.broken:
            future.set_exception(self.broken)
            return future
        step = next(self._steps)
        segments = batch.segments
        self._waiting[step] = _Step(future, segments)
        future.add_done_callback(lambda _: self._waiting.pop(step, None))
        self._watch.sent(len(batch.ids), time.monotonic())
        rows = np.array(batch.ids, np.int32)
        self._outgoing.put_nowait(frame_of(FrameKind.TOKENS, rows, session=self.session, step=step, segments=segments))
        return future

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        """See decode.head.Stages."""
        if not self.broken:
            self._on_end(sequence, keep)

    def use(self, drafter: Drafter) -> None:
        """Guess with it from now on."""
        self._drafter = drafter
        if self._head is not None:
            self._head.use(self._make_drafting(drafter))

    def deliver(self, node: NodeId, frame: Frame) -> None:
        """Take a CHOSEN or FAULT frame of the stage on `node`; nobody may wait for its step any more.

        Raises:
            FrameError: it is malformed, or not what was asked.
        """
        stage = self._stage(node)
        step = self._waiting.get(frame.step)
        if stage is None or step is None or step.future.done():
            return
        self._watch.answered(time.monotonic(), computed=bool(frame.rows))
        if frame.kind is FrameKind.CHOSEN:
            if frame.rows and stage is not self.stages[-1]:  # without rows: it skipped what was overridden
                raise FrameError("Picked ids came from a PC that does not run the last layers.")
            step.future.set_result(decode_chosen(frame.segments, rows_of(frame), step.segments))
            return
        fault = fault_of(frame)
        if fault.held >= 0:
            step.future.set_exception(NeedsReplay(SequenceId(fault.sequence), fault.held))
        else:
            self.fail(StageFailed(stage.name, shown(fault.sentence, MAX_SENTENCE)), lost=node)

    def on_stage(self, node: NodeId, news: StageProgress | StageReady | StageLeaving | StageLost) -> bool:
        """Take news of the stage on `node`; False where there is none, or what it says was known."""
        stage = self._stage(node)
        if stage is None or self.broken or (stage.phase == "ready" and not isinstance(news, StageLeaving | StageLost)):
            return False
        match news:
            case StageProgress(phase=phase, done=done, total=total):
                self._update(stage, phase=phase, bytes_on_disk=done, bytes_needed=total)
            case StageReady():
                facts = msgspec.structs.asdict(news)
                del facts["session"]
                texts = {name: shown(facts[name], MAX_SENTENCE) for name in ("device", "backend", "notice")}
                self._update(stage, phase="ready", **facts | texts)
            case StageLost(sentence=sentence):
                self.fail(StageFailed(stage.name, shown(sentence, MAX_SENTENCE)), lost=node)
            case StageLeaving(sentence=sentence):
                self.fail(StageLeft(stage.name, shown(sentence, MAX_SENTENCE)), lost=node)
        return True

    def lose(self, node: NodeId) -> None:
        """The PC is gone."""
        stage = self._stage(node)
        if stage is not None:
            self.fail(PeerLost(stage.name, stage.first, stage.last), lost=node)

    def doubt(self, nodes: frozenset[NodeId]) -> None:
        """Nothing is heard of these PCs for the moment: a step that is overdue is not waited for if it needs one."""
        self._doubted = nodes

    def fail(self, error: PoolError, *, lost: NodeId | None = None) -> None:
        """Break: every step under way fails with `error`."""
        if self.broken:
            return
        self.broken, self.lost = error, lost
        self.stages = [msgspec.structs.replace(s, phase="lost") if s.node == lost else s for s in self.stages]
        for step in list(self._waiting.values()):
            if not step.future.done():
                step.future.set_exception(error)
        if self._head is not None:
            self._head.fail(error)
        self._ready.set()
        self._tasks.cancel()
        self._report()

    def close(self) -> None:
        """Nobody needs it any more."""
        self.fail(PoolError("The pipeline was closed."))

    def _update(self, stage: StageInfo, **changes: object) -> None:
        self.stages[self.stages.index(stage)] = msgspec.structs.replace(stage, **changes)
        self.stages = self._preparation.timed(self.stages, time.monotonic())
        if self._head is None and all(s.phase == "ready" for s in self.stages):
            self._head = self._make_head()
            self._ready.set()
        self._report()

    def _make_head(self) -> Head:
        drafting = self._make_drafting(self._drafter) if self._drafter is not None else None
        return Head(self, room=room_of(self.stages), micro_batches=self._micro_batches, drafting=drafting)

    def _make_drafting(self, drafter: Drafter) -> Drafting:
        step_ms = [stage.step_ms for stage in self.stages]
        return Drafting(drafter, GuessBudget(step_ms if all(step_ms) else ()))

    def _report(self) -> None:
        detail = self.broken.sentence if self.broken else waited_for(self.stages)
        self._on_change(PipelineChanged(self.name, self.state, tuple(self.stages), detail))

    def _stage(self, node: NodeId) -> StageInfo | None:
        return next((stage for stage in self.stages if stage.node == node), None)

    async def _count_seconds(self) -> None:
        """Until all stages are ready, tell each second who is waited for, and for how long."""
        while not self._ready.is_set():
            await asyncio.sleep(COUNT_S)
            timed = self._preparation.timed(self.stages, time.monotonic())
            if timed != self.stages:
                self.stages = timed
                self._report()

    async def _watch_steps(self) -> None:
        """Give up a step that takes far longer than steps took; sooner where a PC is silent that has a part in it."""
        overdue_s = 0.0
        while True:
            await asyncio.sleep(TICK_S)
            doubted = next((stage for stage in self.stages if stage.node in self._doubted), None)
            overdue_s = overdue_s + TICK_S if self._watch.tick(doubted=doubted is not None) else 0.0
            if overdue_s and doubted is not None:
                self.fail(PeerLost(doubted.name, doubted.first, doubted.last), lost=NodeId(doubted.node))
            elif overdue_s > OVERDUE_S:
                self.fail(PoolError("A step never came back from the PCs of the chain."))

    async def _send_all(self) -> None:
        try:
            while True:
                await self._send(await self._outgoing.get())
        except IdlepoolError as error:
            self.fail(StageFailed(self.stages[0].name, error.sentence))
