"""What the stages that are hosted here take of this PC's memory, measured again and again, for whoever shows it.

Only of those on the CPU: what a graphics driver or an NPU's sets aside is in no process's account on every system.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from idlepool.engine.machine.machine import resident_bytes
from idlepool.engine.net.messages import StageMemory
from idlepool.engine.pool.hosted_stage import HostedStage

EVERY_S: Final = 2.0
NEWS_SHARE: Final = 0.05
"""What differs by less from what was told is not told anew."""
CPU: Final = "CPU"


class StageMemoryWatch:
    """Measures the `stages`; `on_news` is awaited where `told` became something else."""

    def __init__(
        self,
        stages: Callable[[], Iterable[HostedStage]],
        *,
        on_news: Callable[[], Awaitable[None]],
        measure: Callable[[frozenset[int]], int] = resident_bytes,
    ) -> None:
        """`measure`: bytes that processes take, by their ids; asked in a thread."""
        self.told: tuple[StageMemory, ...] = ()
        self._stages = stages
        self._on_news = on_news
        self._measure = measure

    async def run(self) -> None:
        """Measure until this is cancelled."""
        while True:
            await asyncio.sleep(EVERY_S)
            await self.look()

    async def look(self) -> None:
        """Measure once."""
        pids = {stage.order.session: stage.pid for stage in self._stages() if stage.computes and stage.device == CPU}
        found = []
        for session, pid in pids.items():
            taken = await asyncio.to_thread(self._measure, frozenset({pid} if pid is not None else ()))
            if taken:  # else it ended meanwhile
                found.append(StageMemory(session, taken))
        if is_news(self.told, found):
            self.told = tuple(found)
            await self._on_news()


def is_news(told: Sequence[StageMemory], found: Sequence[StageMemory]) -> bool:
    """Whether these are other stages, or one takes so much more or less that somebody would see it."""
    before = {stage.session: stage.bytes for stage in told}
    if before.keys() != {stage.session for stage in found}:
        return True
    return any(abs(stage.bytes - before[stage.session]) > NEWS_SHARE * before[stage.session] for stage in found)
