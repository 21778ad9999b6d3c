"""What happens at a PC of a played office in a week: when it is on, used, on battery, and when its owner presents.

Each of these is a list of times from and to, drawn for each day by itself; together they make the moments at which
something changes. All the figures are assumptions about offices, gathered in this file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from idlepool.engine.simulation.machines import Habit

HOUR, DAY = 3600.0, 86_400.0

COMES_IN, COMES_IN_AT_WEEKENDS = 0.85, 0.04
"""How likely somebody is in the office on a day."""
FORGETS_TO_SWITCH_OFF = 0.15
GOES_OUT = 0.08
"""How likely a laptop leaves in the middle of a day, and comes back an hour or three later."""
TAKES_LAPTOP_ALONG = 0.6
PRESENTS = 0.25
"""Of meetings."""
SAYS_GOODBYE = 0.9
"""How often a PC that goes to sleep or is switched off can tell the others; else it is silent at once."""
CRASHES = 0.01
"""A day, and is back in some minutes."""
SNOOZES = 0.04
"""How likely an owner wants an hour of peace on a day."""

Times = list[tuple[float, float]]
"""From and to, in seconds since Monday 0:00."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How a PC stands from `at_s` on."""

    at_s: float
    on: bool
    used: bool
    battery: bool
    full_screen: bool
    snoozed_until_s: float
    """0: not."""
    told: bool
    """Where it is off: whether it could tell the others."""


@dataclass(slots=True)
class Week:
    """What is drawn for a PC; times of one kind may overlap."""

    on: Times = field(default_factory=list)
    off: Times = field(default_factory=list)
    """Counts more than `on`: taken away, or crashed."""
    silent: Times = field(default_factory=list)
    """Where being off began without a word."""
    used: Times = field(default_factory=list)
    away: Times = field(default_factory=list)
    """Counts more than `used`: breaks, lunches and meetings without the PC."""
    battery: Times = field(default_factory=list)
    full_screen: Times = field(default_factory=list)
    snoozed: Times = field(default_factory=list)


def week_of(habit: Habit, days: int, chance: Random) -> Week:
    """So many days from Monday on."""
    week = Week()
    if habit is Habit.LEFT_ON:
        week.on.append((0.0, days * DAY))
    elif habit is Habit.SWITCHED_OFF and chance.random() < FORGETS_TO_SWITCH_OFF:
        week.on.append((0.0, 12 * HOUR))
    for day in range(days):
        if chance.random() < (COMES_IN if day % 7 < 5 else COMES_IN_AT_WEEKENDS):
            _add_work_day(week, habit, day * DAY, chance)
    return week


def moments(week: Week, until_s: float) -> list[Moment]:
    """All changes up to a time, the first at 0."""
    kinds = (week.on, week.off, week.used, week.away, week.battery, week.full_screen, week.snoozed)
    borders = {0.0, *(time for kind in kinds for times in kind for time in times if 0 <= time < until_s)}
    found: list[Moment] = []
    for time in sorted(borders):
        on = _in(week.on, time) and not _in(week.off, time)
        moment = Moment(
            at_s=time,
            on=on,
            used=on and _in(week.used, time) and not _in(week.away, time),
            battery=_in(week.battery, time),
            full_screen=_in(week.full_screen, time),
            snoozed_until_s=max((last for first, last in week.snoozed if first <= time < last), default=0.0),
            told=not _in(week.silent, time),
        )
        found.append(moment)
    return found


def desk_times(found: list[Moment], until_s: float) -> Times:
    """From when to when somebody sits at the PC."""
    ends = [*(moment.at_s for moment in found[1:]), until_s]
    return [(moment.at_s, end) for moment, end in zip(found, ends, strict=True) if moment.used]


def _in(times: Times, time: float) -> bool:
    return any(first <= time < last for first, last in times)


def _add_work_day(week: Week, habit: Habit, midnight: float, chance: Random) -> None:
    comes = midnight + max(6.5, min(11.0, chance.gauss(8.8, 0.7))) * HOUR
    goes = max(comes + 3 * HOUR, midnight + min(22.0, chance.gauss(17.5, 1.0)) * HOUR)
    week.used.append((comes, goes))
    _add_hours_on(week, habit, comes, goes, chance)
    lunch = midnight + chance.gauss(12.2, 0.4) * HOUR
    week.away.append((lunch, lunch + chance.uniform(0.5, 1.0) * HOUR))
    _add_meetings(week, habit, comes, goes, chance)
    _add_breaks(week, comes, goes, chance)
    if habit is Habit.TAKEN_HOME and chance.random() < GOES_OUT:
        leaves = chance.uniform(comes, goes)
        week.off.append((leaves, leaves + chance.uniform(1, 3) * HOUR))
    if chance.random() < CRASHES:
        crash = midnight + chance.uniform(0, 24) * HOUR
        week.off.append((crash, crash + chance.uniform(120, 600)))
        week.silent.append(week.off[-1])
    if chance.random() < SNOOZES:
        peace = chance.uniform(comes, goes)
        week.snoozed.append((peace, peace + HOUR))


def _add_hours_on(week: Week, habit: Habit, comes: float, goes: float, chance: Random) -> None:
    if habit is Habit.LEFT_ON:
        return
    stays_on = habit is Habit.SWITCHED_OFF and chance.random() < FORGETS_TO_SWITCH_OFF
    off = comes + DAY if stays_on else goes
    week.on.append((comes, off))
    if chance.random() >= SAYS_GOODBYE:
        week.silent.append((off, off + 6 * HOUR))


def _add_meetings(week: Week, habit: Habit, comes: float, goes: float, chance: Random) -> None:
    """On the half hours; a laptop that is taken along is used there, on battery."""
    slots = int((goes - comes) / (HOUR / 2))
    for slot in chance.sample(range(slots), min(slots, chance.choices((0, 1, 2, 3, 4), (15, 25, 30, 20, 10))[0])):
        begins = (comes // (HOUR / 2) + 1 + slot) * HOUR / 2
        ends = begins + chance.choice((0.5, 0.5, 1.0, 1.5)) * HOUR
        if habit is Habit.TAKEN_HOME and chance.random() < TAKES_LAPTOP_ALONG:
            week.battery.append((begins, ends))
            if chance.random() < PRESENTS:
                week.full_screen.append((begins, ends))
        else:
            week.away.append((begins, ends))


def _add_breaks(week: Week, comes: float, goes: float, chance: Random) -> None:
    """Coffee, telephone, a talk in the corridor: every hour or so."""
    time = comes + chance.expovariate(1 / (1.2 * HOUR))
    while time < goes:
        ends = time + chance.uniform(4, 20) * 60
        week.away.append((time, ends))
        time = ends + chance.expovariate(1 / (1.2 * HOUR))
