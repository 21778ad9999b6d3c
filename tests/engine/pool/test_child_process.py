"""Ending a child: in order, by force, and where even that does not help."""

from __future__ import annotations

import asyncio
import sys

import psutil
import pytest

from idlepool.engine.pool.child_process import end, start

STUBBORN = "import sys, time; sys.stdout.write('x' * 1_000_000); sys.stdout.flush(); time.sleep(60)"


async def test_a_child_that_ends_with_its_input_is_not_killed():
    child = await start([sys.executable, "-c", "import sys; sys.stdin.read()"])
    await end(child, grace_s=20)
    assert child.returncode == 0


async def test_a_child_that_stays_is_killed_whatever_it_still_has_to_say():
    child = await start([sys.executable, "-c", STUBBORN])
    await end(child, grace_s=0.1)
    assert child.returncode not in (None, 0)


@pytest.mark.parametrize("turns", range(12))
async def test_who_is_cancelled_while_it_starts_a_child_is_free_at_once_and_leaves_none(turns: int):
    starting = asyncio.create_task(start([sys.executable, "-c", "import time; time.sleep(60)"]))
    for _ in range(turns):
        await asyncio.sleep(0)
    starting.cancel()
    done, _ = await asyncio.wait([starting], timeout=20)
    assert done, "it waits for ever"
    if not starting.cancelled():  # it was there already
        await end(starting.result(), grace_s=0)
    assert not psutil.Process().children(recursive=True)


class HeldByADriver:
    """No signal ends such a process, and none can be made at will."""

    stdin = stdout = None
    pid = 4711
    killed = False

    def kill(self) -> None:
        self.killed = True

    async def wait(self) -> None:
        await asyncio.Event().wait()


async def test_a_child_that_cannot_be_killed_is_told_of_and_left(caplog):
    child = HeldByADriver()
    await end(child, grace_s=0, killed_s=0.05)
    assert child.killed
    assert "4711" in caplog.text
