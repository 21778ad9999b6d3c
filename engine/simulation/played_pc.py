"""One PC of the played pool: how it stands, what the real lending policy says to that, and what it holds."""

from __future__ import annotations

from datetime import datetime, timedelta

from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.donation import Decision, Facts, decide
from idlepool.engine.simulation.kept_layers import KeptLayers, LayerSizes
from idlepool.engine.simulation.machines import Machine
from idlepool.engine.simulation.presence import DAY, Moment
from idlepool.engine.types import Span

MONDAY = datetime(2024, 1, 1)
"""When the played time begins, in the office's own time zone: any Monday."""


class PlayedPc:
    """`moment`: how it stands now."""

    def __init__(self, machine: Machine, moment: Moment, sizes: LayerSizes) -> None:
        self.machine = machine
        self.moment = moment
        self.disk = KeptLayers(sizes, most_bytes=machine.disk_bytes, whole=machine.has_model)
        self.times: StepTimes | None = None
        """What it measured when it last loaded layers."""
        self.lends = False
        self.believed = False
        """It is gone, and nobody has noticed yet."""
        self.loaded: tuple[Span, float] | None = None
        """Layers of the pipeline before that are still in memory, and since when nobody needs them."""
        self._idle_since_s = -DAY

    @property
    def on(self) -> bool:
        """Whether it is switched on and in the office."""
        return self.moment.on

    def stand(self, moment: Moment) -> None:
        """How it stands from now on."""
        if self.moment.used:
            self._idle_since_s = moment.at_s
        self.moment = moment

    def judge(self, now_s: float) -> Decision | None:
        """Whether it lends: the real policy; None where it is off."""
        if not self.on:
            self.lends = False
            return None
        now = MONDAY + timedelta(seconds=now_s)
        facts = Facts(
            now=now,
            idle_s=0.0 if self.moment.used else now_s - self._idle_since_s,
            on_battery=self.moment.battery,
            full_screen=self.moment.full_screen,
            disk_bytes=self.disk.bytes,
        )
        snoozed_s = self.moment.snoozed_until_s
        snoozed_until = MONDAY + timedelta(seconds=snoozed_s) if snoozed_s else None
        decision = decide(self.machine.rules, facts, snoozed_until=snoozed_until)
        self.lends = decision.lends
        return decision
