"""Answers go on whatever happens to the PCs of a played pool, with the real recovery; without it tokens are lost."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest
from simulated_office import BATTERY, IDLE, MANIFEST, OFF, SILENT, USED, machine, moment, office

from idlepool.engine.decode.request import Interrupted, Request, Token
from idlepool.engine.errors import NoRoom, PoolError
from idlepool.engine.pool.carrying_on import carry_on
from idlepool.engine.simulation.asking import Asking
from idlepool.engine.simulation.played_pool import SILENT_S
from idlepool.engine.simulation.virtual_time import VirtualLoop
from idlepool.engine.types import Sampling

REQUEST = Request("c", (1, 2, 3), Sampling(), frozenset(), 100, reproducible=True)
SECONDS = 10
"""That it takes."""

KEEPER = machine(0, gigabytes=5, has_model=True)
SPARE = [machine(number, gigabytes=5) for number in (1, 2)]


def played(machines, happens, *, recovery=carry_on, seconds=7200.0):
    """What is counted while REQUEST is asked at the first PC once its pipeline is loaded.

    `happens`: seconds after that, the number of a PC, and what is there from then on.
    """

    async def play():
        loop = asyncio.get_running_loop()
        pool, pcs, figures = office(*machines)
        pipeline = await pool.open(pcs[0])
        await pipeline.ready.wait()
        begin = loop.time()
        for after_s, number, what in happens:
            at_s = begin + after_s
            loop.call_at(at_s, pool.stand, pcs[number], moment(what, at_s))
        asking = Asking(REQUEST, pcs[0], pool, vocabulary=MANIFEST.vocabulary, figures=figures)
        task = asyncio.create_task(asking.run(recovery))
        await asyncio.wait([task], timeout=seconds)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return figures, [stage.pc.machine.number for stage in pipeline.stages]

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(play())


def helper_of(machines):
    """The PC that the planner takes beside the keeper, and the one that it leaves out."""
    _, (_, used) = played(machines, [])
    return used, 3 - used


def test_an_undisturbed_answer_takes_its_time():
    figures, _ = played([KEEPER, *SPARE], [])
    assert figures.outcomes == {"answered": 1}
    assert (figures.tokens, figures.lost_tokens) == (100, 0)
    assert figures.token_ms.most_common(1)[0][0] == pytest.approx(
        1000 * SECONDS / 100, rel=0.2
    )  # the embedding is no work
    assert figures.breaks == {}


@pytest.mark.parametrize(
    ("what", "reason", "least_s"),
    [
        (USED, "user active", 0),
        (BATTERY, "on battery", 0),
        (OFF, "told that it leaves", 0),
        (SILENT, "went silent", SILENT_S),
    ],
)
def test_another_pc_takes_over_and_no_token_is_lost(what, reason, least_s):
    helper, _ = helper_of([KEEPER, *SPARE])
    figures, _ = played([KEEPER, *SPARE], [(SECONDS / 2, helper, what)])
    assert figures.outcomes == {"answered": 1}
    assert (figures.tokens, figures.lost_tokens) == (100, 0)
    assert figures.breaks == {reason: 1}
    (pause_s,) = figures.pauses_s
    assert pause_s > least_s
    assert figures.waits_s == []


def test_a_pc_that_went_silently_is_planned_with_until_that_is_noticed():
    helper, spare = helper_of([KEEPER, *SPARE])
    figures, _ = played([KEEPER, *SPARE], [(4, spare, SILENT), (5, helper, USED), (60, helper, IDLE)])
    assert figures.breaks == {"user active": 1, "went silent": 1}
    assert figures.outcomes == {"answered": 1}
    assert figures.lost_tokens == 0
    assert len(figures.opened_s) == 3


def test_where_nobody_else_is_it_waits_until_the_owner_is_away_for_five_minutes():
    figures, _ = played([KEEPER, SPARE[0]], [(5, 1, USED), (65, 1, IDLE)])
    assert figures.outcomes == {"answered": 1}
    assert (figures.tokens, figures.lost_tokens) == (100, 0)
    (wait_s,) = figures.waits_s
    assert 60 + 300 < wait_s < 60 + 300 + 30
    assert [standing.possible for standing in figures.standings][-1]
    assert not all(standing.possible for standing in figures.standings)


def test_the_head_works_for_itself_though_its_owner_is_there():
    figures, _ = played([KEEPER, *SPARE], [(5, 0, USED)])
    assert figures.outcomes == {"answered": 1}
    assert figures.breaks == {}


def test_what_was_fetched_ahead_need_not_be_fetched_when_it_is_needed():
    async def lose_a_pc():
        pool, pcs, figures = office(KEEPER, *SPARE)
        pipeline = await pool.open(pcs[0])
        await pipeline.ready.wait()
        await asyncio.sleep(3600)
        fetched, ahead = figures.fetched_bytes, figures.ahead_bytes
        helper = pipeline.stages[1].pc
        pool.stand(helper, moment(USED, asyncio.get_running_loop().time()))
        pipeline = await pool.open(pcs[0])
        await pipeline.ready.wait()
        return helper, pipeline.stages[1].pc, ahead, figures.fetched_bytes - fetched

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        before, after, ahead_bytes, more_bytes = runner.run(lose_a_pc())
    assert before is not after
    assert ahead_bytes > 1e9
    assert more_bytes == 0


async def forgetful(request, opener):
    """Goes on without the token that was given last."""
    given = []
    while True:
        pipeline = await opener.open()
        rest = replace(request, prompt=(*request.prompt, *given[:-1]), max_tokens=request.max_tokens - len(given))
        try:
            async with aclosing(pipeline.generate(rest)) as items:
                async for item in items:
                    if isinstance(item, Token):
                        given.append(item.id)
                    yield item
            return
        except PoolError as error:
            yield Interrupted(error.sentence)


async def resigned(request, opener):
    """Takes what there is for all of the answer."""
    pipeline = await opener.open()
    try:
        async with aclosing(pipeline.generate(request)) as items:
            async for item in items:
                yield item
    except PoolError:
        return


@pytest.mark.parametrize("recovery", [forgetful, resigned])
def test_a_recovery_that_loses_tokens_is_found_out(recovery):
    helper, _ = helper_of([KEEPER, *SPARE])
    assert played([KEEPER, *SPARE], [], recovery=recovery)[0].lost_tokens == 0
    figures, _ = played([KEEPER, *SPARE], [(SECONDS / 2, helper, USED)], recovery=recovery)
    assert figures.lost_tokens > 30


def test_without_the_only_pc_that_has_the_model_nothing_can_be_planned():
    async def lose_the_head():
        pool, (keeper, asker, _), figures = office(KEEPER, *SPARE)
        pipeline = await pool.open(asker)
        pool.stand(keeper, moment(SILENT, asyncio.get_running_loop().time()))
        await asyncio.sleep(60)
        assert not pipeline.ready.is_set()
        with pytest.raises(NoRoom, match="has the model"):
            await pool.open(asker)
        return figures

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(lose_the_head()).breaks == {"went silent": 1}


def test_nobody_is_counted_as_answered_who_went_away():
    async def leave():
        pool, (asker, *_), figures = office(KEEPER, *SPARE)
        asking = Asking(REQUEST, asker, pool, vocabulary=MANIFEST.vocabulary, figures=figures)
        task = asyncio.create_task(asking.run(carry_on))
        await asyncio.sleep(60)
        assert figures.outcomes == {"answered": 1}
        task = asyncio.create_task(asking.run(carry_on))
        await asyncio.sleep(SECONDS / 2)
        pool.stand(asker, moment(OFF, asyncio.get_running_loop().time()))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return figures

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(leave()).outcomes == {"answered": 1, "asker went away": 1}


def test_who_cannot_be_answered_is_told_at_once():
    async def ask():
        pool, (pc,), figures = office(machine(0, gigabytes=5, has_model=True))
        await Asking(REQUEST, pc, pool, vocabulary=MANIFEST.vocabulary, figures=figures).run(carry_on)
        return figures

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(ask()).outcomes == {"refused": 1}
