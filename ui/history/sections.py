"""The list of conversations in parts by age, which stay in order whatever the clock of this PC did."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from itertools import groupby
from typing import Final

from idlepool.ui.history.values import Entry

WEEK: Final = timedelta(days=7)

JUST_NOW_MS: Final = 1000
"""The list never shows a time to come: what would be one is now, and says nothing."""


class Section(Enum):
    """A part of the list."""

    PINNED = auto()
    TODAY = auto()
    YESTERDAY = auto()
    WEEK = auto()
    OLDER = auto()


def in_sections(entries: Sequence[Entry], now: datetime) -> list[tuple[Section, list[Entry]]]:
    """`entries` as the history has them, pinned ones first; `now` in the time zone in which days begin."""
    pinned = [entry for entry in entries if entry.pinned]
    others = [entry for entry in entries if not entry.pinned]
    dated = zip(others, _times_ms(others, now_ms=int(now.timestamp() * 1000)), strict=True)
    parts = groupby(dated, key=lambda pair: _section(datetime.fromtimestamp(pair[1] / 1000, now.tzinfo), now))
    found = [(section, [entry for entry, _ in pairs]) for section, pairs in parts]
    return [(Section.PINNED, pinned), *found] if pinned else found


def _section(time: datetime, now: datetime) -> Section:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if time >= midnight:
        return Section.TODAY
    if time >= midnight - timedelta(days=1):
        return Section.YESTERDAY
    return Section.WEEK if time >= midnight - WEEK else Section.OLDER


def _times_ms(entries: Sequence[Entry], *, now_ms: int) -> list[int]:
    """When each was changed, newest first: not before what is older, and where its time is no time, with the newer."""
    times: list[int] = []
    for entry in entries:
        told = entry.changed_ms < now_ms - JUST_NOW_MS
        times.append(entry.changed_ms if told else (times[-1] if times else now_ms))
    latest = 0
    for at in reversed(range(len(times))):
        times[at] = latest = max(latest, times[at])
    return times
