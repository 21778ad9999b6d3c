"""Stages that notice every token that is lost, doubled or out of order, for tests of the head's loop.

Each stage keeps a chain of hashes as its cache: the value at a position depends on all tokens up to it. What the last
stage picks is right only if every stage had exactly the right tokens before.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
from collections.abc import Callable, Sequence

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.chosen import Chosen
from idlepool.engine.decode.drafter import Wanted
from idlepool.engine.decode.scheduler import MicroBatch
from idlepool.engine.errors import PoolError
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import SequenceId

VOCABULARY = 50
END = 7


def link(before: bytes, token: int) -> bytes:
    return hashlib.sha256(before + token.to_bytes(4)).digest()


def following(prompt: Sequence[int], count: int) -> list[int]:
    """What is right: up to `count` ids, END not among them."""
    chain, ids = b"", []
    for token in prompt:
        chain = link(chain, token)
    while len(ids) < count and (chosen := chain[0] % VOCABULARY) != END:
        ids.append(chosen)
        chain = link(chain, chosen)
    return ids


class ChainStage:
    """Caches of one stage; `forgets` is asked at each segment whether this one loses them."""

    def __init__(self, forgets: Callable[[], bool]) -> None:
        self._forgets = forgets
        self.chains: dict[int, list[bytes]] = {}

    def run(self, segment: Segment, ids: Sequence[int]) -> list[bytes]:
        if self._forgets():
            self.chains.pop(segment.sequence, None)
        chain = self.chains.setdefault(segment.sequence, [])
        parent = self.chains.get(segment.parent, [])
        if len(chain) < segment.start <= len(parent):
            chain[:] = parent[: segment.start]
        if len(chain) < segment.start:
            raise NeedsReplay(SequenceId(segment.sequence), len(chain))
        del chain[segment.start :]
        for token in ids:
            chain.append(link(chain[-1] if chain else b"", token))
        return chain[segment.start :]


class ChainStages:
    """Stages in a row, as the head sees them: in order, with delays, on whether or not somebody still waits.

    They skip segments that a later frame in the queue overrides, as real stages do.
    """

    def __init__(
        self,
        count: int,
        dice: random.Random,
        *,
        forgets: Callable[[], bool] = lambda: False,
        breaks_after: int = -1,
    ) -> None:
        self.stages = [ChainStage(forgets) for _ in range(count)]
        self._dice = dice
        self._breaks_after = breaks_after
        self._queue: list[tuple[MicroBatch, asyncio.Future[dict[int, Chosen]]]] = []
        self._some = asyncio.Event()
        self._worker = asyncio.create_task(self._work())
        self.batches: list[tuple[Segment, ...]] = []
        self.most_under_way = 0
        self.ended: list[int] = []

    @property
    def rows(self) -> int:
        return sum(segment.count for segments in self.batches for segment in segments)

    def held(self) -> int:
        """Positions that the last stage holds, of all sequences."""
        return sum(map(len, self.stages[-1].chains.values()))

    def submit(self, batch: MicroBatch) -> asyncio.Future[dict[int, Chosen]]:
        assert len({segment.sequence for segment in batch.segments}) == len(batch.segments) > 0
        assert sum(segment.count for segment in batch.segments) == len(batch.ids)
        future: asyncio.Future[dict[int, Chosen]] = asyncio.get_running_loop().create_future()
        self._queue.append((batch, future))
        self.batches.append(batch.segments)
        self.most_under_way = max(self.most_under_way, len(self._queue))
        self._some.set()
        return future

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        assert sequence not in self.ended, "a sequence ends once"
        if keep:
            for stage in self.stages:
                del stage.chains.get(sequence, [])[keep:]
            return
        self.ended.append(sequence)
        for stage in self.stages:
            stage.chains.pop(sequence, None)

    async def close(self) -> None:
        self._worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._worker

    async def _work(self) -> None:
        while True:
            await self._some.wait()
            for _ in range(self._dice.randrange(3)):
                await asyncio.sleep(0)
            batch, future = self._queue.pop(0)
            if not self._queue:
                self._some.clear()
            outcome = self._step(batch)
            if future.done():
                continue
            if isinstance(outcome, PoolError):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def _step(self, batch: MicroBatch) -> dict[int, Chosen] | PoolError:
        self._breaks_after -= 1
        if self._breaks_after == -1:
            return PoolError("A PC is gone.")
        chosen: dict[int, Chosen] = {}
        try:
            for decoding, flight in batch.parts:
                if decoding.id in self.ended or self._overridden(flight.segment):
                    continue
                for stage in self.stages:
                    chain = stage.run(flight.segment, flight.ids)
                picked = chain[len(chain) - flight.segment.sample :] if flight.segment.sample else []
                chosen[decoding.id] = Chosen(tuple(value[0] % VOCABULARY for value in picked))
        except NeedsReplay as need:
            return need
        return chosen

    def _overridden(self, segment: Segment) -> bool:
        later = (s for batch, _ in self._queue for s in batch.segments)
        return any(s.sequence == segment.sequence and s.start <= segment.start for s in later)


class Oracle:
    """Drafts that are right with a chance of `share`; those of a slow one come from a thread."""

    def __init__(self, share: float, dice: random.Random, *, slow: bool = False) -> None:
        self._share, self._dice = share, dice
        self._slow = slow
        self.ended: list[int] = []

    def cost_ms(self, sequences: int) -> float:
        return 0.01 if self._slow else 0.0

    def at_once(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        return [[] for _ in wanted] if self._slow else self.propose(wanted)

    def propose(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        assert len({want.sequence for want in wanted}) == len(wanted)
        return [[self._flaw(token) for token in _right(want.tokens, want.count)] for want in wanted]

    def end(self, sequence: SequenceId) -> None:
        self.ended.append(sequence)

    def _flaw(self, token: int) -> int:
        return token if self._dice.random() < self._share else self._dice.randrange(VOCABULARY)


def _right(tokens: Sequence[int], count: int) -> list[int]:
    """What follows, END among them."""
    chain, ids = b"", []
    for token in tokens:
        chain = link(chain, token)
    for _ in range(count):
        ids.append(chain[0] % VOCABULARY)
        chain = link(chain, ids[-1])
    return ids
