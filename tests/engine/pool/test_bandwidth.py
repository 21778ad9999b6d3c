"""A limit holds over time for all who share it, and gives back at most a moment of what was not used."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.pool.bandwidth import BURST_S, Bandwidth

RATE = 1000


class Clock:
    """A time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@given(st.lists(st.tuples(st.integers(1, 5000), st.floats(0, 3)), max_size=30))
async def test_no_more_goes_than_the_limit_and_a_moment(takes):
    clock = Clock()
    cap = Bandwidth(RATE, clock=clock, sleep=clock.sleep)
    start, sent = clock.now, 0
    for count, pause in takes:
        await cap.take(count)
        sent += count
        assert sent <= RATE * (clock.now - start + BURST_S) + 0.001
        clock.now += pause


async def test_nobody_waits_longer_than_the_limit_says():
    clock = Clock()
    cap = Bandwidth(RATE, clock=clock, sleep=clock.sleep)
    for _ in range(10):
        await cap.take(500)
    assert clock.now == pytest.approx(105)


async def test_those_who_share_it_wait_for_each_other():
    clock, ended = Clock(), []
    cap = Bandwidth(RATE, clock=clock, sleep=clock.sleep)

    async def take() -> None:
        await cap.take(1000)
        ended.append(clock.now)

    await asyncio.gather(*(take() for _ in range(3)))
    assert ended == pytest.approx([101, 102, 103])


@pytest.mark.parametrize(("rate", "ends"), [(10 * RATE, 101.9), (RATE // 2, 119.0), (0, 101)])
async def test_another_limit_holds_at_once_for_those_who_wait(rate: int, ends: float):
    clock = Clock()

    async def sleep(seconds: float) -> None:
        await clock.sleep(seconds)
        if clock.now == 101:
            cap.limit(rate)

    cap = Bandwidth(RATE, clock=clock, sleep=sleep)
    await cap.take(10_000)
    assert clock.now == pytest.approx(ends)


async def test_a_limit_begins_to_hold_where_there_was_none():
    clock = Clock()
    cap = Bandwidth(clock=clock, sleep=clock.sleep)
    await cap.take(10**9)
    cap.limit(RATE)
    await cap.take(3 * RATE)
    assert clock.now == pytest.approx(103)


async def test_without_a_limit_nobody_waits():
    async def sleep(_: float) -> None:
        raise AssertionError("waited")

    await Bandwidth(sleep=sleep).take(10**12)


def test_a_program_without_an_event_loop_keeps_to_it_too():
    clock = Clock()
    cap = Bandwidth(RATE, clock=clock, sleep=clock.sleep)
    for _ in range(10):
        cap.take_alone(500)
    assert clock.now == pytest.approx(105)
