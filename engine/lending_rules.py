"""What the owner of a PC allows: when it lends, and how much. Kept in a file, told by the window, judged by
pool/donation.py."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

import msgspec

LendingMode = Literal["when_idle", "always", "never"]
"""always: whether or not somebody uses the PC; the other rules hold all the same."""

DAY_MINUTES = 24 * 60
DAYS = 7

Weekday = Annotated[int, msgspec.Meta(ge=0, lt=DAYS)]
"""0: Monday."""


class WeekHours(msgspec.Struct, frozen=True):
    """Hours of the week: on each of `days` from minute `first` up to `last`, which is one of the next day where it is
    not later than `first`."""

    days: tuple[Weekday, ...]
    first: Annotated[int, msgspec.Meta(ge=0, lt=DAY_MINUTES)]
    last: Annotated[int, msgspec.Meta(ge=0, le=DAY_MINUTES)]

    def hold(self, at: datetime) -> bool:
        """Whether a time, in the PC's own time zone, is among them."""
        day, minute = at.weekday(), at.hour * 60 + at.minute
        if self.first < self.last:
            return day in self.days and self.first <= minute < self.last
        return (day in self.days and minute >= self.first) or ((day - 1) % DAYS in self.days and minute < self.last)

    def next_start(self, after: datetime) -> datetime | None:
        """When they begin next; None: never."""
        midnight = after.replace(hour=0, minute=0, second=0, microsecond=0)
        starts = (midnight + timedelta(days=days, minutes=self.first) for days in range(DAYS + 1))
        return next((start for start in starts if start > after and start.weekday() in self.days), None)


class LendingRules(msgspec.Struct, frozen=True):
    """When a PC lends, and how much of it."""

    mode: LendingMode = "when_idle"
    idle_minutes: Annotated[float, msgspec.Meta(ge=0)] = 5
    """Without keyboard and mouse; for `when_idle`."""
    on_battery: bool = False
    battery_at_least: Annotated[float, msgspec.Meta(ge=0, le=100)] = 40
    """Percent; where `on_battery` is allowed."""
    on_metered: bool = False
    """Over networks that cost by the byte."""
    hours: tuple[WeekHours, ...] = ()
    """Hours of the week at which it lends; empty: at all."""
    exclusive_programs: tuple[str, ...] = ()
    """While one of these runs it does not lend: names of their files, with or without `.exe`."""
    pause_full_screen: bool = True
    """Whether it does not lend while another program fills the screen: a game, a film, a talk."""
    hottest_celsius: float = 95
    """Of its hottest sensor."""
    memory_share: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.5
    """Most of its memory that others get."""
    disk_bytes: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    """Most that layers fetched for others take on its disk; None: a share of what is free, see pool/disk_cap.py."""
    keep_awake: bool = True
    """Whether it may be kept from going to sleep while others use it; on mains only."""
