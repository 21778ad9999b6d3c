"""The head's loop, told once: whatever changes, frames go out; whatever lands, tokens come out.

    request -> queue -> sequence -> segments of several sequences in a frame -> stages -> ids -> accepted -> yielded
                                 ^------------- guesses of a drafter <-------------------'

Every segment says where it starts, so nothing has to be undone: an answer that is stopped, a rejected guess or an
edited message makes the next segment start earlier.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.admission import Admission, Room
from idlepool.engine.decode.chosen import Chosen
from idlepool.engine.decode.decoding import Decoding
from idlepool.engine.decode.drafting import Drafting
from idlepool.engine.decode.holding import Holding
from idlepool.engine.decode.request import Answer, Finished, Queued, Request, Token
from idlepool.engine.decode.scheduler import MicroBatch, Scheduler
from idlepool.engine.errors import IdlepoolError, PoolError
from idlepool.engine.types import SequenceId

MAX_REPLAYS = 3
"""Times a sequence is sent again because a stage holds less than was thought, with no token in between."""


class Stages(Protocol):
    """The pipeline as the head sees it."""

    def submit(self, batch: MicroBatch) -> asyncio.Future[dict[int, Chosen]]:
        """Send a frame on its way; its future gives what was chosen, by sequence; one that is missing was skipped.

        It fails with NeedsReplay where a stage holds less than a segment's start, with PoolError where the pipeline
        broke. Frames are computed in the order in which they were sent.
        """

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        """Free what every stage holds of a sequence after its first `keep` positions, at once.

        Whatever of it is under way need not be computed. With `keep` 0 the sequence never comes back.
        """


@dataclass(slots=True)
class _Live:
    """A request from its first moment to its last."""

    request: Request
    number: int
    news: asyncio.Queue[Queued | Token | Finished | IdlepoolError] = field(default_factory=asyncio.Queue)
    decoding: Decoding | None = None
    given: int = 0
    replays: int = 0
    position: int = 0
    loose: bool = False
    """Whether something of it was under way when it was over."""


@dataclass(slots=True)
class HeadStats:
    """What the head did since it began: frames and their rows, tokens given, its own work, all counted up."""

    frames: int = 0
    rows: int = 0
    tokens: int = 0
    own_ms: float = 0.0
    round_trips_ms: float = 0.0


class Head:
    """Answers requests over a pipeline; those that find no room wait in line.

    `micro_batches`: frames kept under way, at least the number of stages.
    """

    def __init__(self, stages: Stages, *, room: Room, micro_batches: int, drafting: Drafting | None = None) -> None:
        self.stats = HeadStats()
        self._stages = stages
        self._drafting = drafting
        self._scheduler = Scheduler(micro_batches=micro_batches)
        self._admission = Admission(room)
        self._holding = Holding(self._admission, self._end)
        self._live: dict[int, _Live] = {}
        self._owners: dict[Decoding, _Live] = {}
        self._numbers = itertools.count(1)
        self._under_way = 0
        self._news: list[tuple[_Live, Token | Finished]] = []

    @property
    def busy(self) -> bool:
        """Whether somebody is being answered, or waits."""
        return bool(self._live)

    @property
    def read(self) -> tuple[int, int]:
        """See Scheduler.read."""
        return self._scheduler.read

    async def generate(self, request: Request) -> Answer:
        """Answer a request: its place in line as that changes, tokens, and how it ended.

        Raises:
            RequestError: it could never be answered.
            QueueFull: too many wait already.
            PoolError: the pipeline broke; what was yielded stays right.
        """
        live = _Live(request, next(self._numbers))
        self._admission.enter(live.number, len(request.prompt) + request.max_tokens, resumed=request.resumed)
        self._live[live.number] = live
        try:
            self._proceed()
            while True:
                news = await live.news.get()
                if isinstance(news, IdlepoolError):
                    raise news
                yield news
                if isinstance(news, Finished):
                    return
        finally:
            self._leave(live)

    def use(self, drafting: Drafting) -> None:
        """Guess from now on."""
        self._drafting = drafting

    def fail(self, error: PoolError) -> None:
        """The pipeline broke: every request fails."""
        for live in list(self._live.values()):
            live.news.put_nowait(error)

    # --- from request to sequence ------------------------------------------------------------------------------------

    def _proceed(self) -> None:
        """Admit whoever has room, and send what there is to send."""
        started = time.perf_counter()
        for number in self._admission.admit():
            self._begin(self._live[number])
            if self._live[number].position:
                self._live[number].news.put_nowait(Queued(0))
        for position, number in self._admission.line():
            live = self._live[number]
            if position != live.position:
                live.position = position
                live.news.put_nowait(Queued(position))
        self._send_ready()
        while self._drafting is not None and self._drafting.ahead(self._scheduler, self._proceed):
            if not self._send_ready():
                break
        self.stats.own_ms += 1e3 * (time.perf_counter() - started)

    def _send_ready(self) -> bool:
        """Send what there is to send; returns whether there was anything."""
        before = self.stats.frames
        while self._under_way < self._frames() and (batch := self._scheduler.next_batch()):
            self._send(batch)
        return self.stats.frames > before

    def _begin(self, live: _Live) -> None:
        live.decoding = self._holding.begin(live.request, self._owners)
        self._owners[live.decoding] = live
        self._scheduler.add(live.decoding)

    def _leave(self, live: _Live) -> None:
        """A request is over: what the stages hold of it is kept for the conversation's next turn."""
        self._live.pop(live.number, None)
        self._admission.leave(live.number)
        if live.decoding is not None:
            self._scheduler.remove(live.decoding)
            live.loose |= live.decoding.cancel()
            del self._owners[live.decoding]
            self._holding.keep(live.request.conversation, live.decoding, loose=live.loose)
        self._proceed()

    def _end(self, sequence: SequenceId, keep: int = 0) -> None:
        self._stages.end(sequence, keep)
        if self._drafting is not None and not keep:
            self._drafting.end(sequence)

    # --- from segment to tokens --------------------------------------------------------------------------------------

    def _frames(self) -> int:
        """How many may be under way: more than keep the stages busy where links are slow and guesses go ahead."""
        return self._scheduler.micro_batches * (self._drafting.budget.depth if self._drafting else 1)

    def _send(self, batch: MicroBatch) -> None:
        self._under_way += 1
        self.stats.frames += 1
        self.stats.rows += len(batch.ids)
        future = self._stages.submit(batch)
        alone = self._under_way == 1
        future.add_done_callback(partial(self._landed, batch, time.perf_counter(), alone))

    def _landed(self, batch: MicroBatch, sent: float, alone: bool, future: asyncio.Future[dict[int, Chosen]]) -> None:
        """A frame is through all stages, or failed."""
        self._under_way -= 1
        started = time.perf_counter()
        error = None if future.cancelled() else future.exception()
        if isinstance(error, NeedsReplay):
            self._replay(batch, error)
        elif error is not None or future.cancelled():
            self.fail(error if isinstance(error, PoolError) else PoolError("The pipeline was closed."))
            return
        else:
            self._took(batch, 1e3 * (started - sent), alone=alone)
            self._take(batch, future.result())
        self.stats.own_ms += 1e3 * (time.perf_counter() - started)
        self._proceed()
        self._tell()

    def _tell(self) -> None:
        """Give out what came, after the next frames have left: making text of it takes time that stages can use."""
        news, self._news = self._news, []
        for live, item in news:
            live.news.put_nowait(item)

    def _took(self, batch: MicroBatch, milliseconds: float, *, alone: bool) -> None:
        self.stats.round_trips_ms += milliseconds
        if self._drafting is not None:
            self._drafting.budget.measured(batch, milliseconds, alone=alone)

    def _take(self, batch: MicroBatch, chosen: dict[int, Chosen]) -> None:
        for decoding, flight in batch.parts:
            live = self._owners.get(decoding)
            if live is None or decoding.cancelled:
                continue
            picked = chosen.get(decoding.id)
            if picked is None:
                if flight.epoch == decoding.epoch:
                    decoding.replay(flight.segment.start)
                continue
            confirmed = decoding.land(flight, picked.ids)
            if confirmed:
                live.replays = 0
            self._give(live, confirmed, picked)
            if self._drafting is not None:
                self._drafting.budget.landed(decoding)
        if self._drafting is not None:
            self._drafting.budget.sharing = self._scheduler.share
            self._drafting.draft([decoding for decoding, _ in batch.parts], self._proceed)

    def _give(self, live: _Live, ids: Sequence[int], picked: Chosen) -> None:
        assert live.decoding is not None
        drafted, accepted = live.decoding.tested, live.decoding.accepted
        for row, token in enumerate(ids):
            finish = "stop" if token in live.request.end_ids else None
            if finish is None:
                given = picked.token(row)
                self._news.append((live, replace(given, drafted=drafted, accepted=accepted) if drafted else given))
                live.given += 1
                self.stats.tokens += 1
                finish = "length" if live.given == live.request.max_tokens else None
            if finish is not None:
                self._finish(live, finish)
                return

    def _finish(self, live: _Live, reason: str) -> None:
        assert live.decoding is not None
        self._scheduler.remove(live.decoding)  # nothing more is sent, even before the asker has read all of it
        live.loose = live.decoding.cancel()
        finished = Finished("stop" if reason == "stop" else "length", live.decoding.tested, live.decoding.accepted)
        self._news.append((live, finished))

    def _replay(self, batch: MicroBatch, need: NeedsReplay) -> None:
        """One sequence is held less than was thought; what came along with it was not computed either."""
        for decoding, flight in batch.parts:
            live = self._owners.get(decoding)
            if live is None or flight.epoch != decoding.epoch:
                continue
            if decoding.id != need.sequence:
                decoding.replay(flight.segment.start)
                continue
            live.replays += 1
            if live.replays > MAX_REPLAYS:
                live.news.put_nowait(
                    PoolError("A PC keeps forgetting this conversation.", "Start a new one if asking again fails.")
                )
            decoding.replay(need.held)
