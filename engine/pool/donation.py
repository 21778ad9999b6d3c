"""Whether this PC lends now: one ordered function from the owner's rules and the facts to a yes or no with a reason.

The first check that forbids it is the reason that is shown, in the order of Reason: first what the owner said, then
what lending would cost, then who uses the PC, then what it can bear.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from idlepool.engine.lending_rules import LendingMode, LendingRules, WeekHours

__all__ = [
    "Decision",
    "Facts",
    "LendingMode",
    "LendingRules",
    "Reason",
    "WeekHours",
    "decide",
    "sentence_of",
    "words_of",
]


class Reason(StrEnum):
    """Why a PC lends or not: in the order in which they are checked."""

    NEVER = "never"
    LEAVING = "leaving"
    """It is being shut down, or goes to sleep."""
    SNOOZED = "snoozed"
    ON_BATTERY = "on battery"
    BATTERY_LOW = "battery low"
    METERED = "metered network"
    OUTSIDE_HOURS = "outside hours"
    IDLE_UNKNOWN = "idle time unknown"
    USER_ACTIVE = "user active"
    PROGRAM = "program running"
    FULL_SCREEN = "full-screen program"
    TOO_HOT = "too hot"
    MEMORY_CAP = "memory cap"
    DISK_CAP = "disk cap"
    IDLE = "idle"
    """It lends: nobody uses it."""
    ALWAYS = "always"
    """It lends, whoever uses it."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the PC at `now`, in its own time zone. None: unknown, which forbids nothing, except that a PC
    with an unknown idle time counts as one that is used."""

    now: datetime
    idle_s: float | None = None
    """Since the last key or movement."""
    on_battery: bool | None = None
    battery_percent: float | None = None
    metered: bool | None = None
    programs: frozenset[str] | None = None
    """Names of what runs, see program_name()."""
    full_screen: bool | None = None
    hottest_celsius: float | None = None
    memory_bytes: int | None = None
    """All that the PC has, and"""
    lent_bytes: int | None = None
    """what stages take that are hosted for others."""
    disk_bytes: int | None = None
    """What layers fetched for others take."""
    leaving: bool | None = None
    """The PC is being shut down, or goes to sleep."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a PC lends, and why or why not. `until`: when that ends by itself; None: not known."""

    lends: bool
    reason: Reason
    until: datetime | None = None


def decide(rules: LendingRules, facts: Facts, *, snoozed_until: datetime | None = None) -> Decision:
    """The one check. `snoozed_until`: the owner wants nothing lent before that."""
    now, idle_s = facts.now, facts.idle_s
    snoozed = snoozed_until is not None and now < snoozed_until
    outside = bool(rules.hours) and not any(hours.hold(now) for hours in rules.hours)
    idle_enough_s = 60 * rules.idle_minutes if rules.mode == "when_idle" else 0.0
    checks: tuple[tuple[Reason, bool, datetime | None], ...] = (
        (Reason.NEVER, rules.mode == "never", None),
        (Reason.LEAVING, facts.leaving is True, None),
        (Reason.SNOOZED, snoozed, snoozed_until),
        (Reason.ON_BATTERY, facts.on_battery is True and not rules.on_battery, None),
        (Reason.BATTERY_LOW, facts.on_battery is True and _below(facts.battery_percent, rules.battery_at_least), None),
        (Reason.METERED, facts.metered is True and not rules.on_metered, None),
        (Reason.OUTSIDE_HOURS, outside, _next_start(rules, now) if outside else None),
        (Reason.IDLE_UNKNOWN, rules.mode == "when_idle" and idle_s is None, None),
        (Reason.USER_ACTIVE, _below(idle_s, idle_enough_s), now + timedelta(seconds=idle_enough_s - (idle_s or 0.0))),
        (Reason.PROGRAM, bool(_exclusive(rules, facts)), None),
        (Reason.FULL_SCREEN, facts.full_screen is True and rules.pause_full_screen, None),
        (Reason.TOO_HOT, _above(facts.hottest_celsius, rules.hottest_celsius), None),
        (Reason.MEMORY_CAP, _above(facts.lent_bytes, _memory_cap(rules, facts)), None),
        (Reason.DISK_CAP, _above(facts.disk_bytes, rules.disk_bytes), None),
    )
    for reason, forbids, until in checks:
        if forbids:
            return Decision(False, reason, until)
    return Decision(True, Reason.ALWAYS if rules.mode == "always" else Reason.IDLE)


def program_name(file: str) -> str:
    """How programs are compared: `Game.EXE` is `game`."""
    return file.casefold().removesuffix(".exe")


_WORDS = {
    Reason.NEVER: "its owner wants to lend nothing",
    Reason.LEAVING: "it is being shut down or goes to sleep",
    Reason.SNOOZED: "its owner wants it for a while",
    Reason.ON_BATTERY: "it runs on battery",
    Reason.BATTERY_LOW: "its battery is low",
    Reason.METERED: "its network is metered",
    Reason.OUTSIDE_HOURS: "its owner chose other hours",
    Reason.IDLE_UNKNOWN: "whether somebody uses it cannot be found out",
    Reason.USER_ACTIVE: "somebody uses it",
    Reason.PROGRAM: "a program runs that wants it for itself",
    Reason.FULL_SCREEN: "a program fills its screen",
    Reason.TOO_HOT: "it is too hot",
    Reason.MEMORY_CAP: "others have all of its memory that they may have",
    Reason.DISK_CAP: "others have all of its disk that they may have",
    Reason.IDLE: "nobody uses it",
    Reason.ALWAYS: "its owner wants to lend always",
}


def words_of(reason: Reason) -> str:
    """A reason in words about a PC, to go on a sentence with."""
    return _WORDS[reason]


def sentence_of(decision: Decision) -> str:
    """A decision for the owner of the PC."""
    reason = words_of(decision.reason)
    return f"This PC lends: {reason}." if decision.lends else f"This PC lends nothing: {reason}."


def _below(value: float | None, limit: float) -> bool:
    return value is not None and value < limit


def _above(value: float | None, limit: float | None) -> bool:
    return value is not None and limit is not None and value > limit


def _exclusive(rules: LendingRules, facts: Facts) -> frozenset[str]:
    return (facts.programs or frozenset()) & {program_name(name) for name in rules.exclusive_programs}


def _memory_cap(rules: LendingRules, facts: Facts) -> float | None:
    return None if facts.memory_bytes is None else rules.memory_share * facts.memory_bytes


def _next_start(rules: LendingRules, now: datetime) -> datetime | None:
    return min((start for hours in rules.hours if (start := hours.next_start(now))), default=None)
