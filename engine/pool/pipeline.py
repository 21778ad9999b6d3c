"""A running pipeline as its head holds it: which PC runs which layers, the steps under way, and how it breaks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import numpy as np

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.sequence import HeldSequence
from idlepool.engine.errors import PeerLost, PoolError, StageFailed
from idlepool.engine.events import PipelineChanged, PipelineState, StageInfo
from idlepool.engine.net.arrays import frame_of, rows_of
from idlepool.engine.net.faults import fault_of
from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.net.messages import StageLost, StageProgress, StageReady
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ModelId, NodeId, SequenceId, SessionId

MAX_SEQUENCES = 8
"""Conversations that a pipeline keeps warm; the one not asked for longest goes first. As many as a shard holds."""


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
        self._waiting: dict[int, asyncio.Future[list[int]]] = {}
        self._outgoing: asyncio.Queue[Frame] = asyncio.Queue()
        self._sequences: dict[str, HeldSequence] = {}
        self._numbers = itertools.count(1)
        self._sender = asyncio.create_task(self._send_all())

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

    def sequence(self, conversation: str) -> tuple[HeldSequence, SequenceId | None]:
        """The sequence of a conversation, new or known, and the one that had to make room for it."""
        gone = None
        held = self._sequences.pop(conversation, None)
        if held is None:
            held = HeldSequence(SequenceId(next(self._numbers)))
            if len(self._sequences) >= MAX_SEQUENCES:
                gone = self._sequences.pop(next(iter(self._sequences))).id
        self._sequences[conversation] = held
        return held, gone

    def submit(self, segment: Segment, ids: Sequence[int]) -> asyncio.Future[list[int]]:
        """See decode.head.Stages."""
        future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        if self.broken:
            future.set_exception(self.broken)
            return future
        step = next(self._steps)
        self._waiting[step] = future
        future.add_done_callback(lambda _: self._waiting.pop(step, None))
        rows = np.array(ids, np.int32)
        self._outgoing.put_nowait(
            frame_of(FrameKind.TOKENS, rows, session=self.session, step=step, segments=(segment,))
        )
        return future

    def deliver(self, frame: Frame) -> None:
        """Take a CHOSEN or FAULT frame from a stage; one for a step that nobody waits for any more is dropped.

        Raises:
            FrameError: it is malformed.
        """
        future = self._waiting.get(frame.step)
        if future is None or future.done():
            return
        if frame.kind is FrameKind.CHOSEN:
            future.set_result(rows_of(frame)[:, 0].tolist())
            return
        fault = fault_of(frame)
        if fault.held >= 0:
            future.set_exception(NeedsReplay(SequenceId(fault.sequence), fault.held))
        else:
            future.set_exception(StageFailed("A stage", fault.sentence))

    def on_stage(self, node: NodeId, news: StageProgress | StageReady | StageLost) -> None:
        """Take news of the stage on `node`."""
        stage = next((s for s in self.stages if s.node == node), None)
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
                self.fail(StageFailed(stage.name, sentence), lost=node)

    def lose(self, node: NodeId) -> None:
        """The PC is gone."""
        stage = next((s for s in self.stages if s.node == node), None)
        if stage is not None:
            self.fail(PeerLost(stage.name, stage.first, stage.last), lost=node)

    def fail(self, error: PoolError, *, lost: NodeId | None = None) -> None:
        """Break: every step under way fails with `error`."""
        if self.broken:
            return
        self.broken = error
        self.stages = [msgspec.structs.replace(s, phase="lost") if s.node == lost else s for s in self.stages]
        for future in list(self._waiting.values()):
            if not future.done():
                future.set_exception(error)
        self._ready.set()
        self._sender.cancel()
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

    async def _send_all(self) -> None:
        while True:
            await self._send(await self._outgoing.get())
