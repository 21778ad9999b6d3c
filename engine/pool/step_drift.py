"""Whether the steps of a stage take lastingly longer, or shorter, than was measured when it was loaded. Pure.

Steps are compared in batches of at least BATCH_STEPS and BATCH_S. Where the medians of BATCHES in a row all differ from
what was measured by more than DRIFT, and in the same direction, that is lasting: another program that is always there,
a battery saver, longer conversations. A busy minute is not.

The first BATCH_STEPS steps are believed at once where they are faster: what goes on beside a load, above all other
loads, makes the steps that are timed there slower, and nothing makes them faster.
"""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Callable

import msgspec

from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.plan_costs import step_ms

log = logging.getLogger("idlepool.hosting")

DRIFT = 0.25

FASTER = 0.05
"""By so much at least the first steps are faster where the times of the load are corrected."""

BATCH_STEPS = 32
BATCH_S = 10.0
BATCHES = 3

MOST_ROWS = 32
"""Steps of more are prompts, which are bound by arithmetic and say little of the others."""


class StepDrift:
    """Compares the steps of one stage with `measured`; `on_drift` hears of what holds instead, and that holds then."""

    def __init__(
        self,
        measured: StepTimes,
        on_drift: Callable[[StepTimes], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._measured = measured
        self._on_drift = on_drift
        self._clock = clock
        self._began = 0.0
        self._ratios: list[float] = []
        self._medians: list[float] = []
        self._believes_load = True
        """Whether the times of the load were not compared yet with the first steps."""

    def note(self, rows: int, ms: float) -> None:
        """A step of so many rows took so long."""
        if rows > MOST_ROWS or not self._measured.ms:
            return
        now = self._clock()
        if not self._ratios:
            self._began = now
        self._ratios.append(ms / step_ms(self._measured.ms, rows))
        if self._believes_load and len(self._ratios) == BATCH_STEPS:
            self._correct_load()
        if len(self._ratios) >= BATCH_STEPS and now - self._began >= BATCH_S:
            self._medians = [*self._medians, statistics.median(self._ratios)][-BATCHES:]
            self._ratios.clear()
            self._judge()

    def _correct_load(self) -> None:
        self._believes_load = False
        factor = statistics.median(self._ratios)
        if factor < 1 / (1 + FASTER):
            self._take(factor)

    def _judge(self) -> None:
        factor = drift_of(self._medians) if len(self._medians) == BATCHES else None
        if factor is not None:
            self._take(factor)

    def _take(self, factor: float) -> None:
        times = self._measured
        log.info("steps of layers [%d, %d) take %.2f of what was measured", times.first, times.last, factor)
        self._measured = msgspec.structs.replace(times, ms=tuple(ms * factor for ms in times.ms))
        self._ratios.clear()
        self._medians.clear()
        self._on_drift(self._measured)


def drift_of(ratios: list[float]) -> float | None:
    """By what measured times are to be multiplied, from ratios to them that followed one another; None: they hold."""
    slower = all(ratio > 1 + DRIFT for ratio in ratios)
    faster = all(ratio < 1 / (1 + DRIFT) for ratio in ratios)
    return statistics.median(ratios) if slower or faster else None
