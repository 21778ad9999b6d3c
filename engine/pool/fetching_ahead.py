"""Fetching layers that may be needed here, one span after another, while this PC has nothing else to do.

A stage that is prepared or computes comes first, and so does the owner: what is being fetched is given up at once, what
came of it stays, and it goes on when the PC has been idle for a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from idlepool.engine.errors import IdlepoolError
from idlepool.engine.net.standby_messages import StageAhead
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import ModelId, NodeId

log = logging.getLogger("idlepool.models")

IDLE_S = 3.0
"""So long nothing is done before fetching begins or goes on: between two questions of a conversation nothing is."""

LOOK_S = 0.25
"""How often it is seen whether the PC is idle."""

MOST_ORDERS = 16

_Key = tuple[NodeId, ModelId]


class FetchingAhead:
    """`bring` fetches a span; `idle` says whether nothing else is to be done."""

    def __init__(
        self,
        bring: Callable[[StageAhead], Awaitable[None]],
        *,
        idle: Callable[[], bool],
        idle_s: float = IDLE_S,
    ) -> None:
        self._bring = bring
        self._idle = idle
        self._idle_s = idle_s
        self._orders: dict[_Key, StageAhead] = {}
        self._now: _Key | None = None
        self._fetch: asyncio.Task[None] | None = None
        self._tasks = TaskKeeper()
        self._works = False

    def take(self, head: NodeId, order: StageAhead) -> None:
        """A head says what may be needed; what it said of that model before counts no more."""
        if not 0 <= order.first < order.last or order.source.node != head:
            log.warning("%s asked for the layers %d to %d of somebody ahead", head[:8], order.first, order.last)
            return
        key = head, ModelId(order.model)
        if key == self._now and order != self._orders.get(key):
            self.pause()
        self._orders[key] = order
        while len(self._orders) > MOST_ORDERS:
            del self._orders[next(iter(self._orders))]
        if not self._works:
            self._works = True
            self._tasks.start(self._work())

    def pause(self) -> None:
        """Something else is to be done now."""
        if self._fetch is not None:
            self._fetch.cancel()

    def lose(self, head: NodeId) -> None:
        """A head is gone, and nothing is needed for it."""
        for key in [key for key in self._orders if key[0] == head]:
            del self._orders[key]
            if key == self._now:
                self.pause()

    async def close(self) -> None:
        """Give up."""
        await self._tasks.close()

    async def _work(self) -> None:
        try:
            while self._orders:
                await self._wait_idle()
                for key, order in list(self._orders.items())[:1]:  # none where its head is gone by now
                    self._now = key
                    if await self._fetched(order) and self._orders.get(key) == order:
                        del self._orders[key]
        finally:
            self._works, self._now = False, None

    async def _wait_idle(self) -> None:
        """Until the PC has been idle for `idle_s` on end."""
        clock = asyncio.get_running_loop().time
        since = clock()
        while clock() - since < self._idle_s:
            await asyncio.sleep(LOOK_S)
            if not self._idle():
                since = clock()

    async def _fetched(self, order: StageAhead) -> bool:
        """False: something else came first."""
        self._fetch = fetch = asyncio.ensure_future(self._bring(order))
        try:
            while not (await asyncio.wait({fetch}, timeout=LOOK_S))[0]:
                if not self._idle():
                    fetch.cancel()
            if fetch.cancelled():
                return False
            fetch.result()
            log.info("layers %d to %d of %s are here ahead", order.first, order.last - 1, order.model[:12])
        except IdlepoolError as error:
            log.info("not fetched ahead: %s", error.sentence)
        finally:
            self._fetch = None
            fetch.cancel()
            await asyncio.wait({fetch})
        return True
