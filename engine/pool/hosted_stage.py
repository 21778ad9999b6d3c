"""One stage on this PC: its process is loaded, frames go in and results go on, and at the end it is freed or kept warm.

prepare: bring bytes -> load in a process (stage_loading.py) -> connect to the next stage -> ready
step:    frame from the stage before -> process -> next stage, or ids and faults straight to the head
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from idlepool.engine.decode.scheduler import most_rows
from idlepool.engine.errors import FrameError, IdlepoolError, LinkError, StageFailed
from idlepool.engine.net.arrays import all_finite
from idlepool.engine.net.faults import fault_of
from idlepool.engine.net.frames import Frame, FrameKind, expect
from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import Intake, steps_of
from idlepool.engine.net.messages import Message, PrepareStage, StageLeaving, StageLost
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.pool.stage_loading import LoadedStage, load_stage
from idlepool.engine.pool.stage_room import MAX_SEQUENCES
from idlepool.engine.pool.stage_services import StageServices
from idlepool.engine.pool.step_drift import StepDrift
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.pool.warm_stages import WarmStage, WarmStages
from idlepool.engine.types import NodeId, SequenceId, SessionId, Span

log = logging.getLogger("idlepool.hosting")

BETTER_NEWS_S = 1.0
"""After the link to the next stage broke: time for that PC, or the end of its control link, to tell the head why."""

LAST_NEWS_S = 2.0
"""What a stage that ended gets to tell its head why."""


class HostedStage:
    """A stage from the order to prepare it until it is closed. `on_end` is called when it ended by itself, `on_loaded`
    hears what it takes of the stage before it from then on."""

    def __init__(
        self,
        order: PrepareStage,
        services: StageServices,
        *,
        warm: WarmStages,
        on_end: Callable[[], None],
        on_loaded: Callable[[Intake], None] = lambda intake: None,
    ) -> None:
        self.order = order
        self._services = services
        self._warm = warm
        self._on_end = on_end
        self._on_loaded = on_loaded
        self._loaded: LoadedStage | None = None
        self._next: Link | None = None
        self._news: asyncio.Queue[Message] = asyncio.Queue()
        self._lost = False
        self._leaving = False
        self._serves = False
        self._sound = True
        """Whether its process never failed."""
        self.freed = asyncio.Event()
        """Whether its memory is."""
        self._tasks = TaskKeeper(self._fail)
        self._teller = TaskKeeper()
        self._tasks.start(self._prepare())
        self._teller.start(self._tell_news())

    @property
    def head(self) -> NodeId:
        """Whose pipeline it belongs to."""
        return NodeId(self.order.head.node)

    @property
    def pid(self) -> int | None:
        """Of its process; None until that is loaded."""
        return self._loaded.host.pid if self._loaded is not None else None

    @property
    def device(self) -> str:
        """That it is loaded on; empty until then."""
        return self._loaded.shard.device if self._loaded is not None else ""

    @property
    def computes(self) -> bool:
        """Whether its layers are loaded, and nobody wants them back."""
        return self._loaded is not None and not self._lost and not self._leaving

    def leave(self, sentence: str, *, deadline_s: float) -> None:
        """Tell the head why, and end the process at this moment, in the middle of a step: what it holds is of no use to
        anybody, the head builds it anew from tokens. Frames are expected, and dropped, until the head releases the
        stage, at most for `deadline_s`. What is not loaded yet is over at once.
        """
        if self._lost or self._leaving:
            return
        self._leaving = True
        log.info("layers %s stop: %s", self._span, sentence)
        self._news.put_nowait(StageLeaving(self.order.session, sentence, int(1e3 * deadline_s)))
        if self._loaded is None or not self._serves:
            self._on_end()
        else:
            self._loaded.host.kill()
            self._tasks.start(self._end_after(self._loaded.host, deadline_s))

    async def accept(self, frame: Frame, *, sender: NodeId | None = None) -> None:
        """Hand the stage a frame of tokens or hidden states; waits while it is far behind. `sender` None: this PC.

        What comes for a stage that is leaving is dropped: nothing will answer it.

        Raises:
            FrameError: it is not what was agreed for this stage or whose frames it takes, or the stage is not loaded.
        """
        if self._loaded is None or not self._serves:
            raise FrameError(f"A frame came for layers {self._span}, which are not loaded yet.")
        first = self.order.first == 0
        kind, width = (FrameKind.TOKENS, 1) if first else (FrameKind.HIDDEN, self._loaded.model.manifest.hidden)
        wire = None if first else self.order.wire
        expect(frame, session=SessionId(self.order.session), kind=kind, width=width, dtype=wire)
        sequences = {segment.sequence for segment in frame.segments}
        if not all(segment.count for segment in frame.segments) or not 0 < len(sequences) == len(frame.segments):
            raise FrameError("A frame has nothing to compute, or two segments of one sequence.")
        if not first and not all_finite(frame):
            raise FrameError("A HIDDEN frame holds what is no number: NaN or infinity.")
        if sender is not None and sender != feeder_of(self.order):
            raise FrameError("A frame came from a PC that is not the one before in this pipeline.")
        if not self._leaving:
            await self._loaded.host.send(frame)

    async def end_sequence(self, sequence: SequenceId, keep: int = 0) -> None:
        """Free what is held of a sequence after its first `keep` positions."""
        if self._serves and self._loaded is not None and not self._leaving:
            await self._loaded.host.end_sequence(sequence, keep)

    async def close(self, *, keep: bool = False) -> None:
        """Free everything: the process and its memory, and the link to the next stage. `keep`: the process stays warm,
        if it is sound."""
        await self._tasks.close()
        if self._loaded is not None:
            if keep and self._sound and not self._leaving:
                self._warm.put(self.order, WarmStage(self._loaded.host, self._loaded.shard))
            else:
                await self._loaded.host.close()
        self.freed.set()
        if self._next is not None:
            await self._next.close("The pipeline was closed.")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_NEWS_S):
                await self._news.join()
        await self._teller.close()

    @property
    def _span(self) -> Span:
        return Span(self.order.first, self.order.last)

    async def _prepare(self) -> None:
        try:
            loaded = self._loaded = await load_stage(
                self.order, self._services, warm=self._warm, tell=self._news.put_nowait
            )
            rows = most_rows(loaded.shard.max_sequences or MAX_SEQUENCES)
            self._on_loaded(steps_of(loaded.model.manifest.hidden, self.order.wire, rows=rows))
            if self.order.next is not None:
                self._next = await self._services.connect(self.order.next, SessionId(self.order.session))
                self._tasks.start(self._watch(self._next))
        except IdlepoolError as error:
            self._lose(error.reason if isinstance(error, StageFailed) else str(error))
            return
        drift = StepDrift(loaded.times, self._services.measured)
        loaded.host.serve(self._pass_on, self._lose_process, on_step=drift.note)
        self._serves = True
        self._news.put_nowait(loaded.ready())

    async def _pass_on(self, frame: Frame, data: bytes) -> None:
        """A result of the stage: hidden states to the next one, ids and faults to the head."""
        if frame.kind is FrameKind.HIDDEN and self._next is not None:
            with contextlib.suppress(LinkError):  # whoever watches the link tells the head
                await self._next.send_frame(data)
            return
        if frame.kind is FrameKind.FAULT and fault_of(frame).held < 0:
            self._sound = False
        try:
            await self._services.deliver(self.head, frame, data)
        except LinkError as error:
            self._lose(f"a result could not be passed on: {error.sentence}")

    async def _watch(self, link: Link) -> None:
        """Nothing comes over the link to the next stage but its end."""
        async for _ in link:
            pass
        reason = await link.wait_closed()
        await asyncio.sleep(BETTER_NEWS_S)
        self._lose(f"its link to the next PC ended: {reason}")

    def _fail(self, error: BaseException) -> None:
        self._lose_process(f"something unexpected went wrong ({type(error).__name__})")

    def _lose_process(self, sentence: str) -> None:
        self._sound = False
        self._lose(sentence)

    def _lose(self, sentence: str) -> None:
        """Tell the head, once, that the stage is over, and have it closed."""
        if not self._lost and not self._leaving:
            self._lost = True
            log.info("layers %s: %s", self._span, sentence)
            self._news.put_nowait(StageLost(self.order.session, sentence))
            self._on_end()

    async def _end_after(self, host: StageHost, seconds: float) -> None:
        await host.close()
        self.freed.set()
        await asyncio.sleep(seconds)
        self._on_end()

    async def _tell_news(self) -> None:
        while True:
            news = await self._news.get()
            with contextlib.suppress(LinkError):  # the head is gone; that is noticed elsewhere
                await self._services.tell(self.head, news)
            self._news.task_done()


def feeder_of(order: PrepareStage) -> NodeId:
    """Whose frames a stage takes."""
    return NodeId(order.feeder or order.head.node)
