"""What this PC tells of itself at the moment, in one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import psutil

from idlepool.engine.machine.dbus import Bus
from idlepool.engine.machine.network import Network
from idlepool.engine.machine.power import hottest_celsius, power
from idlepool.engine.machine.screen import Screen


@dataclass(frozen=True, slots=True)
class Conditions:
    """None: unknown."""

    on_battery: bool | None = None
    battery_percent: float | None = None
    metered: bool | None = None
    full_screen: bool | None = None
    hottest_celsius: float | None = None
    programs: frozenset[str] | None = None
    """Names of the files that run; None too where nobody asked."""


class AsksMachine(Protocol):
    """Somebody who knows the conditions."""

    def conditions(self, *, programs: bool) -> Conditions:
        """See Machine."""


class Machine:
    """This PC. To be asked from worker threads: an answer may take a second."""

    def __init__(self) -> None:
        self._network = Network(Bus("SYSTEM"))
        self._screen = Screen()

    def conditions(self, *, programs: bool) -> Conditions:
        """How things are now. `programs`: whether to look for what runs, which takes the longest."""
        supply = power()
        return Conditions(
            supply.on_battery,
            supply.battery_percent,
            self._network.metered(),
            self._screen.full_screen(),
            hottest_celsius(),
            running_programs() if programs else None,
        )


def running_programs() -> frozenset[str]:
    """The names of all programs that run, also of those that belong to others."""
    return frozenset(process.info["name"] or "" for process in psutil.process_iter(["name"]))


def own_programs() -> tuple[str, ...]:
    """The names of the programs that run for the user of this one, in the order of the alphabet."""
    user = psutil.Process().username()
    running = psutil.process_iter(["name", "username"])
    names = {process.info["name"] for process in running if process.info["username"] == user}
    return tuple(sorted(filter(None, names), key=str.casefold))


def resident_bytes(pids: frozenset[int]) -> int:
    """Memory that processes take; of those that are still there."""
    found = 0
    for pid in pids:
        try:
            found += psutil.Process(pid).memory_info().rss
        except psutil.Error:
            continue
    return found
