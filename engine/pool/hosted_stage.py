"""One stage on this PC: its weights are brought, its process loads them, frames go in and results go on.

prepare: bring bytes -> load in a process -> connect to the next stage -> ready
step:    frame from the stage before -> process -> next stage, or ids and faults straight to the head
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from idlepool.engine.backends.choice import candidates, device_order
from idlepool.engine.decode.scheduler import most_rows
from idlepool.engine.errors import FrameError, IdlepoolError, LinkError, StageEnded, StageFailed
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.net.arrays import all_finite
from idlepool.engine.net.frames import Frame, FrameKind, expect
from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import Intake, steps_of
from idlepool.engine.net.messages import (
    DeviceInfo,
    LoadShard,
    Message,
    PrepareStage,
    ShardLoaded,
    StageLeaving,
    StageLost,
    StageProgress,
    StageReady,
    StepTimes,
)
from idlepool.engine.pool.model_source import Local
from idlepool.engine.pool.pipeline import MAX_SEQUENCES
from idlepool.engine.pool.plan import WORKING_MEMORY
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.pool.stage_services import StageServices
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import NodeId, SequenceId, SessionId, Span

log = logging.getLogger("idlepool.hosting")

BETTER_NEWS_S = 1.0
"""After the link to the next stage broke: time for that PC, or the end of its control link, to tell the head why."""

LOADS_EACH = 2
"""Processes that a device in one form may take down before the next process leaves it alone; see VerdictStore."""

FREEING_S = 0.5
"""What it takes until the memory of a process is back that is ended."""

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
        on_end: Callable[[], None],
        on_loaded: Callable[[Intake], None] = lambda intake: None,
    ) -> None:
        self.order = order
        self._services = services
        self._on_end = on_end
        self._on_loaded = on_loaded
        self._manifest: Manifest | None = None
        self._host: StageHost | None = None
        self._next: Link | None = None
        self._news: asyncio.Queue[Message] = asyncio.Queue()
        self._lost = False
        self._leaving = False
        self._serves = False
        self._tasks = TaskKeeper(self._fail)
        self._teller = TaskKeeper()
        self._tasks.start(self._prepare())
        self._teller.start(self._tell_news())

    @property
    def head(self) -> NodeId:
        """Whose pipeline it belongs to."""
        return NodeId(self.order.head.node)

    def leave(self, sentence: str, *, deadline_s: float) -> None:
        """Do no step from this moment on, tell the head why, and free the memory: when the head releases the stage, or
        within `deadline_s` by itself. What is not loaded yet is freed at once.

        The process is suspended, so that the step stops which is under way, however long it would go on.
        """
        if not self._serves:
            self._lose(sentence)
        elif not self._leaving and self._host is not None:
            self._leaving = True
            self._host.suspend()
            log.info("layers %s stop: %s", self._span, sentence)
            self._news.put_nowait(StageLeaving(self.order.session, sentence, int(1e3 * deadline_s)))
        if self._leaving:
            self._tasks.start(self._end_after(deadline_s - FREEING_S))

    async def accept(self, frame: Frame, *, sender: NodeId | None = None) -> None:
        """Hand the stage a frame of tokens or hidden states; waits while it is far behind. `sender` None: this PC.

        What comes for a stage that is leaving is dropped: nothing will answer it.

        Raises:
            FrameError: it is not what was agreed for this stage or whose frames it takes, or the stage is not loaded.
        """
        if self._host is None or self._manifest is None:
            raise FrameError(f"A frame came for layers {self._span}, which are not loaded yet.")
        first = self.order.first == 0
        kind, width = (FrameKind.TOKENS, 1) if first else (FrameKind.HIDDEN, self._manifest.hidden)
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
            await self._host.send(frame)

    async def end_sequence(self, sequence: SequenceId, keep: int = 0) -> None:
        """Free what is held of a sequence after its first `keep` positions."""
        if self._host is not None and not self._leaving:
            await self._host.end_sequence(sequence, keep)

    async def close(self) -> None:
        """Free everything: the process and its memory, and the link to the next stage."""
        await self._tasks.close()
        if self._host is not None:
            await self._host.close()
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
            model, loaded = await self._load()
            if self.order.next is not None:
                self._next = await self._services.connect(self.order.next, SessionId(self.order.session))
                self._tasks.start(self._watch(self._next))
        except IdlepoolError as error:
            self._lose(error.reason if isinstance(error, StageFailed) else str(error))
            return
        assert self._host is not None
        self._serves = True
        self._host.serve(self._pass_on, self._lose)
        on_disk, needed, whole = _sizes(model, self._span)
        self._news.put_nowait(
            StageReady(
                self.order.session,
                self._host.pid,
                loaded.device,
                on_disk,
                needed,
                whole,
                backend=loaded.backend,
                notice=loaded.notice,
                reproducible=loaded.reproducible,
                cache_tokens=loaded.cache_tokens,
                block_tokens=loaded.block_tokens,
                max_sequences=loaded.max_sequences,
                step_ms=loaded.steps_ms[0] if loaded.steps_ms else 0.0,
            )
        )

    async def _load(self) -> tuple[Local, ShardLoaded]:
        order, services = self.order, self._services

        def progress(done: int, total: int) -> None:
            self._news.put_nowait(StageProgress(order.session, "fetching", done, total))

        model = await services.bring(order, progress)
        if order.last > model.manifest.layers:
            raise StageFailed(services.name, f"the model has {model.manifest.layers} layers, not {order.last}")
        self._news.put_nowait(StageProgress(order.session, "loading"))
        self._manifest = model.manifest
        loaded = await self._load_in_process(model)
        log.info("layers %s loaded on %s in %.1f s", self._span, loaded.device, loaded.seconds)
        rows = most_rows(loaded.max_sequences or MAX_SEQUENCES)
        self._on_loaded(steps_of(model.manifest.hidden, order.wire, rows=rows))
        if loaded.steps_ms:
            services.measured(
                StepTimes(order.first, order.last, loaded.steps_ms, order.model, loaded.device, loaded.backend)
            )
        return model, loaded

    async def _load_in_process(self, model: Local) -> ShardLoaded:
        """Load the layers; where a driver takes the process down, in another one, which then leaves the device alone.

        Raises:
            StageFailed: it cannot be done here.
        """
        services, ended = self._services, 0
        while True:
            self._host = await services.spare.take()
            order = self._load_order(model, self._host.devices)
            try:
                return await self._host.load(order, name=services.name)
            except StageEnded as error:
                log.warning("%s", error.sentence)
                await self._host.close()
                ended += 1
                if ended > LOADS_EACH * len(order.candidates):
                    raise

    def _load_order(self, model: Local, devices: tuple[DeviceInfo, ...]) -> LoadShard:
        """What the process is to load, and on which of this PC's devices; what the head planned with comes first."""
        order, services = self.order, self._services
        needed = int(WORKING_MEMORY * model.manifest.bytes_of(model.manifest.chunks_of(self._span)))
        ordered = device_order(devices, asked=order.device, forbidden=services.forbidden, needed_bytes=needed)
        return LoadShard(
            folder=str(model.folder),
            model=order.model,
            first=order.first,
            last=order.last,
            candidates=candidates(ordered),
            wire=order.wire,
            cache=str(services.cache),
            threads=services.threads,
            held=tuple((r.offset, r.length) for r in model.held_ranges) if isinstance(model, PartialModel) else None,
        )

    async def _pass_on(self, frame: Frame, data: bytes) -> None:
        """A result of the stage: hidden states to the next one, ids and faults to the head."""
        if frame.kind is FrameKind.HIDDEN and self._next is not None:
            with contextlib.suppress(LinkError):  # whoever watches the link tells the head
                await self._next.send_frame(data)
            return
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
        self._lose(f"something unexpected went wrong ({type(error).__name__})")

    def _lose(self, sentence: str) -> None:
        """Tell the head, once, that the stage is over, and have it closed."""
        if not self._lost:
            self._lost = True
            log.info("layers %s: %s", self._span, sentence)
            self._news.put_nowait(StageLost(self.order.session, sentence))
            self._on_end()

    async def _end_after(self, seconds: float) -> None:
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


def _sizes(model: Local, span: Span) -> tuple[int, int, int]:
    """Bytes on this disk, bytes that the span needs, bytes of the whole model; the small files counted in each."""
    small = sum(file.size for file in model.manifest.files)
    needed = small + model.manifest.bytes_of(model.manifest.chunks_of(span))
    whole = small + model.manifest.weights_bytes
    return (model.bytes_on_disk if isinstance(model, PartialModel) else whole), needed, whole
