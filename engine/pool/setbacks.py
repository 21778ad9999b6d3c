"""PCs whose stages failed lately: others are planned with for a while, where others can do it. Pure, but for a clock.

A PC that went away is none of them: when it is back, it is as good as before.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from idlepool.engine.types import NodeId

FIRST_PAUSE_S = 30.0
"""A PC is left out for so long after a failure, and for twice as long after each further one."""

FORGOTTEN_S = 3600.0
"""Without a failure for so long, a PC begins anew."""


class Setbacks:
    """Failures by PC."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[NodeId, tuple[int, float]] = {}

    def note(self, node: NodeId) -> None:
        """A stage on that PC failed."""
        count, latest = self._failures.get(node, (0, 0.0))
        now = self._clock()
        self._failures[node] = (1 if now - latest > FORGOTTEN_S else count + 1, now)

    def left_out(self, node: NodeId) -> bool:
        """Whether to plan without that PC now."""
        count, latest = self._failures.get(node, (0, 0.0))
        return count > 0 and self._clock() - latest < min(FIRST_PAUSE_S * 2 ** (count - 1), FORGOTTEN_S)
