"""How long Qt's event loop was busy with one thing at a time: so late the window answers to a key or a click."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEventLoop, Qt, QTimer

CHECK_MS: Final = 5


class Gaps:
    """Milliseconds between the ticks of a timer that is due each millisecond: those that passed, and those of them in
    which this thread computed (it did not where other programs held the processor). Windows counts the latter in steps
    of 16 ms."""

    def __init__(self) -> None:
        self.passed: list[float] = []
        self.computed: list[float] = []
        self._last = self._last_computed = 0.0
        self._ticks = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=1)
        self._ticks.timeout.connect(self._tick)

    def listen(self, seconds: float) -> None:
        """Let the event loop run for so long, and watch it."""
        loop = QEventLoop()
        QTimer.singleShot(round(1000 * seconds), loop.quit)
        self._last, self._last_computed = time.perf_counter(), time.thread_time()
        self._ticks.start()
        loop.exec()
        self._ticks.stop()

    def share_above(self, limit_ms: float) -> float:
        """The part of all time that lay in gaps longer than `limit_ms`."""
        return sum(gap for gap in self.passed if gap > limit_ms) / sum(self.passed)

    def _tick(self) -> None:
        now, computed = time.perf_counter(), time.thread_time()
        self.passed.append(1000 * (now - self._last))
        self.computed.append(1000 * (computed - self._last_computed))
        self._last, self._last_computed = now, computed


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many of a hundred do not exceed."""
    return statistics.quantiles(values, n=100)[percent - 1]


def wait_until(condition: Callable[[], bool], *, patience_s: float) -> None:
    """Let the event loop run until the condition holds.

    Raises:
        TimeoutError: it did not within that time.
    """

    def check() -> None:
        if condition():
            loop.quit()

    loop = QEventLoop()
    checks = QTimer(interval=CHECK_MS)
    checks.timeout.connect(check)
    checks.start()
    QTimer.singleShot(round(1000 * patience_s), loop.quit)
    if not condition():
        loop.exec()
    checks.stop()
    if not condition():
        raise TimeoutError
