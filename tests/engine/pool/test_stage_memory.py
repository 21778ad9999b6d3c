"""What stages take of a PC's memory: of which it is measured, and when it is worth telling anew."""

from __future__ import annotations

from types import SimpleNamespace

from idlepool.engine.net.messages import StageMemory
from idlepool.engine.pool.stage_memory import StageMemoryWatch


def stage(session: int, pid: int | None, *, device: str = "CPU", computes: bool = True) -> SimpleNamespace:
    return SimpleNamespace(order=SimpleNamespace(session=session), pid=pid, device=device, computes=computes)


class Seen:
    """A PC whose processes take what `taken` says, by their ids."""

    def __init__(self, *stages: SimpleNamespace) -> None:
        self.stages = list(stages)
        self.taken: dict[int, int] = {}
        self.news = 0
        self.watch = StageMemoryWatch(lambda: self.stages, on_news=self._count, measure=self._measure)

    async def _count(self) -> None:
        self.news += 1

    def _measure(self, pids: frozenset[int]) -> int:
        return sum(self.taken.get(pid, 0) for pid in pids)


async def test_each_stage_on_the_cpu_is_measured_for_itself():
    pc = Seen(stage(1, 11), stage(2, 12), stage(3, 13, device="GPU"), stage(4, None, device="", computes=False))
    pc.taken = {11: 500, 12: 700, 13: 900}
    await pc.watch.look()
    assert pc.watch.told == (StageMemory(1, 500), StageMemory(2, 700))


async def test_what_changed_little_is_not_told_anew_and_what_changed_much_is():
    pc = Seen(stage(1, 11))
    pc.taken = {11: 1000}
    await pc.watch.look()
    pc.taken = {11: 1040}
    await pc.watch.look()
    assert (pc.news, pc.watch.told) == (1, (StageMemory(1, 1000),))
    pc.taken = {11: 1060}
    await pc.watch.look()
    assert (pc.news, pc.watch.told) == (2, (StageMemory(1, 1060),))


async def test_a_stage_that_ended_is_told_of_no_more():
    pc = Seen(stage(1, 11), stage(2, 12))
    pc.taken = {11: 500, 12: 700}
    await pc.watch.look()
    del pc.taken[12]
    await pc.watch.look()
    assert pc.watch.told == (StageMemory(1, 500),)
    pc.stages = []
    await pc.watch.look()
    assert (pc.news, pc.watch.told) == (3, ())
