"""What this PC does for others: it hosts stages and fetches layers ahead, as long as its owner's rules allow it.

When they do not any more, the steps under way stop at once, the heads are told, the others hear it, and the memory is
back within the deadline. What this PC does for itself is never touched.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from idlepool.engine.errors import StorageError
from idlepool.engine.events import Event, Trouble
from idlepool.engine.lending_events import LendingChanged, LendingCommand, SetLending, Snooze, StopLending
from idlepool.engine.machine.awake import awake
from idlepool.engine.machine.idle import idle_source
from idlepool.engine.machine.leaving import LeavingNotices, NoNotices, leaving_notices
from idlepool.engine.machine.machine import Machine
from idlepool.engine.net.messages import NodeStatus, PrepareStage, StageMemory
from idlepool.engine.pool.donation import Decision, Reason, sentence_of, words_of
from idlepool.engine.pool.fetching_ahead import FetchingAhead
from idlepool.engine.pool.guest_list import GuestList
from idlepool.engine.pool.hosting import Hosting
from idlepool.engine.pool.keeping_awake import KeepingAwake
from idlepool.engine.pool.lending import DEADLINE_NOW_S, Lending, Use, changed
from idlepool.engine.pool.lending_file import KeptLending
from idlepool.engine.pool.lent_devices import lent_share
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.peers import Peers
from idlepool.engine.pool.stage_memory import StageMemoryWatch
from idlepool.engine.pool.stage_services import StageServices
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import NodeId

log = logging.getLogger("idlepool.lending")

_FULL = frozenset({Reason.MEMORY_CAP, Reason.DISK_CAP})
"""Nothing more is lent then, but what runs goes on: it is what fills the share."""

ALWAYS = Decision(True, Reason.ALWAYS)


@dataclass(frozen=True, slots=True)
class LenderServices:
    """What it needs of the node."""

    stages: StageServices
    models: ModelFolders
    peers: Peers
    emit: Callable[[Event], None]
    name_of: Callable[[NodeId], str]


class Lender:
    """This PC as one that lends, from `start` to `close`; before that, `stop` ends what it does by itself."""

    def __init__(self, settings: NodeSettings, services: LenderServices) -> None:
        self.hosting = Hosting(services.stages, on_guests=self.tell_guests)
        self._guest_list = GuestList(name_of=services.name_of, model_name=services.peers.model_name, emit=services.emit)
        self._memory = StageMemoryWatch(lambda: self.hosting.stages, on_news=services.peers.tell_status)
        self.ahead = FetchingAhead(services.models.bring_ahead, idle=self._is_idle)
        self._services = services
        self._settings = settings
        self._lending: Lending | None = None
        """None: it always lends."""
        if settings.lending is not None:
            self.hosting.lends = False
            self._lending = Lending(
                settings.root,
                KeptLending(settings.lending),
                idle=settings.idle or idle_source(),
                machine=settings.machine or Machine(),
                use=self._use,
                fetched_bytes=lambda: services.models.fetched_bytes,
                on_change=self._on_change,
            )
        self._notices: LeavingNotices = NoNotices()
        self._tasks = TaskKeeper()

    @property
    def disk_bytes(self) -> int | None:
        """Most that fetched layers may take; None: see DiskCap."""
        of_rules = self._lending.rules.disk_bytes if self._lending is not None else None
        return self._settings.disk_bytes if of_rules is None else of_rules

    @property
    def memory(self) -> tuple[StageMemory, ...]:
        """What the stages that are hosted here take, as far as it was measured."""
        return self._memory.told

    async def start(self) -> None:
        """Find out whether it lends, and keep watching."""
        self._tasks.start(self._memory.run())
        if self._lending is None:
            self._services.emit(self._changed())
            return
        if self._settings.lending_problem:
            self._services.emit(Trouble(self._settings.lending_problem, "Choose again when it lends."))
        await self._lending.start()
        keeping = KeepingAwake(awake(), allowed=self._may_stay_awake, busy=self._is_busy)
        self._tasks.start(keeping.run())
        loop = asyncio.get_running_loop()
        self._notices = leaving_notices(lambda leaves: self._on_leaving(leaves, loop))
        self._notices.start()

    def told(self, status: NodeStatus) -> NodeStatus:
        """What others are told of this PC: no more memory than they may have, and whether they get any."""
        status = msgspec.structs.replace(status, memory=self.memory)
        if self._lending is None:
            return status
        decision, share = self._lending.decision, self._lending.rules.memory_share
        devices = lent_share(status.devices, share)
        return msgspec.structs.replace(status, devices=devices, lends=decision.lends, reason=decision.reason.value)

    def prepare(self, order: PrepareStage) -> None:
        """Somebody wants a stage."""
        self.ahead.pause()
        self.hosting.prepare(order)

    def lose(self, node: NodeId) -> None:
        """A PC is gone."""
        self.hosting.release_of(node)
        self.ahead.lose(node)

    def tell_guests(self) -> None:
        """Tell the owner who uses this PC, where that changed."""
        self._guest_list.tell(self.hosting.guests)

    def obey(self, command: LendingCommand) -> None:
        """Do what the owner wants; LendingChanged follows."""
        if self._lending is None:
            self._services.emit(self._changed())
        else:
            self._tasks.start(self._obey(self._lending, command))

    async def stop(self) -> None:
        """Begin nothing more by itself."""
        await asyncio.to_thread(self._notices.stop)
        await self._tasks.close()
        if self._lending is not None:
            await self._lending.close()
        await self.ahead.close()

    async def close(self) -> None:
        """Free everything that is hosted."""
        await self.hosting.close()

    async def _obey(self, lending: Lending, command: LendingCommand) -> None:
        try:
            match command:
                case SetLending(rules=rules):
                    await lending.set_rules(rules)
                    await self._services.models.trim()
                case Snooze(until=until):
                    await lending.snooze(until)
                case StopLending():
                    await lending.stop_now()
        except StorageError as error:
            self._services.emit(Trouble(error.sentence, error.hint))

    async def _on_change(self, decision: Decision, deadline_s: float) -> None:
        self.hosting.lends = decision.lends
        if not decision.lends:
            self.ahead.pause()
        if not decision.lends and decision.reason not in _FULL:
            self.hosting.leave(f"{words_of(decision.reason)}.", deadline_s=deadline_s)
        self._services.emit(self._changed())
        await self._services.peers.tell_status()

    def _changed(self) -> LendingChanged:
        if self._lending is None:
            return LendingChanged("always", True, Reason.ALWAYS.value, sentence_of(ALWAYS))
        return changed(self._lending.kept, self._lending.decision)

    def _on_leaving(self, leaves: bool, loop: asyncio.AbstractEventLoop) -> None:
        """In the thread of the notices; the PC waits for as long as this takes."""
        assert self._lending is not None
        told = asyncio.run_coroutine_threadsafe(self._lending.leave(leaves), loop)
        with contextlib.suppress(TimeoutError, concurrent.futures.CancelledError):
            told.result(DEADLINE_NOW_S)

    def _use(self) -> Use:
        guests = self.hosting.guests
        return Use(bool(guests), frozenset(guest.pid for guest in guests if guest.pid is not None))

    def _is_idle(self) -> bool:
        """Whether nobody wants anything of this PC, neither another one nor its owner."""
        return self.hosting.lends and self.hosting.activity.heartbeat().phase == "idle"

    def _is_busy(self) -> bool:
        return bool(self.hosting.guests) and self.hosting.activity.heartbeat().phase != "idle"

    def _may_stay_awake(self) -> bool:
        lending = self._lending
        on_mains = lending is not None and lending.conditions.on_battery is False
        return lending is not None and on_mains and lending.rules.keep_awake and lending.decision.lends
