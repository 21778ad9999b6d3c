"""All stages that this PC hosts, for others and for itself, by session."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial

from idlepool.engine.errors import FrameError, LinkError, ProtocolError
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import Intake
from idlepool.engine.net.messages import Message, PrepareStage, StageLeaving, StageLost
from idlepool.engine.pool.activity import Activity
from idlepool.engine.pool.feeding import Feeding
from idlepool.engine.pool.hosted_stage import HostedStage, feeder_of
from idlepool.engine.pool.stage_services import StageServices
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.pool.warm_stages import WarmStages
from idlepool.engine.types import ModelId, NodeId, SequenceId, SessionId, Span

log = logging.getLogger("idlepool.hosting")

MAX_STAGES = 8
"""Stages that a PC hosts at once, each a process of 200 MB before it holds a layer."""

FREEING_S = 10.0
"""How long memory is waited for that is being freed: a process may hang in a driver so that it cannot even be ended."""


class Hosting:
    """Prepares, feeds and frees stages."""

    def __init__(self, services: StageServices, *, on_guests: Callable[[], None] = lambda: None) -> None:
        """`on_guests` hears that something changed about the stages of other PCs' pipelines."""
        self.activity = Activity()
        self.lends = True
        """Whether stages are prepared for other PCs. Those of this PC's own pipelines always are."""
        self._services = services
        self._on_guests = on_guests
        self._stages: dict[SessionId, HostedStage] = {}
        self._preparing: dict[SessionId, tuple[NodeId, asyncio.Task[None]]] = {}
        self._closing: set[HostedStage] = set()
        self._warm = WarmStages()
        self._feeding = Feeding()
        self._tasks = TaskKeeper()

    @property
    def guests(self) -> tuple[HostedStage, ...]:
        """The stages of other PCs' pipelines."""
        return tuple(stage for stage in self._stages.values() if stage.head != self._services.here)

    @property
    def stages(self) -> tuple[HostedStage, ...]:
        """All of them, also those that are being prepared."""
        return tuple(self._stages.values())

    @property
    def in_use(self) -> tuple[tuple[ModelId, Span], ...]:
        """The layers whose weights processes here read."""
        orders = (stage.order for stage in (*self._stages.values(), *self._closing))
        return (*((ModelId(order.model), Span(order.first, order.last)) for order in orders), *self._warm.in_use)

    def prepare(self, order: PrepareStage) -> None:
        """Begin to prepare a stage; its head hears of every step, and of a failure.

        What is being freed is gone first: its memory is needed, and on Windows its weights file is locked.
        """
        session = SessionId(order.session)
        if session not in self._preparing and session not in self._stages:
            task = self._tasks.start(self._prepare(order))
            self._preparing[session] = (NodeId(order.head.node), task)
            task.add_done_callback(lambda _: self._preparing.pop(session, None))

    def leave(self, sentence: str, *, deadline_s: float) -> None:
        """End at once what is done for other PCs, free its memory, and tell their heads why; what still comes for it is
        dropped for `deadline_s`, or until the heads release the stages. What is done for this PC goes on."""
        for stage in self.guests:
            stage.leave(sentence, deadline_s=deadline_s)
        self._on_guests()
        self._tasks.start(self._warm.free(but=self._services.here))

    async def free_warm(self) -> None:
        """End the stages that serve nobody and were kept for whoever comes next."""
        await self._warm.free()

    async def accept(self, frame: Frame, *, sender: NodeId | None = None) -> None:
        """Give a frame of another PC, or of this one, to the stage it is for.

        Raises:
            FrameError: no such stage is here, or the frame is not what was agreed for it.
        """
        stage = self._stages.get(frame.session)
        if stage is None:
            raise FrameError(f"A frame came for session {frame.session:x}, which is not prepared here.")
        self.activity.compute(frame)
        await stage.accept(frame, sender=sender)

    async def serve(self, link: Link) -> None:
        """Take the frames of an activation link until it closes; the first that was not agreed closes it."""
        with self._feeding.linked(link):
            await self._take_frames(link)

    async def _take_frames(self, link: Link) -> None:
        async for item in link:
            if not isinstance(item, Frame):
                await link.close("Only frames are taken on an activation link.")
                return
            try:
                if item.session != link.session:
                    raise FrameError(f"A frame for session {item.session:x} came over a link for another one.")
                await self.accept(item, sender=link.peer.node)
            except ProtocolError as error:
                log.info("%s: %s", link, error)
                await link.close(error.sentence)

    async def end_sequence(self, head: NodeId, session: SessionId, sequence: SequenceId, keep: int = 0) -> None:
        """Free what a stage holds of a sequence after its first `keep` positions, if it is that head's."""
        stage = self._stages.get(session)
        if stage is not None and stage.head == head:
            await stage.end_sequence(sequence, keep)

    def release_for(self, head: NodeId, session: SessionId) -> None:
        """Free a stage, if it is that head's, or do not begin it."""
        stage = self._stages.get(session)
        if stage is not None and stage.head == head:
            self.release(session)
        asker, task = self._preparing.get(session, (None, None))
        if task is not None and asker == head:
            task.cancel()

    def release(self, session: SessionId, *, keep: bool = True) -> None:
        """Free a stage and its memory; begins at once, ends a little later. `keep`: it may stay warm."""
        stage = self._stages.pop(session, None)
        self._feeding.end(session)
        self.activity.over(session)
        if stage is not None:
            self._closing.add(stage)
            task = self._tasks.start(stage.close(keep=keep and self._lends_to(stage.head)))
            task.add_done_callback(lambda _: self._closing.discard(stage))
            self._on_guests()

    def release_of(self, head: NodeId) -> None:
        """The head is gone: free what was hosted for it."""
        sessions = [session for session, stage in self._stages.items() if stage.head == head]
        for session in sessions + [session for session, (asker, _) in self._preparing.items() if asker == head]:
            self.release_for(head, session)

    async def close(self) -> None:
        """Free everything and wait for it."""
        for _, task in self._preparing.values():
            task.cancel()
        for session in list(self._stages):
            self.release(session, keep=False)
        await self._tasks.wait()
        await self._warm.free()

    async def _prepare(self, order: PrepareStage) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FREEING_S):
                await asyncio.gather(*(stage.freed.wait() for stage in self._closing))
        await self._warm.make_way(order)
        problem = self._problem(order)
        if problem is not None:
            with contextlib.suppress(LinkError):  # the head is gone; that is noticed elsewhere
                await self._services.tell(NodeId(order.head.node), problem)
            return
        session = SessionId(order.session)
        self._stages[session] = HostedStage(
            order,
            self._services,
            warm=self._warm,
            on_end=lambda: self.release(session),
            on_loaded=partial(self._on_loaded, session, feeder_of(order)),
        )

    def _on_loaded(self, session: SessionId, feeder: NodeId, intake: Intake) -> None:
        self._feeding.begin(session, feeder, intake)
        self._on_guests()

    def _lends_to(self, head: NodeId) -> bool:
        return self.lends or head == self._services.here

    def _problem(self, order: PrepareStage) -> Message | None:
        if not 0 <= order.first < order.last:
            return StageLost(order.session, f"it was asked for the layers {order.first} to {order.last}")
        if not self._lends_to(NodeId(order.head.node)):
            return StageLeaving(order.session, "it is not lent at the moment.", 0)
        if len(self._stages) >= MAX_STAGES:
            return StageLost(order.session, f"it hosts {MAX_STAGES} stages already")
        return None
