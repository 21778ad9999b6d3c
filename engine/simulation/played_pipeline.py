"""A pipeline of played PCs: layers are fetched and loaded, answers wait for room and grow, and it breaks once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from idlepool.engine.decode.admission import Admission, Room
from idlepool.engine.decode.request import Answer, Finished, Queued, Request, Token
from idlepool.engine.errors import PoolError
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.pool.warm_stages import KEEP_S
from idlepool.engine.simulation.figures import Figures
from idlepool.engine.simulation.pace import Pace
from idlepool.engine.simulation.played_pc import PlayedPc
from idlepool.engine.simulation.played_text import continuation
from idlepool.engine.types import Span

START_S = 2.0
"""A stage process that begins and compiles its graph, besides the reading of weights."""

LOAD_BYTES_S = 1.5e9
"""Weights from the disk into a device's memory."""


@dataclass(frozen=True, slots=True)
class PlayedStage:
    """One stage."""

    pc: PlayedPc
    span: Span
    weights: float
    """Bytes that a token meets."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a pipeline needs to know of the pool."""

    manifest: Manifest
    row_bytes: int
    """Of a token between two stages."""
    figures: Figures
    supply_bytes_s: Callable[[], float]
    """What all PCs together that have the model can send."""
    on_ready: Callable[[], None]


class PlayedPipeline:
    """What carry_on() takes for a pipeline. Made inside the event loop; begins to load at once."""

    def __init__(self, stages: Sequence[PlayedStage], room: Room, surroundings: Surroundings) -> None:
        self.stages = stages
        self.broken: PoolError | None = None
        self.broke_off = False
        """Whether somebody was being answered, or waited, when it broke."""
        self.ready = asyncio.Event()
        self._around = surroundings
        self._pace = Pace([(stage.pc.machine, stage.weights) for stage in stages], surroundings.row_bytes)
        self._admission = Admission(room)
        self._numbers = count()
        self._turns: dict[int, asyncio.Future[None]] = {}
        self._waits: dict[asyncio.Future[None], asyncio.TimerHandle | None] = {}
        self._prompts = asyncio.Lock()
        self._answering: set[int] = set()
        self._fetching = 0
        self._stalled = any(stage.pc.believed for stage in stages)
        self._loading = asyncio.create_task(self._load())

    @property
    def head(self) -> PlayedPc:
        """The PC of the first stage."""
        return self.stages[0].pc

    def stage_of(self, pc: PlayedPc) -> PlayedStage | None:
        """The stage on a PC, if there is one."""
        return next((stage for stage in self.stages if stage.pc is pc), None)

    async def generate(self, request: Request) -> Answer:
        """See engine.pool.pipeline.Pipeline.generate().

        Raises:
            RequestError: it could never be answered.
            QueueFull: too many wait already.
            PoolError: it broke.
        """
        number = next(self._numbers)
        tokens = len(request.prompt) + request.max_tokens
        self._admission.enter(number, tokens, resumed=request.resumed)
        turn = self._turns[number] = self._expect()
        try:
            if self.ready.is_set():
                self._admit()
                if not turn.done():
                    yield Queued(1)
            await self._until(turn)
            text = continuation(request.prompt, self._around.manifest.vocabulary)
            for given in range(request.max_tokens):
                await (self._token() if given else self._prompt(len(request.prompt)))
                yield Token(next(text))
            yield Finished("length")
        finally:
            del self._turns[number]
            self._answering.discard(number)
            self._admission.leave(number)
            if self.broken is None and self.ready.is_set():
                self._admit()

    def fail(self, error: PoolError) -> None:
        """It breaks: everybody who waits for it hears of that. Its layers stay loaded for a while."""
        if self.broken is not None:
            return
        self.broken = error
        self.broke_off = bool(self._turns)
        self._loading.cancel()
        for wait in list(self._waits):
            if not wait.done():
                wait.set_exception(error)
                wait.exception()  # somebody who gives up at this moment takes no notice of it
        if self.ready.is_set():
            now = asyncio.get_running_loop().time()
            for stage in self.stages:
                stage.pc.loaded = (stage.span, now)

    def stall(self) -> None:
        """A stage says nothing any more: nothing gets any further."""
        self._stalled = True
        for timer in self._waits.values():
            if timer is not None:
                timer.cancel()

    # --- loading ------------------------------------------------------------------------------------------------------

    async def _load(self) -> None:
        async with asyncio.TaskGroup() as preparing:
            for stage in self.stages:
                preparing.create_task(self._prepare(stage))
        if not self._stalled:
            self.ready.set()
            self._admit()
            self._around.on_ready()

    async def _prepare(self, stage: PlayedStage) -> None:
        """Fetch what is missing, from all that have it, and load it unless it still is."""
        pc = stage.pc
        pc.disk.use(stage.span)
        self._fetching += 1
        try:
            for layer in pc.disk.missing(stage.span):
                size = pc.disk.size_of(layer)
                supply_bytes_s = self._around.supply_bytes_s() / self._fetching
                await asyncio.sleep(size / min(pc.machine.net_bytes_s, supply_bytes_s))
                self._around.figures.fetched_bytes += pc.disk.add(layer, needed=set(stage.span))
        finally:
            self._fetching -= 1
        now = asyncio.get_running_loop().time()
        warm, pc.loaded = pc.loaded, None
        if warm is None or warm[0] != stage.span or now - warm[1] > KEEP_S:
            self._around.figures.loads += 1
            await asyncio.sleep(START_S + stage.weights / LOAD_BYTES_S)
        else:
            self._around.figures.taken_over += 1
        pc.times = pc.machine.measured(self._around.manifest.model, stage.span, stage.weights)

    # --- answering ----------------------------------------------------------------------------------------------------

    def _admit(self) -> None:
        for number in self._admission.admit():
            self._answering.add(number)
            if not self._turns[number].done():  # else nobody waits for it any more
                self._turns[number].set_result(None)

    async def _prompt(self, tokens: int) -> None:
        async with self._prompts:
            await self._pass(self._pace.prompt_ms(tokens, alone=len(self._answering) == 1))
            self._note_rows(tokens)

    async def _token(self) -> None:
        milliseconds = self._pace.token_ms(len(self._answering), beside_prompt=self._prompts.locked())
        await self._pass(milliseconds)
        self._around.figures.token_ms[round(milliseconds)] += 1
        self._note_rows(1)

    def _note_rows(self, rows: int) -> None:
        """Hidden states went from stage to stage."""
        self._around.figures.activation_bytes += rows * (len(self.stages) - 1) * self._around.row_bytes

    async def _pass(self, milliseconds: float) -> None:
        wait = self._expect()
        if not self._stalled:
            loop = asyncio.get_running_loop()
            self._waits[wait] = loop.call_later(milliseconds / 1e3, wait.set_result, None)
        await self._until(wait)

    def _expect(self) -> asyncio.Future[None]:
        """What the pipeline's end fails."""
        wait = asyncio.get_running_loop().create_future()
        if self.broken is not None:
            wait.set_exception(self.broken)
        self._waits[wait] = None
        return wait

    async def _until(self, wait: asyncio.Future[None]) -> None:
        try:
            await wait
        finally:
            timer = self._waits.pop(wait)
            if timer is not None:
                timer.cancel()
