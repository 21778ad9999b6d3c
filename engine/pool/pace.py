"""How fast bytes come, over the last seconds, and how long the rest will take at that speed."""

from __future__ import annotations

from collections import deque

OVER_S = 15.0
"""Long enough that a moment's stall does not change the time left, short enough that another network shows soon."""

ENOUGH_S = 2.0
"""Before that nothing is said: what lay in a buffer comes at once and promises too much."""


class Pace:
    """Of one transfer. Times are seconds of a clock that never goes back."""

    def __init__(self, began: float = 0.0) -> None:
        self._seen: deque[tuple[float, int]] = deque()
        self._grew = began

    def note(self, done: int, now: float) -> None:
        """So many bytes are there. Fewer than before, or nothing for long, as while the PC slept: it begins anew."""
        if self._seen and (done < self._seen[-1][1] or now - self._seen[-1][0] >= OVER_S):
            self._seen.clear()
        if not self._seen or done != self._seen[-1][1]:
            self._grew = now
        self._seen.append((now, done))
        while len(self._seen) > 1 and self._seen[1][0] <= now - OVER_S:
            self._seen.popleft()

    def bytes_per_s(self, now: float) -> int:
        """0: nothing came lately, or it is too early to say."""
        if not self._seen or now - self._seen[0][0] < ENOUGH_S:
            return 0
        came = self._seen[-1][1] - self._seen[0][1]
        return round(came / (now - self._seen[0][0])) if now - self._seen[-1][0] < OVER_S else 0

    def silent_s(self, now: float) -> int:
        """For how long nothing has come, where that is longer than a stall of the network usually is; else 0."""
        silent = now - self._grew
        return int(silent) if silent >= OVER_S else 0

    def seconds_left(self, left: int, now: float) -> int:
        """For `left` bytes more; -1: unknown."""
        speed = self.bytes_per_s(now)
        return -(-left // speed) if speed else -1
