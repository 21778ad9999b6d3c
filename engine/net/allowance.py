"""How often somebody may do something: a token bucket, generous to bursts and strict over time."""

from __future__ import annotations

import time
from collections.abc import Callable


class Allowance:
    """`burst` times at once, and `per_s` times a second in the long run."""

    def __init__(self, per_s: float, *, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._burst = burst
        self._clock = clock
        self._left = float(burst)
        self._counted = clock()

    def take(self) -> bool:
        """Whether it may be done once more, now; if so, it counts."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._counted) * self._per_s)
        self._counted = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
