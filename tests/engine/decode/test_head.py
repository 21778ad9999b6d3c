"""The head's loop against stages that notice every token that is lost, doubled or out of order.

Each stage keeps a chain of hashes as its cache: the value at a position depends on all tokens up to it. What the last
stage picks is right only if every stage had exactly the right tokens before.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode import head
from idlepool.engine.decode.head import generate
from idlepool.engine.decode.sequence import HeldSequence
from idlepool.engine.errors import PoolError
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Sampling, SequenceId

VOCABULARY = 50
END = 7
SAMPLING = Sampling(seed=3)

seeded = st.integers(0, 2**32).map(random.Random)
tokens = st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=30)


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


class Stage:
    """Caches of one stage; `forgets` is asked at each step whether this one loses them."""

    def __init__(self, forgets: Callable[[], bool]) -> None:
        self._forgets = forgets
        self._chains: dict[int, list[bytes]] = {}

    def run(self, segment: Segment, ids: Sequence[int]) -> list[bytes]:
        if self._forgets():
            self._chains.pop(segment.sequence, None)
        chain = self._chains.setdefault(segment.sequence, [])
        if len(chain) < segment.start:
            raise NeedsReplay(SequenceId(segment.sequence), len(chain))
        del chain[segment.start :]
        for token in ids:
            chain.append(link(chain[-1] if chain else b"", token))
        return chain[segment.start :]


class Stages:
    """Stages in a row, as the head sees them: in order, with delays, on whether or not somebody still waits."""

    def __init__(
        self,
        count: int,
        dice: random.Random,
        *,
        forgets: Callable[[], bool] = lambda: False,
        breaks_after: int = -1,
    ) -> None:
        self._stages = [Stage(forgets) for _ in range(count)]
        self._dice = dice
        self._breaks_after = breaks_after
        self._queue: asyncio.Queue[tuple[Segment, Sequence[int], asyncio.Future[list[int]]]] = asyncio.Queue()
        self._worker = asyncio.create_task(self._work())
        self.in_flight = self.most_in_flight = 0
        self.rows = 0

    def submit(self, segment: Segment, ids: Sequence[int]) -> asyncio.Future[list[int]]:
        assert segment.count == len(ids) <= head.PREFILL_CHUNK
        assert (segment.sampling == SAMPLING) == bool(segment.sample)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.rows += len(ids)
        future: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((segment, list(ids), future))
        return future

    async def close(self) -> None:
        self._worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._worker

    async def _work(self) -> None:
        while True:
            segment, ids, future = await self._queue.get()
            for _ in range(self._dice.randrange(3)):
                await asyncio.sleep(0)
            outcome = self._step(segment, ids)
            self.in_flight -= 1
            if future.done():
                continue
            if isinstance(outcome, PoolError):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def _step(self, segment: Segment, ids: Sequence[int]) -> list[int] | PoolError:
        self._breaks_after -= 1
        if self._breaks_after == -1:
            return PoolError("A PC is gone.")
        try:
            for stage in self._stages:
                chain = stage.run(segment, ids)
        except NeedsReplay as need:
            return need
        return [value[0] % VOCABULARY for value in chain[len(chain) - segment.sample :]]


async def answered(
    stages: Stages, sequence: HeldSequence, prompt: Sequence[int], *, count: int = 8, stop_after: int | None = None
) -> list[int]:
    """Up to `count` ids; cut off after so many turns of the event loop, if it lasts as long."""
    ids: list[int] = []

    async def collect() -> None:
        made = generate(stages, sequence, prompt, sampling=SAMPLING, end_ids=frozenset({END}))
        async with contextlib.aclosing(made):
            async for token in made:
                ids.append(token)
                if len(ids) == count:
                    return

    task = asyncio.create_task(collect())
    if stop_after is not None:
        for _ in range(stop_after):
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    else:
        await task
    return ids


@pytest.fixture(autouse=True, scope="module")
def small_chunks():
    """Prompts of several chunks, so that several are in flight."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(head, "PREFILL_CHUNK", 4)
        yield


@settings(deadline=None)
@given(st.lists(st.tuples(tokens, st.integers(0, 30), st.none() | st.integers(0, 40)), max_size=6), seeded)
def test_every_turn_is_right_whatever_was_edited_and_stopped_before(turns, dice):
    """A turn: new tokens, how many of the old ones stay, and when it is stopped."""

    async def play() -> None:
        stages, sequence, prompt = Stages(3, dice), HeldSequence(SequenceId(1)), []
        for new, kept, stop_after in turns:
            prompt = [*prompt[:kept], *new]
            found = await answered(stages, sequence, prompt, stop_after=stop_after)
            expected = following(prompt, 8)
            assert found == (expected if stop_after is None else expected[: len(found)])
            prompt += found
        await stages.close()

    asyncio.run(play())


@settings(deadline=None)
@given(st.lists(tokens, min_size=2, max_size=4), st.integers(1, 4), seeded)
def test_conversations_run_side_by_side(prompts, count, dice):
    async def play() -> None:
        stages = Stages(count, dice)
        found = await asyncio.gather(
            *(answered(stages, HeldSequence(SequenceId(n)), prompt) for n, prompt in enumerate(prompts))
        )
        assert found == [following(prompt, 8) for prompt in prompts]
        await stages.close()

    asyncio.run(play())


@settings(deadline=None)
@given(st.lists(tokens, min_size=1, max_size=4), st.sets(st.integers(0, 300), max_size=head.MAX_REPLAYS), seeded)
def test_what_a_stage_forgot_is_replayed(turns, forgotten_at, dice):
    """At these steps, counted over all stages, a stage loses the whole conversation."""
    step = itertools.count()

    async def play() -> None:
        stages = Stages(3, dice, forgets=lambda: next(step) in forgotten_at)
        sequence, prompt = HeldSequence(SequenceId(1)), []
        for new in turns:
            prompt += new
            found = await answered(stages, sequence, prompt, count=20)
            assert found == following(prompt, 20)
            prompt += found
        await stages.close()

    asyncio.run(play())


async def test_a_stage_that_keeps_nothing_is_given_up_with_a_sentence():
    stages = Stages(2, random.Random(1), forgets=lambda: True)
    with pytest.raises(PoolError, match=r"^A stage keeps forgetting this conversation\. Start a new one"):
        await answered(stages, HeldSequence(SequenceId(1)), list(range(10)))
    await stages.close()


@settings(deadline=None)
@given(tokens, st.integers(0, 12), seeded)
def test_what_came_before_a_break_stays_right(prompt, breaks_after, dice):
    async def play() -> None:
        stages, ids = Stages(2, dice, breaks_after=breaks_after), []
        made = generate(stages, HeldSequence(SequenceId(1)), prompt, sampling=SAMPLING, end_ids=frozenset({END}))
        try:
            async for token in made:
                ids.append(token)
                if len(ids) == 20:
                    break
        except PoolError as error:
            assert error.sentence == "A PC is gone."
        assert ids == following(prompt, 20)[: len(ids)]
        await made.aclose()
        await stages.close()

    asyncio.run(play())


async def test_chunks_of_a_long_prompt_are_in_flight_together():
    stages = Stages(2, random.Random(1))
    prompt = list(range(40))
    assert await answered(stages, HeldSequence(SequenceId(1)), prompt, count=1) == following(prompt, 1)
    assert stages.most_in_flight == head.CHUNKS_IN_FLIGHT
    await stages.close()


async def test_only_what_is_new_is_sent():
    stages, sequence = Stages(2, random.Random(1)), HeldSequence(SequenceId(1))
    prompt = list(range(20))
    ids = await answered(stages, sequence, prompt, count=3)
    assert stages.rows == len(prompt) + 2
    stages.rows = 0
    assert await answered(stages, sequence, [*prompt, *ids, 1, 2], count=1)
    assert stages.rows == 3  # the last id was never fed, and the two new tokens
    stages.rows = 0
    await answered(stages, sequence, [*prompt, *ids, 1, 2], count=1)
    assert stages.rows == 1  # asked again: the last row gives the next id
    await stages.close()
