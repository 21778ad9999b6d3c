"""Adding models on behalf of the window: one after another, each in a child process whose events are passed on.

A model that is paused, or whose child is ended in any other way, is gone on with from what lies on the disk, where its
source allows that; so is what a crash or a restart interrupted.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import msgspec

from idlepool.engine.events import Event, ModelProgress, Trouble, decode_event
from idlepool.engine.model_events import Adding, AddingChanged, AddingState
from idlepool.engine.models.allowance import asked_for
from idlepool.engine.models.catalogue import CATALOGUE
from idlepool.engine.models.leftovers import discard_leftovers, keeps_what_came
from idlepool.engine.pool.adding_file import Wanted, take_adding, write_adding
from idlepool.engine.pool.bandwidth import Bandwidth, Cap
from idlepool.engine.pool.child_process import end, python_module, start
from idlepool.engine.pool.pace import Pace
from idlepool.engine.pool.tasks import TaskKeeper, to_its_end

log = logging.getLogger("idlepool.models")

MODULE = "idlepool.engine.models.add_process"

TICK_S = 0.25
"""How often the window hears how far it is."""


@dataclass(slots=True, eq=False)
class _Job:
    source: str
    state: AddingState = "queued"
    done: int = 0
    total: int = 0
    sentence: str = ""
    hint: str = ""
    pace: Pace = field(default_factory=Pace)

    @classmethod
    def known(cls, wanted: Wanted) -> _Job:
        state: AddingState = "failed" if wanted.sentence else "paused" if wanted.waits else "queued"
        return cls(wanted.source, state, wanted.done, wanted.total, wanted.sentence, wanted.hint)

    def wanted(self) -> Wanted:
        if self.state not in ("paused", "failed"):
            return Wanted(self.source)
        return Wanted(self.source, True, self.sentence, self.hint, self.done, self.total)

    def begin(self, step: AddingState) -> None:
        self.state, self.pace = step, Pace(time.monotonic())

    def take(self, progress: ModelProgress) -> None:
        if progress.step != self.state and progress.step in get_args(AddingState):
            self.begin(progress.step)  # type: ignore[arg-type]
        self.done, self.total = progress.done, progress.total
        self.pace.note(self.done, time.monotonic())

    def fail(self, sentence: str, hint: str) -> None:
        self.state, self.sentence, self.hint = "failed", sentence, hint

    def queue(self) -> None:
        self.state, self.sentence, self.hint = "queued", "", ""

    def told(self) -> Adding:
        now, fetches = time.monotonic(), self.state == "fetching"
        moves = fetches or self.state in ("converting", "checking")
        left = max(0, self.total - self.done) if moves and self.total else 0
        return Adding(
            self.source,
            self.state,
            self.done,
            self.total,
            self.pace.bytes_per_s(now) if fetches else 0,
            self.pace.seconds_left(left, now) if left else -1,
            self.sentence,
            self.hint,
            keeps_what_came(self.source),
            self.pace.silent_s(now) if fetches and (left or not self.total) else 0,
        )


class ModelAdder:
    """Adds to the store at `root`, from `start` to `close`; `on_added` is called when a model is there.

    `cap` is asked for all that is fetched; None: there is no limit.
    """

    def __init__(
        self, root: Path, emit: Callable[[Event], None], *, on_added: Callable[[], None], cap: Cap | None = None
    ) -> None:
        self._root = root
        self._emit = emit
        self._on_added = on_added
        self._cap = cap or Bandwidth()
        self._jobs: list[_Job] = []
        self._saved: tuple[Wanted, ...] = ()
        self._told: AddingChanged | None = None
        self._worker: asyncio.Task[None] | None = None
        self._at_work: tuple[_Job, asyncio.Task[None]] | None = None
        self._saving = asyncio.Lock()
        self._tasks = TaskKeeper()

    def start(self) -> None:
        """Go on with what an earlier run did not end; before anything is added."""
        self._saved, problem = take_adding(self._root)
        if problem:
            self._emit(Trouble(problem, "Add them again: what came of them is still there."))
        self._jobs = [_Job.known(wanted) for wanted in self._saved]
        self._advance()

    def add(self, source: str) -> None:
        """Add a model after those that wait already, or go on with one that is paused or failed."""
        job = self._job(source)
        if job is None:
            self._jobs.append(_Job(source))
        elif job.state in ("paused", "failed"):
            job.queue()
        self._changed()

    def pause(self, source: str) -> None:
        """Let it wait."""
        job = self._job(source)
        if job is not None and job.state != "failed":
            job.state = "paused"
            self._interrupt(job)
            self._changed()

    def cancel(self, source: str) -> None:
        """Add it no more."""
        job = self._job(source)
        if job is not None:
            self._jobs.remove(job)
            if not self._interrupt(job):
                self._tasks.start(asyncio.to_thread(discard_leftovers, self._root, source))
            self._changed()

    async def close(self) -> None:
        """End what is being added; the next start goes on with it."""
        await self._tasks.close()
        await self._save()

    def _job(self, source: str) -> _Job | None:
        return next((job for job in self._jobs if job.source == source), None)

    def _interrupt(self, job: _Job) -> bool:
        if self._at_work is None or self._at_work[0] is not job:
            return False
        self._at_work[1].cancel()
        return True

    def _changed(self) -> None:
        self._tasks.start(self._save())
        self._advance()

    async def _save(self) -> None:
        async with self._saving:
            wanted = tuple(job.wanted() for job in self._jobs)
            if wanted != self._saved:
                self._saved = wanted
                await to_its_end(asyncio.to_thread(write_adding, self._root, wanted))

    def _advance(self) -> None:
        self._tell()
        if self._worker is None or self._worker.done():
            self._worker = self._tasks.start(self._work())

    def _tell(self) -> None:
        at_work = self._at_work[0] if self._at_work else None
        jobs = sorted(self._jobs, key=lambda job: job is not at_work)
        news = AddingChanged(tuple(job.told() for job in jobs))
        if news != self._told:
            self._told = news
            self._emit(news)

    async def _work(self) -> None:
        while job := next((job for job in self._jobs if job.state == "queued"), None):
            job.begin(_first_step(job.source))
            adding = self._tasks.start(self._add(job))
            self._at_work = job, adding
            while not adding.done():
                self._tell()
                await asyncio.wait([adding], timeout=TICK_S)
            self._at_work = None
            if adding.cancelled() and job not in self._jobs:
                await asyncio.to_thread(discard_leftovers, self._root, job.source)
            elif not adding.cancelled() and adding.exception() is not None:
                job.fail(f"Adding {job.source} could not be started.", "Try it again.")
            self._tell()
            await self._save()

    async def _add(self, job: _Job) -> None:
        process = await start(python_module(MODULE, str(self._root), job.source))
        try:
            assert process.stdout is not None
            explained = False
            while line := await process.stdout.readline():
                if wanted := asked_for(line):
                    await self._allow(process, wanted)
                elif (event := _event_in(line)) is not None:
                    explained = explained or isinstance(event, Trouble)
                    self._take(job, event)
            code = await process.wait()
        finally:
            await end(process)
        if code == 0:
            self._jobs.remove(job)
            self._on_added()
        elif not explained:  # not by the job's state: somebody may have it tried again already
            self._take(job, Trouble(f"Adding {job.source} ended unexpectedly (exit code {code}).", "Try it again."))

    async def _allow(self, process: asyncio.subprocess.Process, wanted: int) -> None:
        assert process.stdin is not None
        await self._cap.take(wanted)
        process.stdin.write(b"\n")  # a few bytes: nothing that would have to be drained

    def _take(self, job: _Job, event: Event) -> None:
        match event:
            case ModelProgress():
                job.take(event)
            case Trouble():
                job.fail(event.sentence, event.hint)
                self._tell()  # first: who shows the queue need not tell of it twice
        self._emit(event)


def _first_step(source: str) -> AddingState:
    return "checking" if source not in CATALOGUE and Path(source).is_dir() else "fetching"


def _event_in(line: bytes) -> Event | None:
    """The event in a line; None where a library printed something."""
    try:
        return decode_event(line)
    except msgspec.DecodeError:
        log.warning("adding a model said something that is no event")
        return None
