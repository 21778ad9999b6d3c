"""What the links to the other PCs carry, found out once for each while this PC and the other one have nothing to do.

Of two PCs the one with the smaller id measures; what it found is in what it tells of its links.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping

from idlepool.engine.errors import LinkError
from idlepool.engine.net.link import Peer as Linked
from idlepool.engine.pool.link_test import LinkFigures
from idlepool.engine.pool.peers import Peer
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import NodeId

log = logging.getLogger("idlepool.links")

PAUSE_S = 12.0
"""Between two looks whether there is something to measure, on the average: by chance, so that PCs which met one another
at the same time do not all measure at once."""


class LinkMeasuring:
    """Looks at those `present` from `start` to `close`; `measure` takes seconds. `idle`: whether this PC is."""

    def __init__(
        self,
        here: NodeId,
        present: Mapping[NodeId, Peer],
        measure: Callable[[Linked], Awaitable[LinkFigures]],
        *,
        idle: Callable[[], bool],
    ) -> None:
        self._here = here
        self._present = present
        self._measure = measure
        self._idle = idle
        self._tasks = TaskKeeper()

    def start(self) -> None:
        """Begin to look."""
        self._tasks.start(self._run())

    async def close(self) -> None:
        """Stop; a measurement that is under way is dropped."""
        await self._tasks.close()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(PAUSE_S * random.uniform(0.5, 1.5))
            peer = self._next() if self._idle() else None
            if peer is not None:
                await self._find_out(peer)

    def _next(self) -> Peer | None:
        """Somebody that lends, does nothing, and was not tried yet on its present link."""
        for node, peer in self._present.items():
            idle = peer.heartbeat.phase == "idle" and not peer.suspect
            if self._here < node and peer.devices and idle and not peer.timing.tried:
                return peer
        return None

    async def _find_out(self, peer: Peer) -> None:
        peer.timing.tried = True
        try:
            figures = await self._measure(peer.link.peer)
        except LinkError as error:
            log.info("%s", error)
            return
        peer.timing.bytes_per_s = min(figures.receives_bytes_s, figures.sends_bytes_s)
        log.info("%s: %.1f MB/s", peer.link.peer, peer.timing.bytes_per_s / 1e6)
