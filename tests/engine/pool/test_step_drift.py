"""A PC that became slower for good is planned with as it is now; one that was busy for a moment is not."""

from __future__ import annotations

import pytest

from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.step_drift import BATCH_S, BATCH_STEPS, BATCHES, DRIFT, MOST_ROWS, StepDrift, drift_of

MEASURED = StepTimes(2, 9, (10.0, 16.0, 40.0), "m", "CPU", "paged")


class Stage:
    """A stage whose steps take `factor` times what was measured, with as many seconds between them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.told: list[StepTimes] = []
        self.drift = StepDrift(MEASURED, self.told.append, clock=lambda: self.now)

    def run(self, factor: float, *, batches: float, rows: int = 1, ms: float = 10.0) -> None:
        for _ in range(round(batches * BATCH_STEPS)):
            self.now += BATCH_S / (BATCH_STEPS - 1)
            self.drift.note(rows, factor * ms)


def test_first_steps_that_are_faster_than_those_of_the_load_are_believed_at_once_and_slower_ones_are_not():
    stage = Stage()
    stage.run(0.7, batches=1)
    (told,) = stage.told
    assert told.ms == pytest.approx([0.7 * ms for ms in MEASURED.ms])
    stage.run(0.7, batches=2 * BATCHES)
    stage.run(0.6, batches=BATCHES - 1)
    assert len(stage.told) == 1
    slow = Stage()
    slow.run(1.5, batches=1)
    assert slow.told == []


@pytest.mark.parametrize("factor", [1.6, 0.5])
def test_what_lasts_becomes_what_is_told_for_steps_of_all_sizes(factor):
    stage = Stage()
    stage.run(1.0, batches=1)
    stage.run(factor, batches=BATCHES + 0.5)
    (told,) = stage.told
    assert (told.first, told.last, told.model, told.device, told.backend) == (2, 9, "m", "CPU", "paged")
    assert told.ms == pytest.approx([factor * ms for ms in MEASURED.ms])
    stage.run(factor, batches=2 * BATCHES)
    assert len(stage.told) == 1
    stage.run(1.0, batches=BATCHES + 1)
    assert stage.told[-1].ms == pytest.approx(MEASURED.ms)


@pytest.mark.parametrize("factor", [1 + 0.9 * DRIFT, 1.0, 1 - 0.7 * DRIFT])
def test_what_differs_little_is_left_as_it_was(factor):
    stage = Stage()
    stage.run(1.0, batches=1)
    stage.run(factor, batches=3 * BATCHES)
    assert stage.told == []


def test_a_busy_minute_is_nothing_lasting():
    stage = Stage()
    for _ in range(5):
        stage.run(3.0, batches=BATCHES - 1)
        stage.run(1.0, batches=1)
    assert stage.told == []


def test_many_quick_steps_are_not_long():
    stage = Stage()
    for _ in range(1000):
        stage.now += 0.01
        stage.drift.note(1, 30.0)
    assert stage.told == []


def test_steps_are_compared_with_those_of_their_size_and_prompts_with_nothing():
    stage = Stage()
    stage.run(1.0, batches=2 * BATCHES, rows=4, ms=16.0)
    stage.run(1.0, batches=2 * BATCHES, rows=16, ms=40.0)
    stage.run(9.0, batches=2 * BATCHES, rows=MOST_ROWS + 1)
    assert stage.told == []


def test_what_goes_up_and_down_is_no_drift():
    assert drift_of([1.5, 0.5, 1.5]) is None
    assert drift_of([1.3, 1.9, 1.4]) == 1.4
    assert drift_of([0.7, 0.6, 0.79]) == 0.7
