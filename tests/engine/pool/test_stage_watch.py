"""A stage process that stopped is noticed within seconds; one that computes for long, or rests, is left alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.pool.stage_watch import (
    DOUBTED_S,
    MULTIPLE,
    PATIENCE_S,
    RECENT,
    REST_S,
    TICK_S,
    UNUSUAL_S,
    StageWatch,
)

ROWS = st.integers(1, 512)


class Process:
    """A process that is watched, in time of its own."""

    def __init__(self, steps_ms: Sequence[float] = ()) -> None:
        self.watch = StageWatch(steps_ms)
        self.now = 1000.0

    def compute(self, rows: int, seconds: float) -> bool:
        """One step; whether it was given up before it ended."""
        self.watch.sent(rows, self.now)
        overdue = any(self.watch.tick() for _ in range(int(seconds / TICK_S)))
        self.now += seconds
        self.watch.answered(self.now)
        return overdue

    def stop(self, rows: int) -> float:
        """Seconds until it is noticed that a step never ends."""
        self.watch.sent(rows, self.now)
        ticks = 1
        while not self.watch.tick():
            ticks += 1
        return ticks * TICK_S


@given(st.lists(st.tuples(ROWS, st.floats(0, PATIENCE_S)), max_size=100))
def test_no_step_is_given_up_within_the_patience(steps):
    process = Process()
    assert not any(process.compute(rows, seconds) for rows, seconds in steps)


@given(st.lists(ROWS, min_size=1, max_size=100), st.floats(0.001, 20), st.floats(0, 0.2), ROWS)
def test_a_slow_pc_gets_the_time_that_it_takes(steps, start_s, row_s, last):
    """Steps that cost a fixed part and a part for each row, whatever these are."""
    process = Process([1e3 * (start_s + rows * row_s) for rows in (1, 4, 16)])
    assert not any(process.compute(rows, start_s + rows * row_s) for rows in [*steps, last])


@given(st.lists(st.tuples(ROWS, st.floats(0.001, 60)), min_size=1, max_size=100))
def test_a_process_that_stops_is_noticed_after_some_multiple_of_what_it_took(steps):
    process = Process()
    for rows, seconds in steps:
        process.compute(rows, seconds)
    most = max(PATIENCE_S, MULTIPLE * max(seconds for _, seconds in steps)) + 1e-9
    assert all(process.watch.allowed_s(rows, patience_s=PATIENCE_S) <= most for rows, _ in steps)
    assert process.stop(steps[-1][0]) <= most + TICK_S


@given(st.floats(0.01, 60), ROWS)
def test_one_step_in_twenty_that_was_slow_says_nothing_about_the_others(slow_s, rows):
    process = Process()
    for number in range(RECENT):
        process.compute(rows, slow_s if number % 25 == 0 else 0.01)
    assert process.watch.allowed_s(rows, patience_s=PATIENCE_S) == PATIENCE_S


def test_what_waits_behind_other_frames_has_not_begun():
    process = Process([10, 10, 10])
    process.compute(16, 0.01)
    for _ in range(10):
        process.watch.sent(16, process.now)
    for _ in range(10):
        assert not any(process.watch.tick() for _ in range(8))
        process.now += 4
        process.watch.answered(process.now)
    assert process.watch.allowed_s(16, patience_s=PATIENCE_S) == MULTIPLE * 4


def test_more_rows_than_ever_are_given_more_than_in_proportion():
    process = Process([500, 800, 1000])
    assert process.watch.allowed_s(512, patience_s=PATIENCE_S) == MULTIPLE * 32
    assert (
        process.watch.allowed_s(9, patience_s=PATIENCE_S)
        == process.watch.allowed_s(16, patience_s=PATIENCE_S)
        == PATIENCE_S
    )
    assert (
        Process([1]).watch.allowed_s(64, patience_s=PATIENCE_S)
        == Process().watch.allowed_s(1, patience_s=PATIENCE_S)
        == UNUSUAL_S
    )


def test_what_was_skipped_says_nothing_of_speed():
    process = Process()
    process.watch.sent(256, process.now)
    process.watch.answered(process.now, computed=False)
    assert process.watch.allowed_s(256, patience_s=PATIENCE_S) == UNUSUAL_S


@pytest.mark.parametrize(("rest_s", "patience_s"), [(REST_S / 2, PATIENCE_S), (2 * REST_S, UNUSUAL_S)])
def test_the_first_step_after_a_rest_may_read_the_weights_again(rest_s, patience_s):
    process = Process([1, 1, 1])
    process.compute(1, 0.01)
    process.now += rest_s
    assert process.stop(1) == patience_s + TICK_S


@given(st.integers(0, 1000))
def test_nothing_is_overdue_of_one_that_has_nothing_to_do(ticks):
    process = Process([1, 1, 1])
    process.compute(1, 1)
    assert not any(process.watch.tick() for _ in range(ticks))


def test_where_something_else_speaks_for_it_less_patience_is_enough():
    process = Process([10, 10, 10])
    process.compute(1, 0.01)
    process.watch.sent(1, process.now)
    ticks = [process.watch.tick(doubted=True) for _ in range(int(PATIENCE_S / TICK_S))]
    assert ticks.index(True) == DOUBTED_S / TICK_S
    slow = Process([4000, 4000, 4000])
    slow.compute(1, 4)
    slow.watch.sent(1, slow.now)
    assert not any(slow.watch.tick(doubted=True) for _ in range(int(4 * MULTIPLE / TICK_S)))
