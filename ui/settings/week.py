"""The hours of a week, as cells of a grid, as rules, and as somebody writes them: pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from idlepool.engine.lending_rules import DAY_MINUTES, DAYS, WeekHours

HOURS: Final = 24
Cell = tuple[int, int]
"""Day (0: Monday) and hour."""

ALL: Final = frozenset((day, hour) for day in range(DAYS) for hour in range(HOURS))

ENGLISH: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""They are understood whatever the language."""

_HOURS = re.compile(r"(?:(\D+?)\s+)?(\d{1,2})(?::(\d\d))?\s*[-–]\s*(\d{1,2})(?::(\d\d))?")


class NoHours(ValueError):
    """Part of what was written says no hours of the week."""

    def __init__(self, part: str) -> None:
        self.part = part
        super().__init__(part)


def share(hours: Sequence[WeekHours], cell: Cell) -> float:
    """How much of an hour is among them: 0 to 1. No hours at all means that every hour is."""
    if not hours:
        return 1.0
    day, first = cell[0], cell[1] * 60
    minutes: set[int] = set()
    for part in hours:
        end = part.last if part.first < part.last else DAY_MINUTES
        if day in part.days:
            minutes.update(range(max(first, part.first), min(first + 60, end)))
        if part.first >= part.last and (day - 1) % DAYS in part.days:
            minutes.update(range(first, min(first + 60, part.last)))
    return len(minutes) / 60


def hours_of(cells: Iterable[Cell]) -> tuple[WeekHours, ...]:
    """The rules that say these hours: a night is one piece, and days that are alike are said together. All hours are
    no rule."""
    chosen = frozenset(cells)
    if chosen == ALL:
        return ()
    pieces: dict[tuple[int, int], list[int]] = defaultdict(list)
    for day in range(DAYS):
        for first, last in _pieces(chosen, day):
            pieces[first * 60, last * 60].append(day)
    return tuple(WeekHours(tuple(days), first, last) for (first, last), days in sorted(pieces.items(), key=_place))


def _place(item: tuple[tuple[int, int], list[int]]) -> tuple[list[int], tuple[int, int]]:
    return item[1], item[0]


def _pieces(cells: frozenset[Cell], day: int) -> Iterable[tuple[int, int]]:
    """The pieces that begin on a day: [first, last) of its hours, or to the morning of the next day."""
    hour = _night(cells, (day - 1) % DAYS)  # that much belongs to the evening before
    while hour < HOURS:
        first = hour
        while hour < HOURS and (day, hour) in cells:
            hour += 1
        if first < hour:
            yield (first, (_night(cells, day) or hour) if hour == HOURS else hour)
        hour += 1


def _night(cells: frozenset[Cell], day: int) -> int:
    """Where the piece of a day's evening ends on the next morning; 0: not beyond midnight. One that would take more
    than a day is parted there."""
    evening = next((hour for hour in range(HOURS, 0, -1) if (day, hour - 1) not in cells), 0)
    following = (day + 1) % DAYS
    morning = next((hour for hour in range(HOURS) if (following, hour) not in cells), HOURS)
    return morning if evening < HOURS and morning <= evening else 0


def written(hours: Sequence[WeekHours], days: Sequence[str]) -> str:
    """The rules as text: “Mon–Fri 18:00–8:00; Sat, Sun 0:00–24:00”. `days`: their short names from Monday on."""
    return "; ".join(f"{_days_written(part.days, days)} {_clock(part.first)}–{_clock(part.last)}" for part in hours)


def _days_written(chosen: Sequence[int], days: Sequence[str]) -> str:
    runs: list[list[int]] = []
    for day in sorted(chosen):
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ", ".join(
        days[run[0]] if len(run) == 1 else f"{days[run[0]]}{'–' if len(run) > 2 else ', '}{days[run[-1]]}"
        for run in runs
    )


def _clock(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02}"


def read(text: str, days: Sequence[str]) -> tuple[WeekHours, ...]:
    """The rules that a text says; none for an empty one. Without days it means every day.

    Raises:
        NoHours: with the part that means nothing.
    """
    return tuple(_read_part(part.strip(), days) for part in text.split(";") if part.strip())


def _read_part(part: str, days: Sequence[str]) -> WeekHours:
    found = _HOURS.fullmatch(part)
    if found is None or int(found[3] or 0) > 59 or int(found[5] or 0) > 59:
        raise NoHours(part)
    first, last = int(found[2]) * 60 + int(found[3] or 0), int(found[4]) * 60 + int(found[5] or 0)
    if first >= DAY_MINUTES or last > DAY_MINUTES:
        raise NoHours(part)
    return WeekHours(_read_days(found[1], part, days) if found[1] else tuple(range(DAYS)), first, last)


def _read_days(text: str, part: str, days: Sequence[str]) -> tuple[int, ...]:
    names = {name.casefold().rstrip("."): day for listed in (ENGLISH, days) for day, name in enumerate(listed)}
    chosen: set[int] = set()
    for piece in text.split(","):
        ends = [names.get(end.strip().casefold().rstrip(".")) for end in re.split("[-–]", piece)]
        first, last = ends[0], ends[-1]
        if len(ends) > 2 or first is None or last is None:
            raise NoHours(part)
        chosen.update((first + number) % DAYS for number in range((last - first) % DAYS + 1))
    return tuple(sorted(chosen))
