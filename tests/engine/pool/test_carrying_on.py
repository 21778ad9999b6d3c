"""Answers outlive their pipelines: stages die, PCs leave and come back, and every token still comes once."""

from __future__ import annotations

import asyncio
import bisect
from contextlib import aclosing
from dataclasses import replace

import msgspec
import numpy as np
import psutil
import pytest
from played_pool import MODEL, PATIENCE_S, asked, knows_only_f32, until

from idlepool.engine.decode.request import Finished, Interrupted, Queued, Token
from idlepool.engine.errors import NoRoom, PeerLost, PoolError, StageFailed, StageLeft
from idlepool.engine.pool.carrying_on import MOST_BREAKS, carry_on
from idlepool.engine.pool.pipeline_opener import PipelineOpener
from idlepool.engine.pool.pool_planning import planned
from idlepool.engine.types import Sampling

SEEDED = Sampling(temperature=8.0, seed=11)
PROMPT = np.random.default_rng(3).integers(0, 300, 12).tolist()
COUNT = 40


def opener_of(head, *, stages):
    return PipelineOpener(head.pipelines, head.models.named(MODEL), stages)


async def nothing(_):
    """Done where nothing is to be done."""


async def collect(answer, *, on_token=nothing, on_interruption=nothing):
    """The ids of an answer and what interrupted it; `on_token` hears how many there are."""
    ids, interruptions = [], []
    async with asyncio.timeout(3 * PATIENCE_S), aclosing(answer):
        async for item in answer:
            if isinstance(item, Token):
                ids.append(item.id)
                await on_token(len(ids))
            elif isinstance(item, Interrupted):
                interruptions.append(item.sentence)
                await on_interruption(item.sentence)
    return ids, interruptions


def request(conversation, *, count=COUNT, sampling=SEEDED):
    return asked(conversation, PROMPT, count=count, sampling=sampling, reproducible=True)


def at(count, action):
    """Do something once, when so many tokens are there."""

    async def on_token(so_far):
        if so_far == count:
            await action()

    return on_token


@pytest.mark.parametrize(("victim", "sampling"), [(0, SEEDED), (1, Sampling()), (2, SEEDED)])
async def test_a_stage_that_dies_is_not_noticed_in_the_text(pool, model, victim, sampling):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    await pool.start("pc-3")
    opener = opener_of(head, stages=3)
    undisturbed, calm = await collect(carry_on(request("calm", sampling=sampling), opener))
    pipeline = await opener.open()

    async def kill():
        psutil.Process(pipeline.stages[victim].pid).kill()

    runs = [
        collect(carry_on(request("disturbed", sampling=sampling), opener), on_token=at(7, kill)),
        collect(carry_on(request("beside", sampling=sampling), opener)),
    ]
    for ids, interruptions in await asyncio.gather(*runs):
        assert ids == undisturbed
        assert [sentence.split(" could")[0] for sentence in interruptions] == [f"pc-{victim + 1}"]
    assert not calm


async def lend(nodes, usable_bytes):
    """Let each PC have so much memory for layers, for itself and for the others."""
    for node in nodes:
        node._this.devices = tuple(
            msgspec.structs.replace(device, usable_bytes=usable_bytes) for device in node.devices
        )
        await node._peers.tell_status()
    await until(
        lambda: (
            {device.usable_bytes for node in nodes for pc in node.present() for device in pc.devices} == {usable_bytes}
        )
    )


def too_little_for_one(model, present):
    """Memory that is just too little for the whole model."""

    def fits(usable):
        devices = tuple(msgspec.structs.replace(device, usable_bytes=usable) for device in present[0].devices)
        try:
            planned(model, [replace(present[0], devices=devices)], here=present[0].place.node)
        except NoRoom:
            return False
        return True

    return bisect.bisect_left(range(8 * 2**30), True, key=fits) - 1


async def test_without_a_plan_it_waits_and_goes_on_when_a_pc_comes(pool, model):
    head = await pool.start("pc-1", model=model)
    south = await pool.start("pc-2")
    await until(lambda: len(head.present()) == len(south.present()) == 2)
    undisturbed, _ = await collect(carry_on(request("calm", count=600), opener_of(head, stages=2)))
    head.pipelines.give_up(head.models.named(MODEL).model)
    await lend([head, south], too_little_for_one(head.models.named(MODEL), head.present()))

    async def bring_back(sentence):
        if "GB" in sentence and "pc-2" not in pool.nodes:
            await lend([await pool.start("pc-2"), head], head.devices[0].usable_bytes)

    ids, interruptions = await collect(
        carry_on(request("kept", count=600), opener_of(head, stages=None)),
        on_token=at(5, lambda: pool.leave("pc-2")),
        on_interruption=bring_back,
    )
    assert ids == undisturbed
    assert "pc-2, which held layers" in interruptions[0]
    assert "missing" in interruptions[1]
    assert "The answer goes on by itself" in interruptions[1]


async def test_an_answer_stays_in_f32_when_the_pc_is_gone_that_knows_nothing_else(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    await knows_only_f32(await pool.start("pc-3"), head, pcs=3)
    opener = opener_of(head, stages=3)
    undisturbed, _ = await collect(carry_on(request("calm", count=200), opener))
    answer = carry_on(request("kept", count=200), opener)
    ids, interruptions = await collect(answer, on_token=at(3, lambda: pool.leave("pc-3")))
    assert len(interruptions) == 1
    assert ids == undisturbed


class Breaking:
    """Pipelines that break before their first token, each with the next of some errors."""

    def __init__(self, *errors):
        self.broken = None
        self.errors = list(errors)

    async def open(self):
        self.broken = None
        return self

    async def wait_for_change(self):
        raise AssertionError("there was a plan")

    async def generate(self, request):
        yield Queued(0)
        if not self.errors:
            yield Finished("stop")
            return
        self.broken = self.errors.pop(0)
        raise self.broken


async def test_a_question_that_breaks_every_pipeline_is_given_up():
    breaking = Breaking(*[StageFailed("south", "out of memory")] * 9)
    with pytest.raises(StageFailed, match="out of memory"):
        await collect(carry_on(request("chat"), breaking))
    assert len(breaking.errors) == 9 - MOST_BREAKS


@pytest.mark.parametrize("error", [PeerLost("south", 2, 4), StageLeft("south", "Somebody uses it.")])
async def test_pcs_that_go_away_one_after_another_are_no_fault_of_the_question(error):
    _, interruptions = await collect(carry_on(request("chat"), Breaking(*[error] * 9)))
    assert interruptions == [f"{error.sentence} The answer goes on in a moment."] * 9


class Played:
    """Pipelines that each give some tokens of a count and break, and say how many were guessed; a plan may lack."""

    def __init__(self, *gives, no_plan_before=()):
        self.gives = list(gives)
        self.broken = None
        self.asked = []
        self.no_plan_before = set(no_plan_before)
        self.waits = 0

    async def open(self):
        if len(self.asked) in self.no_plan_before:
            raise NoRoom("3 GB are missing.")
        self.broken = None
        return self

    async def wait_for_change(self):
        self.waits += 1
        self.no_plan_before.clear()

    async def generate(self, request):
        self.asked.append(request)
        start = request.prompt[-1] + 1
        for number in range(self.gives.pop(0)):
            yield Token(start + number, drafted=2 * (number + 1), accepted=number + 1)
            if number + 1 == request.max_tokens:
                yield Finished("length", 2 * (number + 1), number + 1)
                return
        self.broken = PoolError("north is gone.")
        raise self.broken


async def all_of(answer):
    return [item async for item in answer]


async def test_what_was_given_is_the_next_prompt_and_guesses_add_up():
    played = Played(3, 2, 9)
    found = await all_of(carry_on(asked("chat", [1, 2], count=8, sampling=SEEDED), played))
    assert [item.id for item in found if isinstance(item, Token)] == [3, 4, 5, 6, 7, 8, 9, 10]
    assert [r.prompt for r in played.asked] == [(1, 2), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6, 7)]
    assert [r.max_tokens for r in played.asked] == [8, 5, 3]
    assert [r.resumed for r in played.asked] == [False, True, True]
    assert found[-1] == Finished("length", drafted=16, accepted=8)


async def test_it_waits_where_there_is_no_plan_only_after_it_began():
    played = Played(3, 9, no_plan_before={1})
    found = await all_of(carry_on(asked("chat", [1, 2], count=5, sampling=SEEDED), played))
    assert [item.sentence for item in found if isinstance(item, Interrupted)] == [
        "north is gone. The answer goes on in a moment.",
        "north is gone. 3 GB are missing. The answer goes on by itself when a PC comes that can help.",
    ]
    assert [item.id for item in found if isinstance(item, Token)] == [3, 4, 5, 6, 7]
    assert played.waits == 1
    with pytest.raises(NoRoom):
        await all_of(carry_on(asked("chat", [1], count=5, sampling=SEEDED), Played(9, no_plan_before={0})))
