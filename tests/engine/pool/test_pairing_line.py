"""One has the turn; whose host failed least is next, then who came first; and a turn that nobody takes is not lost."""

from __future__ import annotations

import asyncio

import pytest

from idlepool.engine.pool.pairing_line import PairingLine


async def test_who_fails_again_and_again_waits_for_the_others():
    line, served = PairingLine(), []

    async def attempt(host: str) -> None:
        await line.enter(host)
        served.append(host)
        line.leave()

    await line.enter("nagger")
    line.failed("nagger")
    line.failed("nagger")
    line.failed("clumsy")
    waiting = []
    for host in ("nagger", "clumsy", "first", "second"):
        waiting.append(asyncio.create_task(attempt(host)))
        await asyncio.sleep(0)
    line.leave()
    await asyncio.gather(*waiting)
    assert served == ["first", "second", "clumsy", "nagger"]


async def test_who_gives_up_leaves_the_line():
    line = PairingLine()
    await line.enter("first")
    with pytest.raises(TimeoutError):
        await line.enter("second", 0.01)
    third = asyncio.create_task(line.enter("third"))
    await asyncio.sleep(0)
    line.leave()
    await third


async def test_a_turn_that_comes_as_one_gives_up_goes_to_the_next():
    line = PairingLine()
    await line.enter("first")
    second, third = (asyncio.create_task(line.enter(host)) for host in ("second", "third"))
    await asyncio.sleep(0)
    line.leave()
    second.cancel()
    await third
    assert second.cancelled()
