"""A stage process is ready when it is wanted, is handed out once, and none is ever left behind."""

from __future__ import annotations

import asyncio

import psutil
import pytest
import pytest_asyncio
from played_pool import until

from idlepool.engine.pool import spare as spare_module
from idlepool.engine.pool import stage_host
from idlepool.engine.pool.spare import SpareStage


def stage_processes() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [child for child in children if stage_host.MODULE in child.cmdline()]


@pytest_asyncio.fixture
async def spare():
    spare = SpareStage("pc")
    yield spare
    await spare.close()
    await until(lambda: not stage_processes())


async def test_the_one_that_told_the_devices_is_handed_out_once(spare):
    devices, again = await asyncio.gather(spare.devices(), spare.devices())
    assert devices == again
    assert any(device.name == "CPU" and device.usable_bytes > 0 for device in devices)
    (ready,) = stage_processes()
    first, second = await asyncio.gather(spare.take(), spare.take())
    assert first.pid == ready.pid != second.pid
    await asyncio.gather(first.close(), second.close())


async def test_what_nobody_takes_is_ended(spare, monkeypatch):
    monkeypatch.setattr(spare_module, "KEEP_S", 0.05)
    await spare.devices()
    assert stage_processes()
    await until(lambda: not stage_processes())
    await (await spare.take()).close()


async def test_who_gives_up_leaves_it_to_the_next(spare):
    impatient = asyncio.create_task(spare.take())
    await until(stage_processes)
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    (ready,) = stage_processes()
    host = await spare.take()
    assert host.pid == ready.pid
    await host.close()


async def test_one_that_is_still_starting_is_ended_as_well(spare):
    starting = asyncio.create_task(spare.devices())
    await until(stage_processes)
    await spare.close()
    await asyncio.gather(starting, return_exceptions=True)
    assert not stage_processes()
