"""A running pipeline as its head holds it: which PC runs which layers, the steps under way, and how it breaks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgspec
import numpy as np

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.sequence import HeldSequence
from idlepool.engine.errors import FrameError, IdlepoolError, PeerLost, PoolError, StageFailed
from idlepool.engine.events import PipelineChanged, PipelineState, StageInfo
from idlepool.engine.net.arrays import frame_of, rows_of
from idlepool.engine.net.faults import fault_of
from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.net.handshake import shown
from idlepool.engine.net.messages import StageLost, StageProgress, StageReady
from idlepool.engine.net.segments import Segment
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId, SequenceId, SessionId

MAX_SEQUENCES = 8
"""Conversations that a pipeline answers at once and keeps warm; the one not asked for longest makes room first."""


MAX_SENTENCE = 300
"""Characters of a peer's sentence that are shown."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A step under way, and how many ids it must bring."""

    future: asyncio.Future[list[int]]
    rows: int


class Pipeline:
    """One model spread over stages. `send` takes frames to the first stage; `on_change` hears of every change.

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
    ) -> None:
        self.session = session
        self.model = model
        self.name = name
        self.stages = list(stages)
        self.broken: PoolError | None = None
        self._on_change = on_change
        self._send = send
        self._ready = asyncio.Event()
        self._steps = itertools.count(1)
        self._waiting: dict[int, _Step] = {}
        self._outgoing: asyncio.Queue[Frame] = asyncio.Queue()
        self._sequences: dict[str, HeldSequence] = {}
        self._answering: set[str] = set()
        self._seats = asyncio.Semaphore(MAX_SEQUENCES)
        self._numbers = itertools.count(1)
        self._tasks = TaskKeeper(lambda error: self.fail(PoolError(f"The head failed ({type(error).__name__}).")))
        self._tasks.start(self._send_all())

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
        """Whether somebody is being answered."""
        return bool(self._answering)

    @asynccontextmanager
    async def turn(self, conversation: str) -> AsyncIterator[tuple[HeldSequence, SequenceId | None]]:
        """The sequence of a conversation while it is being answered, and the idle one that made room for it.

        Waits while MAX_SEQUENCES others are being answered.
        """
        async with self._seats:
            self._answering.add(conversation)
            try:
                yield self.sequence(conversation)
            finally:
                self._answering.discard(conversation)

    def sequence(self, conversation: str) -> tuple[HeldSequence, SequenceId | None]:
        """The sequence of a conversation, new or known, and the idle one that had to make room for it."""
        held = self._sequences.pop(conversation, None) or HeldSequence(SequenceId(next(self._numbers)))
        gone = None
        if len(self._sequences) >= MAX_SEQUENCES:
            idle = next(name for name in self._sequences if name not in self._answering)
            gone = self._sequences.pop(idle).id
        self._sequences[conversation] = held
        return held, gone

    def submit(self, segment: Segment, ids: Sequence[int]) -> asyncio.Future[list[int]]:
        """See decode.head.Stages."""
        future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        if self.broken:
            future.set_exception(self.broken)
            return future
        step = next(self._steps)
        self._waiting[step] = _Step(future, segment.sample)
        future.add_done_callback(lambda _: self._waiting.pop(step, None))
        rows = np.array(ids, np.int32)
        self._outgoing.put_nowait(
            frame_of(FrameKind.TOKENS, rows, session=self.session, step=step, segments=(segment,))
        )
        return future

    def deliver(self, node: NodeId, frame: Frame) -> None:
        """Take a CHOSEN or FAULT frame of the stage on `node`; nobody may wait for its step any more.

        Raises:
            FrameError: it is malformed, or not what was asked.
        """
        stage = self._stage(node)
        step = self._waiting.get(frame.step)
        if stage is None or step is None or step.future.done():
            return
        if frame.kind is FrameKind.CHOSEN:
            ids = rows_of(frame)[:, 0].tolist()
            if len(ids) != step.rows or any(token < 0 for token in ids):
                raise FrameError(f"{stage.name} chose {len(ids)} tokens where {step.rows} were asked for.")
            step.future.set_result(ids)
            return
        fault = fault_of(frame)
        if fault.held >= 0:
            step.future.set_exception(NeedsReplay(SequenceId(fault.sequence), fault.held))
        else:
            step.future.set_exception(StageFailed(stage.name, shown(fault.sentence, MAX_SENTENCE)))

    def on_stage(self, node: NodeId, news: StageProgress | StageReady | StageLost) -> None:
        """Take news of the stage on `node`."""
        stage = self._stage(node)
        if stage is None or self.broken:
            return
        match news:
            case StageProgress(phase=phase, done=done, total=total):
                percent = f" {100 * done // total} %" if phase == "fetching" and total else ""
                self._update(stage, phase=phase + percent)
            case StageReady():
                facts = msgspec.structs.asdict(news)
                del facts["session"]
                self._update(stage, phase="ready", **facts)
            case StageLost(sentence=sentence):
                self.fail(StageFailed(stage.name, shown(sentence, MAX_SENTENCE)), lost=node)

    def lose(self, node: NodeId) -> None:
        """The PC is gone."""
        stage = self._stage(node)
        if stage is not None:
            self.fail(PeerLost(stage.name, stage.first, stage.last), lost=node)

    def fail(self, error: PoolError, *, lost: NodeId | None = None) -> None:
        """Break: every step under way fails with `error`."""
        if self.broken:
            return
        self.broken = error
        self.stages = [msgspec.structs.replace(s, phase="lost") if s.node == lost else s for s in self.stages]
        for step in list(self._waiting.values()):
            if not step.future.done():
                step.future.set_exception(error)
        self._ready.set()
        self._tasks.cancel()
        self._report()

    def close(self) -> None:
        """Nobody needs it any more."""
        self.fail(PoolError("The pipeline was closed."))

    def _update(self, stage: StageInfo, **changes: object) -> None:
        self.stages[self.stages.index(stage)] = msgspec.structs.replace(stage, **changes)
        if all(s.phase == "ready" for s in self.stages):
            self._ready.set()
        self._report()

    def _report(self) -> None:
        detail = str(self.broken) if self.broken else ""
        self._on_change(PipelineChanged(self.name, self.state, tuple(self.stages), detail))

    def _stage(self, node: NodeId) -> StageInfo | None:
        return next((stage for stage in self.stages if stage.node == node), None)

    async def _send_all(self) -> None:
        try:
            while True:
                await self._send(await self._outgoing.get())
        except IdlepoolError as error:
            self.fail(StageFailed(self.stages[0].name, error.sentence))
