"""Whether this PC lends, at every moment: asks the machine for the facts, and tells whoever acts when that changes.

While others use the PC, its idle time is asked for every POLL_SERVING_S, so that its owner never waits for it; what
changes slowly is asked for every CONDITIONS_S. All of it in threads of its own, since an answer may take a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TypeVar

import psutil

from idlepool.engine.lending_events import LendingChanged
from idlepool.engine.lending_rules import LendingRules
from idlepool.engine.machine.idle import IdleSource
from idlepool.engine.machine.machine import AsksMachine, Conditions, resident_bytes
from idlepool.engine.pool.donation import Decision, Facts, Reason, decide, program_name, sentence_of
from idlepool.engine.pool.lending_file import KeptLending, RulesUnreadable, read_lending, write_lending
from idlepool.engine.pool.tasks import TaskKeeper

log = logging.getLogger("idlepool.lending")

POLL_S = 1.0
POLL_SERVING_S = 0.025
"""Well within the tenth of a second after which nothing is computed for others any more."""
CONDITIONS_S = 5.0
ANSWER_S = 3.0
"""Whoever takes longer to say something knows nothing."""
SETTLE_S = 30.0
"""What comes and goes, such as a game that is left for a moment, has to be gone for so long."""
STOPPED = timedelta(hours=1)
"""For how long nothing is lent after somebody said "stop now"."""

DEADLINE_S = 10.0
"""What those get who use the PC, until its memory is back, and"""
DEADLINE_NOW_S = 2.0
"""where its owner said "now", or it goes to sleep."""

_UNSETTLED = frozenset({Reason.METERED, Reason.PROGRAM, Reason.FULL_SCREEN, Reason.TOO_HOT, Reason.MEMORY_CAP})

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Use:
    """What others have of this PC at the moment."""

    serving: bool = False
    """Whether a stage is hosted for them, or prepared."""
    pids: frozenset[int] = frozenset()
    """Processes of those stages."""


class Lending:
    """Decides, from `start` to `close`. `on_change` gets what was decided, and the seconds in which memory that others
    use is to be back; it is awaited before the PC goes to sleep. `fetched_bytes`: what layers fetched for others take
    on the disk, asked for in a thread."""

    def __init__(
        self,
        root: Path,
        kept: KeptLending,
        *,
        idle: IdleSource,
        machine: AsksMachine,
        use: Callable[[], Use],
        fetched_bytes: Callable[[], int],
        on_change: Callable[[Decision, float], Awaitable[None]],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self.kept = kept
        self.decision = Decision(False, Reason.IDLE_UNKNOWN)
        self.conditions = Conditions()
        self._root = root
        self._idle = idle
        self._machine = machine
        self._use = use
        self._fetched_bytes = fetched_bytes
        self._on_change = on_change
        self._now = now
        self._idle_s: float | None = None
        self._lent_bytes, self._disk_bytes = 0, 0
        self._leaving = False
        self._writing = asyncio.Lock()
        self._unsettled_until = 0.0
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="machine")
        self._tasks = TaskKeeper()
        self._idle_watch = TaskKeeper(lambda error: self._watch_anew(idle=True))
        self._conditions_watch = TaskKeeper(lambda error: self._watch_anew(idle=False))

    @property
    def rules(self) -> LendingRules:
        """The owner's."""
        return self.kept.rules

    async def start(self) -> None:
        """Find out how things are, decide, and go on doing so. A snooze outlasts a restart."""
        with contextlib.suppress(RulesUnreadable):
            kept = await asyncio.to_thread(read_lending, self._root)
            self.kept = KeptLending(self.rules, kept.snoozed_until)
        # What fails here is unknown for now, and fails again in its watch, which logs it.
        await asyncio.gather(self._ask_conditions(), self._ask_idle(), return_exceptions=True)
        await self._judge(always_tell=True)
        self._idle_watch.start(self._watch_idle())
        self._conditions_watch.start(self._watch_conditions())

    async def set_rules(self, rules: LendingRules) -> None:
        """The owner changed the rules: they hold at once, and from now on.

        Raises:
            StorageError: they hold, but could not be kept.
        """
        await self._set(KeptLending(rules, self.kept.snoozed_until))

    async def snooze(self, until: datetime | None, *, deadline_s: float = DEADLINE_S) -> None:
        """Lend nothing until then; None: as the rules say again. Raises StorageError, see set_rules()."""
        await self._set(KeptLending(self.rules, until), deadline_s=deadline_s)

    async def stop_now(self) -> None:
        """Give everything back at once, and lend nothing for a while. Raises StorageError, see set_rules()."""
        await self.snooze(self._now() + STOPPED, deadline_s=DEADLINE_NOW_S)

    async def leave(self, leaving: bool) -> None:
        """The PC goes to sleep or is shut down, or it is back; returns when everybody was told."""
        self._leaving = leaving
        await self._judge(deadline_s=DEADLINE_NOW_S)

    async def close(self) -> None:
        """Ask no more."""
        for tasks in (self._idle_watch, self._conditions_watch, self._tasks):
            await tasks.close()
        self._threads.shutdown(wait=False)

    async def _set(self, kept: KeptLending, *, deadline_s: float = DEADLINE_S) -> None:
        self.kept = kept
        self._unsettled_until = 0.0
        await self._judge(deadline_s=deadline_s, always_tell=True)
        async with self._writing:  # the newest last, whoever came first
            await asyncio.to_thread(write_lending, self._root, self.kept)

    async def _judge(self, *, deadline_s: float = DEADLINE_S, always_tell: bool = False) -> None:
        before, self.decision = self.decision, self._settled(self._decided())
        if always_tell or (before.lends, before.reason) != (self.decision.lends, self.decision.reason):
            log.info("lends: %s (%s)", self.decision.lends, self.decision.reason)
            await self._on_change(self.decision, deadline_s)

    def _decided(self) -> Decision:
        facts = facts_of(
            self._now(),
            self._idle_s,
            self.conditions,
            lent_bytes=self._lent_bytes,
            disk_bytes=self._disk_bytes,
            leaving=self._leaving,
        )
        return decide(self.rules, facts, snoozed_until=self.kept.snoozed_until)

    def _settled(self, decision: Decision) -> Decision:
        """The decision, or the last one where what forbade it may be back in a moment."""
        now = time.monotonic()
        if decision.reason in _UNSETTLED:
            self._unsettled_until = now + SETTLE_S
        waits = decision.lends and not self.decision.lends and now < self._unsettled_until
        return self.decision if waits else decision

    def _watch_anew(self, *, idle: bool) -> None:
        """Something unexpected ended a watch: as long as that goes on, nothing is known, and that forbids lending."""
        if idle:
            self._idle_s = None
            self._tasks.start(self._judge())
            self._idle_watch.start(self._watch_idle())
        else:
            self.conditions = Conditions()
            self._conditions_watch.start(self._watch_conditions())

    async def _watch_idle(self) -> None:
        while True:
            await asyncio.sleep(POLL_SERVING_S if self._use().serving else POLL_S)
            await self._ask_idle()
            self._tasks.start(self._judge())

    async def _watch_conditions(self) -> None:
        while True:
            await asyncio.sleep(CONDITIONS_S)
            await self._ask_conditions()

    async def _ask_idle(self) -> None:
        self._idle_s = await self._answer(self._idle.seconds)

    async def _ask_conditions(self) -> None:
        asks_programs = bool(self.rules.exclusive_programs)
        told = await self._answer(lambda: self._machine.conditions(programs=asks_programs))
        self.conditions = told or Conditions()
        pids = self._use().pids
        self._lent_bytes = await self._answer(lambda: resident_bytes(pids)) or 0
        self._disk_bytes = await self._answer(self._fetched_bytes) or 0

    async def _answer(self, question: Callable[[], Answer]) -> Answer | None:
        """Not by the event loop's own threads, which may all be busy with files; None where it takes too long."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                return await loop.run_in_executor(self._threads, question)
        return None


def facts_of(
    now: datetime,
    idle_s: float | None,
    told: Conditions,
    *,
    lent_bytes: int = 0,
    disk_bytes: int = 0,
    leaving: bool = False,
) -> Facts:
    """What is decided by, from what the machine told; for the rest see Facts."""
    return Facts(
        now,
        idle_s,
        told.on_battery,
        told.battery_percent,
        told.metered,
        None if told.programs is None else frozenset(map(program_name, told.programs)),
        told.full_screen,
        told.hottest_celsius,
        _memory_bytes(),
        lent_bytes,
        disk_bytes,
        leaving,
    )


@cache
def _memory_bytes() -> int:
    return int(psutil.virtual_memory().total)


def changed(kept: KeptLending, decision: Decision) -> LendingChanged:
    """What the owner is told."""
    return LendingChanged(
        kept.rules.mode,
        decision.lends,
        decision.reason.value,
        sentence_of(decision),
        decision.until,
        rules=kept.rules,
        snoozed_until=kept.snoozed_until,
    )
