"""Nobody waits on the loop, things happen in order, and what would hang or fail in real time is not played on."""

from __future__ import annotations

import asyncio

import pytest

from idlepool.engine.simulation.virtual_time import VirtualLoop


def played(coroutine):
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)


def test_a_year_passes_at_once_and_in_order():
    async def year():
        loop = asyncio.get_running_loop()
        seen = []
        loop.call_at(2.5, seen.append, "second")
        loop.call_later(1.0, seen.append, "first")
        await asyncio.sleep(365 * 86_400)
        return seen, loop.time()

    seen, time = played(year())
    assert seen == ["first", "second"]
    assert time == pytest.approx(365 * 86_400)


def test_what_waits_for_nothing_is_told():
    async def hang():
        await asyncio.get_running_loop().create_future()

    with pytest.raises(RuntimeError, match="nothing is going to happen"):
        played(hang())


def test_an_error_in_a_timer_ends_it():
    async def fail():
        asyncio.get_running_loop().call_later(1.0, int, "no number")
        await asyncio.sleep(10)

    with pytest.raises(ValueError, match="no number"):
        played(fail())
