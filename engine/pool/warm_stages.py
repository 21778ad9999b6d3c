"""Stage processes that were released a moment ago and still hold their layers, for whoever asks for the same ones next.

A pipeline that broke is planned again at once, and most of its stages often stay where they were: these need not load
again. What is kept has forgotten whom it served. It is freed after some seconds, or as soon as its memory is wanted.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from idlepool.engine.errors import StageFailed
from idlepool.engine.net.messages import PrepareStage, ShardLoaded
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId, Span

log = logging.getLogger("idlepool.hosting")

KEEP_S = 15.0
"""A PC that is lost is noticed, and the pipeline planned again, in less."""

EMPTY_S = 5.0
"""What a process gets to end its step and to forget."""

Layers = tuple[str, int, int, str, str]


@dataclass(frozen=True, slots=True)
class WarmStage:
    """A process with its layers."""

    host: StageHost
    shard: ShardLoaded


@dataclass(slots=True, eq=False)
class _Kept:
    stage: WarmStage
    layers: Layers
    head: NodeId
    emptied: asyncio.Future[bool]
    """Whether it forgot everything; false where it is ended."""
    life: asyncio.Task[None] | None = None


class WarmStages:
    """What is kept on this PC, for `keep_s` each."""

    def __init__(self, *, keep_s: float = KEEP_S) -> None:
        self._keep_s = keep_s
        self._kept: list[_Kept] = []
        self._tasks = TaskKeeper()

    @property
    def in_use(self) -> tuple[tuple[ModelId, Span], ...]:
        """The layers that are held."""
        return tuple((ModelId(model), Span(first, last)) for model, first, last, *_ in (k.layers for k in self._kept))

    def put(self, order: PrepareStage, stage: WarmStage) -> None:
        """Keep a process that was loaded by `order` and serves nobody any more."""
        emptied: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        kept = _Kept(stage, _layers(order), NodeId(order.head.node), emptied)
        self._kept.append(kept)
        kept.life = self._tasks.start(self._keep(kept))

    async def take(self, order: PrepareStage) -> WarmStage | None:
        """A process that holds what is ordered, and nothing of its time before; None where there is none."""
        kept = next((kept for kept in self._kept if kept.layers == _layers(order)), None)
        if kept is None or not await asyncio.shield(kept.emptied) or kept not in self._kept or kept.stage.host.ended:
            return None
        self._kept.remove(kept)
        assert kept.life is not None
        kept.life.cancel()
        return kept.stage

    async def make_way(self, order: PrepareStage) -> None:
        """Free all but what is ordered: its memory is wanted."""
        await self._free([kept for kept in self._kept if kept.layers != _layers(order)])

    async def free(self, *, but: NodeId | None = None) -> None:
        """Free all but what belonged to the pipelines of one head."""
        await self._free([kept for kept in self._kept if kept.head != but])

    async def _free(self, unwanted: list[_Kept]) -> None:
        await asyncio.gather(*(self._end(kept) for kept in unwanted))

    async def _end(self, kept: _Kept) -> None:
        self._kept.remove(kept)
        kept.stage.host.kill()
        if not kept.emptied.done():
            kept.emptied.set_result(False)
        if kept.life is not None:
            kept.life.cancel()
            await asyncio.gather(kept.life, return_exceptions=True)
        await kept.stage.host.close()

    async def _keep(self, kept: _Kept) -> None:
        try:
            async with asyncio.timeout(EMPTY_S):
                await kept.stage.host.empty()
            kept.emptied.set_result(True)
            await asyncio.sleep(self._keep_s)
        except (TimeoutError, StageFailed) as error:
            log.info("a stage process is not kept: %s", error)
            kept.emptied.set_result(False)
        self._kept.remove(kept)
        await kept.stage.host.close()


def _layers(order: PrepareStage) -> Layers:
    """What two orders must have in common for one process to do for both."""
    return order.model, order.first, order.last, order.device, order.wire
