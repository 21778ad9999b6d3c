"""The head's loop against stages that notice every token that is lost, doubled or out of order."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Sequence

import pytest
from chain_stages import END, VOCABULARY, ChainStages, Oracle, following
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode import scheduler
from idlepool.engine.decode.admission import Room
from idlepool.engine.decode.drafting import Drafting
from idlepool.engine.decode.guess_budget import GuessBudget
from idlepool.engine.decode.head import MAX_REPLAYS, Head
from idlepool.engine.decode.request import Finished, Queued, Request, Token
from idlepool.engine.errors import PoolError, QueueFull, RequestError
from idlepool.engine.types import Sampling

SAMPLING = Sampling(seed=3)
ROOM = Room(sequences=64)

seeded = st.integers(0, 2**32).map(random.Random)
tokens = st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=30)
drafters = st.none() | st.tuples(st.sampled_from([0.0, 0.5, 0.9, 1.0]), st.booleans())


def head_of(stages: ChainStages, drafter: tuple[float, bool] | None, dice: random.Random, *, room: Room = ROOM) -> Head:
    """A head; `drafter`: the share of right guesses, and whether they come from a thread."""
    drafting = None
    if drafter is not None:
        # A stage of ours takes no time, so every link looks slow: segments go ahead.
        drafting = Drafting(Oracle(drafter[0], dice, slow=drafter[1]), GuessBudget([1e-4]))
    head = Head(stages, room=room, micro_batches=len(stages.stages), drafting=drafting)
    head._scheduler._prefill_chunk = head._scheduler._shared_chunk = 4  # prompts of several chunks
    return head


def request(prompt: Sequence[int], *, conversation: str = "c", count: int = 8, reproducible: bool = False) -> Request:
    return Request(conversation, tuple(prompt), SAMPLING, frozenset({END}), count, reproducible)


async def answered(head: Head, asked: Request, *, stop_after: int | None = None) -> list[int]:
    """The ids; cut off after so many turns of the event loop, if it lasts as long."""
    ids: list[int] = []

    async def collect() -> None:
        async with contextlib.aclosing(head.generate(asked)) as answer:
            async for item in answer:
                if isinstance(item, Token):
                    ids.append(item.id)

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


@settings(deadline=None)
@given(
    st.lists(st.tuples(tokens, st.integers(0, 30), st.none() | st.integers(0, 40), st.booleans()), max_size=6),
    drafters,
    seeded,
)
def test_every_turn_is_right_whatever_was_edited_and_stopped_before(turns, drafter, dice):
    """A turn: new tokens, how many of the old ones stay, when it is stopped, and whether it is reproducible."""

    async def play() -> None:
        stages, prompt = ChainStages(3, dice), []
        head = head_of(stages, drafter, dice)
        for new, kept, stop_after, reproducible in turns:
            prompt = [*prompt[:kept], *new]
            found = await answered(head, request(prompt, reproducible=reproducible), stop_after=stop_after)
            expected = following(prompt, 8)
            assert found == (expected if stop_after is None else expected[: len(found)])
            prompt += found
        await stages.close()

    asyncio.run(play())


@settings(deadline=None)
@given(st.lists(tokens, min_size=2, max_size=6), st.integers(1, 4), drafters, seeded)
def test_conversations_come_and_go_side_by_side(prompts, count, drafter, dice):
    async def play() -> None:
        stages = ChainStages(count, dice)
        head = head_of(stages, drafter, dice)

        async def join(number: int) -> list[int]:
            for _ in range(dice.randrange(20)):
                await asyncio.sleep(0)
            return await answered(head, request(prompts[number], conversation=str(number)))

        found = await asyncio.gather(*(join(number) for number in range(len(prompts))))
        assert found == [following(prompt, 8) for prompt in prompts]
        assert not head.busy
        await stages.close()

    asyncio.run(play())


@settings(deadline=None)
@given(st.lists(tokens, min_size=1, max_size=4), st.sets(st.integers(0, 300), max_size=MAX_REPLAYS), drafters, seeded)
def test_what_a_stage_forgot_is_replayed(prompts, forgotten_at, drafter, dice):
    """At these segments, counted over all stages, a stage loses the whole sequence."""
    number = itertools.count()

    async def play() -> None:
        stages = ChainStages(3, dice, forgets=lambda: next(number) in forgotten_at)
        head = head_of(stages, drafter, dice)
        asked = [request(prompt, conversation=str(n)) for n, prompt in enumerate(prompts)]
        found = await asyncio.gather(*(answered(head, each) for each in asked))
        assert found == [following(prompt, 8) for prompt in prompts]
        await stages.close()

    asyncio.run(play())


def test_a_stage_that_always_forgets_is_told_and_not_tried_for_ever():
    async def play() -> None:
        stages = ChainStages(1, random.Random(0), forgets=lambda: True)
        with pytest.raises(PoolError, match="keeps forgetting"):
            await answered(head_of(stages, None, random.Random(0)), request([1, 2, 3, 4, 5, 6]))
        await stages.close()

    asyncio.run(play())


@settings(deadline=None)
@given(tokens, st.integers(0, 20), drafters, seeded)
def test_where_the_pipeline_breaks_what_came_stays_right(prompt, breaks_after, drafter, dice):
    async def play() -> None:
        stages = ChainStages(2, dice, breaks_after=breaks_after)
        head, ids = head_of(stages, drafter, dice), []
        try:
            async for item in head.generate(request(prompt)):
                ids += [item.id] if isinstance(item, Token) else []
        except PoolError as error:
            assert "gone" in error.sentence
        assert ids == following(prompt, 8)[: len(ids)]
        await stages.close()

    asyncio.run(play())


@settings(deadline=None)
@given(st.lists(st.integers(0, VOCABULARY - 1), min_size=2, max_size=30), drafters, seeded)
def test_a_reproducible_sequence_never_has_a_segment_of_one(prompt, drafter, dice):
    async def play() -> None:
        stages = ChainStages(2, dice)
        await answered(head_of(stages, drafter, dice), request(prompt, reproducible=True))
        assert all(segment.count >= 2 for segments in stages.batches for segment in segments)
        await stages.close()

    asyncio.run(play())


def test_right_guesses_save_round_trips_and_are_counted():
    async def play() -> tuple[int, Finished]:
        stages = ChainStages(2, random.Random(0))
        head = head_of(stages, (1.0, False), random.Random(0))
        items = [item async for item in head.generate(request([1, 2, 3], count=24))]
        await stages.close()
        last = items[-1]
        assert isinstance(last, Finished)
        return len(items) - 1, last

    count, last = asyncio.run(play())
    assert count == len(following([1, 2, 3], 24))
    assert last.accepted >= count // 2


def test_the_next_turn_and_the_same_system_prompt_compute_only_what_is_new():
    system = list(range(40))

    async def play() -> tuple[int, int, int]:
        stages = ChainStages(2, random.Random(0))
        head = head_of(stages, None, random.Random(0))
        first = await answered(head, request([*system, 41], conversation="a", count=4))
        cold = stages.rows
        await answered(head, request([*system, 41, *first, 42], conversation="a", count=4))
        warm = stages.rows - cold
        await answered(head, request([*system, 43], conversation="b", count=4))
        await stages.close()
        return cold, warm, stages.rows - cold - warm

    cold, warm, shared = asyncio.run(play())
    assert cold >= 41
    assert warm <= 6
    assert shared <= 6


def test_a_reproducible_turn_builds_on_nothing_that_a_plain_one_computed_token_by_token():
    prompt = list(range(10, 20))

    async def play() -> list[int]:
        stages = ChainStages(1, random.Random(0))
        head = head_of(stages, None, random.Random(0))
        ids = await answered(head, request(prompt, count=6))
        stages.batches.clear()
        await answered(head, request([*prompt, *ids, 30], count=1, reproducible=True))
        await stages.close()
        return [segment.start for segments in stages.batches for segment in segments]

    assert min(asyncio.run(play())) <= len(prompt)


@settings(deadline=None)
@given(st.lists(tokens, min_size=3, max_size=8), drafters, seeded)
def test_those_without_room_wait_in_line_and_the_caches_never_overflow(prompts, drafter, dice):
    room = Room(sequences=3, tokens=96, block_tokens=8)
    places: dict[int, list[int]] = {}

    async def ask(head: Head, stages: ChainStages, number: int) -> list[int]:
        ids = []
        async for item in head.generate(request(prompts[number], conversation=str(number))):
            assert stages.held() <= room.tokens + 3 * scheduler.MAX_DRAFT
            if isinstance(item, Queued):
                places.setdefault(number, []).append(item.position)
            ids += [item.id] if isinstance(item, Token) else []
        return ids

    async def play() -> None:
        stages = ChainStages(2, dice)
        head = head_of(stages, drafter, dice, room=room)
        found = await asyncio.gather(*(ask(head, stages, number) for number in range(len(prompts))))
        assert found == [following(prompt, 8) for prompt in prompts]
        await stages.close()

    asyncio.run(play())
    for positions in places.values():
        assert positions == sorted(positions, reverse=True)


def test_what_can_never_be_answered_and_a_full_line_are_refused_at_once():
    async def play() -> None:
        stages = ChainStages(1, random.Random(0))
        head = head_of(stages, None, random.Random(0), room=Room(sequences=1, tokens=64, waiting=1))
        with pytest.raises(RequestError, match="64"):
            await answered(head, request(list(range(40)) * 2))
        answers = [asyncio.create_task(answered(head, request([n, 2], conversation=str(n)))) for n in range(3)]
        results = await asyncio.gather(*answers, return_exceptions=True)
        assert [type(result) for result in results].count(QueueFull) == 1
        await stages.close()

    asyncio.run(play())


def test_a_cancelled_request_frees_its_place_for_the_next():
    async def play() -> None:
        stages = ChainStages(1, random.Random(0))
        head = head_of(stages, None, random.Random(0), room=Room(sequences=1))
        await asyncio.gather(
            answered(head, request([1, 2], conversation="a", count=1000), stop_after=5),
            answered(head, request([3, 4], conversation="b")),
        )
        assert not head.busy
        await stages.close()

    asyncio.run(asyncio.wait_for(play(), 20))


def test_answers_go_on_when_the_drafter_fails():
    class Failing(Oracle):
        def propose(self, wanted):
            raise ValueError("a bug")

    async def play() -> list[int]:
        stages = ChainStages(2, random.Random(0))
        drafting = Drafting(Failing(1.0, random.Random(0), slow=True), GuessBudget())
        found = await answered(Head(stages, room=ROOM, micro_batches=2, drafting=drafting), request([1, 2, 3]))
        await stages.close()
        return found

    assert asyncio.run(asyncio.wait_for(play(), 20)) == following([1, 2, 3], 8)
