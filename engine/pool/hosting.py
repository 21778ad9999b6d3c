"""All stages that this PC hosts, for others and for itself, by session."""

from __future__ import annotations

import asyncio

from idlepool.engine.errors import FrameError
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.messages import PrepareStage
from idlepool.engine.pool.hosted_stage import HostedStage, StageServices
from idlepool.engine.types import NodeId, SequenceId, SessionId


class Hosting:
    """Prepares, feeds and frees stages."""

    def __init__(self, services: StageServices) -> None:
        self._services = services
        self._stages: dict[SessionId, HostedStage] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def prepare(self, order: PrepareStage) -> None:
        """Begin to prepare a stage; its head hears of every step, and of a failure."""
        session = SessionId(order.session)
        if session not in self._stages:
            self._stages[session] = HostedStage(order, self._services, on_end=lambda: self.release(session))

    async def accept(self, frame: Frame) -> None:
        """Give a frame to the stage it is for.

        Raises:
            FrameError: no such stage is here, or the frame is not what was agreed for it.
        """
        stage = self._stages.get(frame.session)
        if stage is None:
            raise FrameError(f"A frame came for session {frame.session:x}, which is not prepared here.")
        await stage.accept(frame)

    async def end_sequence(self, head: NodeId, session: SessionId, sequence: SequenceId) -> None:
        """Free what a stage holds of a sequence, if it is that head's."""
        stage = self._stages.get(session)
        if stage is not None and stage.head == head:
            await stage.end_sequence(sequence)

    def release_for(self, head: NodeId, session: SessionId) -> None:
        """Free a stage, if it is that head's."""
        stage = self._stages.get(session)
        if stage is not None and stage.head == head:
            self.release(session)

    def release(self, session: SessionId) -> None:
        """Free a stage and its memory; begins at once, ends a little later."""
        stage = self._stages.pop(session, None)
        if stage is not None:
            task = asyncio.create_task(stage.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    def release_of(self, head: NodeId) -> None:
        """The head is gone: free what was hosted for it."""
        for session in [session for session, stage in self._stages.items() if stage.head == head]:
            self.release(session)

    async def close(self) -> None:
        """Free everything and wait for it."""
        for session in list(self._stages):
            self.release(session)
        await asyncio.gather(*self._closing)
