"""How good a connection to another PC is: round trips, and bytes a second each way, over a link of its own.

Pings go one by one; blocks go several at a time, more with each that arrived, so that a slow link is not flooded.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from dataclasses import dataclass
from typing import TypeVar

from idlepool.engine.errors import LinkError
from idlepool.engine.net.frames import Frame, FrameKind, encode_frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import IDLE_S
from idlepool.engine.net.messages import Message
from idlepool.engine.net.presence_messages import TEST_BLOCK_BYTES, LinkPing, LinkPong, WantTestBytes
from idlepool.engine.types import ElementType, SessionId

PINGS = 20
PINGS_S = 0.5
BLOCKS = 128
"""Each way: 8 MiB."""
MAX_UNDER_WAY = 32
BLOCKS_S = 0.6
"""Each way. What is under way then still arrives."""
MAX_SERVED = 2 * BLOCKS
"""Blocks that a test may ask for or send before it is ended: nobody gets to keep a PC busy with it."""
MAX_PINGS = 4 * BLOCKS
PATIENCE_S = 8.0
"""For a link on which a block takes seconds."""

Kind = TypeVar("Kind", bound=Message | Frame)


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """What a test found. The round trip is the median one."""

    round_trip_ms: float
    receives_bytes_s: float
    """From the other PC to this one."""
    sends_bytes_s: float


async def measure_link(link: Link) -> LinkFigures:
    """Measure a link with the role "test"; takes at most two seconds unless the link is very slow.

    Raises:
        LinkError: it broke, or nothing came for too long.
    """
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await _measure(link)
    except TimeoutError as error:
        raise LinkError(f"The test of the link to {link.peer.name} took longer than {PATIENCE_S:.0f} s.") from error


async def _measure(link: Link) -> LinkFigures:
    trips: list[float] = []
    started = time.perf_counter()
    while len(trips) < PINGS and (not trips or time.perf_counter() - started < PINGS_S):
        asked = time.perf_counter()
        await link.send(LinkPing(len(trips)))
        await _next(link, LinkPong)
        trips.append(time.perf_counter() - asked)
    trip_s = statistics.median(trips)
    receives = await _Transfer(link, trip_s).receive()
    sends = await _Transfer(link, trip_s).send()
    return LinkFigures(1000 * trip_s, receives, sends)


async def serve_link_test(link: Link, *, idle_s: float = IDLE_S) -> None:
    """The other end of `measure_link`: answer until the link ends, or nothing comes for `idle_s`."""
    blocks = pings = 0
    while True:
        try:
            async with asyncio.timeout(idle_s):
                item = await anext(link, None)
        except TimeoutError:
            await link.close(f"Nothing was asked for {idle_s:g} s.")
            return
        match item:
            case None:
                return
            case LinkPing(number=number):
                pings += 1
                await link.send(LinkPong(number))
            case WantTestBytes(count=count) if 0 < count <= TEST_BLOCK_BYTES:
                blocks += 1
                await link.send_frame(_block(count))
            case Frame():
                blocks += 1
            case _:
                await link.close("That is no part of a link test.")
                return
        if blocks > MAX_SERVED or pings > MAX_PINGS:
            await link.close("A link test does not need so much.")
            return


class _Transfer:
    """Blocks in one direction, timed from the first until the last has arrived."""

    def __init__(self, link: Link, trip_s: float) -> None:
        self._link = link
        self._trip_s = trip_s
        self._begun = self._arrived = 0
        self._started = time.perf_counter()

    async def receive(self) -> float:
        """Bytes a second from the other PC."""
        while True:
            while self._may_begin():
                await self._link.send(WantTestBytes(TEST_BLOCK_BYTES))
                self._begun += 1
            if self._arrived == self._begun:
                return self._rate()
            await _next(self._link, Frame)
            self._arrived += 1

    async def send(self) -> float:
        """Bytes a second to the other PC."""
        block = _block(TEST_BLOCK_BYTES)
        while True:
            while self._may_begin():
                await self._link.send_frame(block)
                await self._link.send(LinkPing(self._begun))
                self._begun += 1
            if self._arrived == self._begun:
                return self._rate()
            await _next(self._link, LinkPong)
            self._arrived += 1

    def _may_begin(self) -> bool:
        in_time = time.perf_counter() - self._started < BLOCKS_S
        return in_time and self._begun < BLOCKS and self._begun - self._arrived < min(self._arrived + 1, MAX_UNDER_WAY)

    def _rate(self) -> float:
        taken = time.perf_counter() - self._started - self._trip_s
        return self._arrived * TEST_BLOCK_BYTES / max(taken, 1e-6)


async def _next(link: Link, kind: type[Kind]) -> Kind:
    """The next that comes, which is of that kind."""
    item = await anext(link, None)
    if isinstance(item, kind):
        return item
    await link.close("The link test makes no sense.")
    raise LinkError(f"The test of the link to {link.peer.name} broke off.")


def _block(count: int) -> bytes:
    return encode_frame(Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, count, 1, bytes(count)))
