"""A PC is kept awake while it computes for others and may be, and for a while after that; at the end it may sleep."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from played_pool import until

from idlepool.engine.pool import keeping_awake as keeping_awake_module
from idlepool.engine.pool.keeping_awake import KeepingAwake


@dataclass
class PlayedPc:
    """Whether it is allowed and busy is what a test says; `told` is what the system was told."""

    allowed: bool = True
    busy: bool = False
    told: list[str] = field(default_factory=list)
    looks: int = 0

    def hold(self) -> None:
        self.told.append("hold")

    def release(self) -> None:
        self.told.append("release")

    def is_busy(self) -> bool:
        self.looks += 1
        return self.busy


@contextlib.asynccontextmanager
async def kept(pc: PlayedPc) -> AsyncIterator[None]:
    task = asyncio.create_task(KeepingAwake(pc, allowed=lambda: pc.allowed, busy=pc.is_busy).run())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_awake_module, "LOOK_S", 0.01)


async def looked(pc: PlayedPc) -> None:
    before = pc.looks
    await until(lambda: pc.looks > before + 2)


async def test_it_is_kept_awake_from_the_first_step_on_and_through_pauses() -> None:
    pc = PlayedPc()
    async with kept(pc):
        await looked(pc)
        assert pc.told == []
        pc.busy = True
        await until(lambda: pc.told == ["hold"])
        pc.busy = False
        await looked(pc)
        assert pc.told == ["hold"]
    assert pc.told == ["hold", "release"]


async def test_after_a_long_pause_it_may_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_awake_module, "QUIET_S", 0.0)
    pc = PlayedPc(busy=True)
    async with kept(pc):
        await looked(pc)
        assert pc.told == []


async def test_on_battery_or_against_the_rules_it_may_sleep_at_once() -> None:
    pc = PlayedPc(busy=True)
    async with kept(pc):
        await until(lambda: pc.told == ["hold"])
        pc.allowed = False
        await until(lambda: pc.told == ["hold", "release"])
        await looked(pc)
    assert pc.told == ["hold", "release"]
