"""A node with an owner: whoever asks goes on without it while he is there, and with it when he has gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import psutil
import pytest
from played_pool import answer, asked, ids_of, until

from idlepool.engine.errors import StageFailed, StageLeft
from idlepool.engine.events import LendingChanged, LendingRules, PoolChanged, SetLending, Snooze, StopLending
from idlepool.engine.machine.machine import Conditions
from idlepool.engine.net.messages import DeviceInfo
from idlepool.engine.pool import lending as lending_module
from idlepool.engine.pool.lent_devices import lent_share
from idlepool.engine.types import DeviceKind, ElementType, Sampling

GREEDY = Sampling()
AWAY_S = 3600.0


@dataclass
class Owner:
    """Somebody who uses a PC, or not, and the PC."""

    idle_s: float | None = AWAY_S
    told: Conditions = field(default_factory=Conditions)

    def seconds(self) -> float | None:
        return self.idle_s

    def conditions(self, *, programs: bool) -> Conditions:
        return self.told


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(lending_module, "POLL_S", 0.05)
    monkeypatch.setattr(lending_module, "CONDITIONS_S", 0.05)
    monkeypatch.setattr(lending_module, "SETTLE_S", 0.0)


@pytest.fixture
def owner() -> Owner:
    return Owner()


@pytest.fixture
def owned(pool, owner):
    """Starts "pc-2", which has an owner."""

    async def start(rules: LendingRules | None = None, **settings):
        return await pool.start("pc-2", lending=rules or LendingRules(), idle=owner, machine=owner, **settings)

    return start


def present(node) -> list[str]:
    return [pc.name for pc in node.present()]


async def test_while_its_owner_is_there_a_pc_is_present_but_in_no_plan(pool, model, owner, owned):
    owner.idle_s = 0.0
    head = await pool.start("pc-1", model=model)
    await owned()
    await until(lambda: any(not peer.lends for change in pool.seen("pc-1", PoolChanged) for peer in change.peers))
    assert pool.names_seen("pc-1") == ["pc-1", "pc-2"]
    (other,) = (peer for peer in pool.seen("pc-1", PoolChanged)[-1].peers if peer.name == "pc-2")
    assert (other.lends, other.lends_reason) == (False, "user active")
    await until(lambda: present(head) == ["pc-1"])
    owner.idle_s = AWAY_S
    await until(lambda: present(head) == ["pc-1", "pc-2"])
    owner.idle_s = None
    await until(lambda: present(head) == ["pc-1"])
    assert pool.seen("pc-2", LendingChanged)[-1].reason == "idle time unknown"


async def test_the_owners_return_stops_what_runs_for_others_and_frees_its_memory(pool, model, owner, owned):
    head = await pool.start("pc-1", model=model)
    await owned()
    pipeline = await pool.open(head, stages=2)
    process = psutil.Process(pipeline.stages[1].pid)
    ids = ids_of(pipeline.generate(asked("chat", [1, 2, 3], count=10_000, sampling=GREEDY)))
    await anext(ids)
    owner.idle_s = 0.0
    with pytest.raises(StageLeft, match="pc-2 stopped lending: somebody uses it"):
        async for _ in ids:
            pass
    await until(lambda: not process.is_running())
    await until(lambda: present(head) == ["pc-1"])
    owner.idle_s = AWAY_S
    await until(lambda: present(head) == ["pc-1", "pc-2"])
    await pool.open(head, stages=2)


async def test_what_a_pc_does_for_its_own_user_is_never_touched(pool, model, owner, owned):
    node = await owned(model=model)
    pipeline = await pool.open(node, stages=1)
    owner.idle_s = 0.0
    await until(lambda: pool.seen("pc-2", LendingChanged)[-1].reason == "user active")
    node.lender.obey(StopLending())
    await until(lambda: pool.seen("pc-2", LendingChanged)[-1].reason == "snoozed")
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=GREEDY)) == 3


async def test_commands_of_the_window_change_what_holds(pool, owner, owned):
    node = await owned()
    started = pool.seen("pc-2", LendingChanged)[-1]
    assert (started.mode, started.lends, started.sentence) == ("when_idle", True, "This PC lends: nobody uses it.")
    node.lender.obey(SetLending(LendingRules(mode="never")))
    await until(lambda: pool.seen("pc-2", LendingChanged)[-1].mode == "never")
    node.lender.obey(SetLending(LendingRules(mode="always")))
    until_then = datetime.now().astimezone() + timedelta(hours=1)
    node.lender.obey(Snooze(until_then))
    last = await until(lambda: next((c for c in pool.seen("pc-2", LendingChanged) if c.reason == "snoozed"), None))
    assert (last.mode, last.until) == ("always", until_then)


async def test_others_are_told_of_no_more_memory_than_they_may_have(pool, model, owned):
    head = await pool.start("pc-1", model=model)
    node = await owned(LendingRules(memory_share=0.125))
    await until(lambda: present(head) == ["pc-1", "pc-2"])
    allowed = psutil.virtual_memory().total // 8
    assert [pc.device.usable_bytes <= allowed for pc in head.present()] == [False, True]
    assert node.present()[0].device.usable_bytes > allowed, "its own plans have all of it"


async def test_no_more_is_fetched_for_others_than_the_owner_gives_of_the_disk(pool, model, owned):
    head = await pool.start("pc-1", model=model)
    node = await owned(LendingRules(disk_bytes=1000))

    def room() -> list[int]:
        return [pc.disk_bytes for pc in head.present() if pc.node == node.id]

    await until(lambda: room() == [1000])
    with pytest.raises(StageFailed, match="layers fetched for others may take"):
        await pool.open(head, stages=2)


def test_a_share_is_one_of_the_pcs_memory_or_of_the_devices_own():
    def device(kind: DeviceKind, usable: int) -> DeviceInfo:
        return DeviceInfo(str(kind), ElementType.F16, usable, kind)

    devices = [
        device(DeviceKind.CPU, 12_000),
        device(DeviceKind.INTEGRATED_GPU, 3_000),
        device(DeviceKind.DISCRETE_GPU, 8_000),
    ]
    assert [each.usable_bytes for each in lent_share(devices, 0.5, memory_bytes=16_000)] == [8_000, 3_000, 4_000]


async def test_where_the_share_is_full_nothing_more_is_lent_but_what_runs_goes_on(pool, model, owned):
    head = await pool.start("pc-1", model=model)
    node = await owned()
    pipeline = await pool.open(head, stages=2)
    node.lender.obey(SetLending(LendingRules(memory_share=1e-6)))
    await until(lambda: pool.seen("pc-2", LendingChanged)[-1].reason == "memory cap")
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=GREEDY)) == 3
    await until(lambda: present(head) == ["pc-1"])


async def test_a_pc_that_goes_to_sleep_tells_the_others_before_it_does(pool, model, owner, owned):
    head = await pool.start("pc-1", model=model)
    node = await owned()
    await until(lambda: present(head) == ["pc-1", "pc-2"])
    await node.lender._lending.leave(True)
    await until(lambda: present(head) == ["pc-1"])
    (other,) = (peer for peer in head.neighbourhood.infos() if peer.name == "pc-2")
    assert other.lends_reason == "leaving"
    await node.lender._lending.leave(False)
    await until(lambda: present(head) == ["pc-1", "pc-2"])
