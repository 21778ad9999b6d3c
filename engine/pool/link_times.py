"""How far the other PCs are, as their control links show while nobody is being answered: half a round trip, and speed.

Whoever keeps a link asks LinkTiming after each heartbeat whether to ping, and gives it the answers. The median of the
latest round trips counts, so that a moment's disturbance does not.
"""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable

from idlepool.engine.net.presence_messages import LinkPing

FIRST_PINGS = 5
"""One after each heartbeat, then"""
EVERY_BEATS = 10
"""one after so many."""
KEPT = 9
"""Round trips."""
LEAST_KNOWN = 3
"""Round trips that make a figure."""
NEWS_SHARE = 0.25
"""What differs by less from what was told is not told anew,"""
NEWS_MS = 0.2
"""nor is a difference that changes no plan."""


class LinkTiming:
    """One link, from when it was opened: its PC may be somewhere else the next time."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.bytes_per_s = 0.0
        """What a link test found, the slower direction; 0: nothing yet."""
        self.tried = False
        """Whether there was such a test."""
        self._clock = clock
        self._trips: deque[float] = deque(maxlen=KEPT)
        self._beats = self._number = 0
        self._asked_at: float | None = None
        self._told = (0.0, 0.0)

    @property
    def ms(self) -> float:
        """Half of the median round trip; 0: not known yet."""
        return 500 * statistics.median(self._trips) if len(self._trips) >= LEAST_KNOWN else 0.0

    def due(self) -> LinkPing | None:
        """What to send after a heartbeat at which both PCs were idle."""
        self._beats += 1
        if self._beats > FIRST_PINGS and self._beats % EVERY_BEATS:
            return None
        self._number += 1
        self._asked_at = self._clock()
        return LinkPing(self._number)

    def answered(self, number: int) -> None:
        """The PC answered a ping; one that was not asked for, or is late, is nothing."""
        if number == self._number and self._asked_at is not None:
            self._trips.append(self._clock() - self._asked_at)
            self._asked_at = None

    def take_news(self) -> bool:
        """Whether there is something to tell that differs from what was told; it counts as told."""
        (told_ms, told_speed), ms, speed = self._told, self.ms, self.bytes_per_s
        nearer = abs(ms - told_ms) > max(NEWS_SHARE * told_ms, NEWS_MS if told_ms else 0.0)
        faster = abs(speed - told_speed) > NEWS_SHARE * told_speed
        if nearer or faster:
            self._told = (ms, speed)
        return nearer or faster
