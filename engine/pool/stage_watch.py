"""Whether a stage process still answers: pure, from when frames went in, when results came out, and ticks of a clock.

A process computes frames one after another, so what a frame takes is counted from the later of two moments: when it
went in, and when the result before it came out. A frame may take some multiple of what nearly all of its size took.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from idlepool.engine.pool.plan_costs import PROFILED_TOKENS

TICK_S = 0.5

PATIENCE_S = 5.0
"""What every step may take: on a busy PC a process waits for seconds before it runs at all."""

DOUBTED_S = 3.0
"""The same where the PC that computes has been silent for about as long."""

UNUSUAL_S = 30.0
"""What a step may take for which there is no comparison: one larger than all before, for which a driver may have to
compile, or the first after a rest, in which the system may have put the weights out of memory."""

REST_S = 60.0

MULTIPLE = 4.0
"""A step may take so many times the 95th percentile of the last steps of its size."""

RECENT = 64


@dataclass(slots=True)
class _Inside:
    rows: int
    since: float
    rested: bool
    ticks: int = 0


class StageWatch:
    """Watches one process. `steps_ms`: what steps of PROFILED_TOKENS took when it was loaded, as far as known."""

    def __init__(self, steps_ms: Sequence[float] = ()) -> None:
        self._inside: deque[_Inside] = deque()
        self._took: dict[int, deque[float]] = {}
        self._last = -math.inf
        for rows, milliseconds in zip(PROFILED_TOKENS, steps_ms, strict=False):
            self._note(rows, milliseconds / 1e3)

    def sent(self, rows: int, now: float) -> None:
        """A frame goes in; `now` in seconds, of any clock that only rises."""
        self._inside.append(_Inside(rows, now, rested=not self._inside and now - self._last > REST_S))

    def answered(self, now: float, *, computed: bool = True) -> tuple[int, float]:
        """The result of the oldest frame came out; not `computed` where all of it was skipped.

        Returns the rows of that frame and the seconds it took.
        """
        frame = self._inside.popleft()
        seconds = now - max(frame.since, self._last)
        if computed:
            self._note(frame.rows, seconds)
        self._last = now
        return frame.rows, seconds

    def tick(self, *, doubted: bool = False) -> bool:
        """TICK_S passed, in which this PC was awake and would have taken a result; whether one is overdue.

        `doubted`: something else, too, speaks for that it will never come; then DOUBTED_S of patience are enough.

        Ticks and not times are counted: what was missed while the PC slept, or its event loop was busy, is no fault of
        the process.
        """
        if not self._inside:
            return False
        frame = self._inside[0]
        frame.ticks += 1
        allowed = self.allowed_s(frame.rows, patience_s=DOUBTED_S if doubted else PATIENCE_S)
        return frame.ticks * TICK_S > (max(allowed, UNUSUAL_S) if frame.rested else allowed)

    def allowed_s(self, rows: int, *, patience_s: float) -> float:
        """What a step of so many rows may take, at least `patience_s`."""
        size = _size(rows)
        nearest = min((known for known in self._took if known >= size), default=None)
        if nearest is not None:
            return max(patience_s, MULTIPLE * _percentile_95(self._took[nearest]))
        largest = max(self._took, default=None)
        if largest is None:
            return UNUSUAL_S
        in_proportion = 2.0 ** (size - largest) * _percentile_95(self._took[largest])
        return max(UNUSUAL_S, MULTIPLE * in_proportion)

    def _note(self, rows: int, seconds: float) -> None:
        self._took.setdefault(_size(rows), deque(maxlen=RECENT)).append(seconds)


def _size(rows: int) -> int:
    """Sizes that are compared: each is up to twice as many rows as the one before."""
    return (rows - 1).bit_length()


def _percentile_95(values: deque[float]) -> float:
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]
