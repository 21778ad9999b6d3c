"""However often it is asked for: the first time counts at once, the last time counts too, and little in between."""

from __future__ import annotations

import asyncio

from played_pool import until

from idlepool.engine.pool.coalesced import Coalesced


async def test_the_first_is_told_at_once_and_the_last_after_a_pause():
    states, told = [], []
    tell = Coalesced(lambda: told.append(states[-1]), pause_s=0.05)
    for state in range(100):
        states.append(state)
        tell()
    assert told == [0]
    await until(lambda: told == [0, 99])
    await asyncio.sleep(0.1)
    states.append("later")
    tell()
    assert told == [0, 99, "later"]


async def test_what_is_still_to_be_told_is_told_at_the_end():
    told = []
    tell = Coalesced(lambda: told.append(len(told)), pause_s=3600)
    tell()
    tell()
    tell.close()
    assert told == [0, 1]
    tell.close()
    assert told == [0, 1]
