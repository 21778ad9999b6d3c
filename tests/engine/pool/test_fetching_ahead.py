"""When a PC fetches what may be needed, and what comes before it."""

from __future__ import annotations

import asyncio

import pytest_asyncio
from played_pool import until

from idlepool.engine.errors import ModelIncomplete
from idlepool.engine.net.messages import Place
from idlepool.engine.net.standby_messages import StageAhead
from idlepool.engine.pool.fetching_ahead import MOST_ORDERS, FetchingAhead
from idlepool.engine.types import NodeId

HEAD, OTHER = NodeId("a" * 64), NodeId("b" * 64)


def ahead(first: int, last: int, *, model: str = "m", of: NodeId = HEAD) -> StageAhead:
    return StageAhead(model, first, last, Place(of, "127.0.0.1", 9))


FIRST, SECOND, OTHERS = ahead(0, 3), ahead(3, 6), ahead(3, 6, of=OTHER)


class Fetcher:
    """A PC whose fetches end when the test says so."""

    def __init__(self) -> None:
        self.idle = True
        self.begun: list[StageAhead] = []
        self.given_up: list[StageAhead] = []
        self.may_end = asyncio.Event()
        self.error: ModelIncomplete | None = None
        self.ahead = FetchingAhead(self._bring, idle=lambda: self.idle, idle_s=0.01)

    async def _bring(self, order: StageAhead) -> None:
        self.begun.append(order)
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.given_up.append(order)
            raise
        if self.error is not None:
            raise self.error


@pytest_asyncio.fixture
async def fetcher():
    played = Fetcher()
    yield played
    await played.ahead.close()


async def test_spans_come_one_after_another(fetcher):
    fetcher.ahead.take(HEAD, FIRST)
    fetcher.ahead.take(OTHER, OTHERS)
    await until(lambda: fetcher.begun == [FIRST])
    fetcher.may_end.set()
    await until(lambda: fetcher.begun == [FIRST, OTHERS])


async def test_a_busy_pc_begins_nothing_and_gives_up_what_it_fetches_until_it_is_idle(fetcher):
    fetcher.idle = False
    fetcher.ahead.take(HEAD, FIRST)
    await asyncio.sleep(0.6)
    assert not fetcher.begun
    fetcher.idle = True
    await until(lambda: fetcher.begun == [FIRST])
    fetcher.idle = False
    await until(lambda: fetcher.given_up == [FIRST])
    fetcher.idle = True
    await until(lambda: fetcher.begun == [FIRST, FIRST])


async def test_a_stage_that_is_to_be_prepared_comes_first_at_once(fetcher):
    fetcher.ahead.take(HEAD, FIRST)
    await until(lambda: fetcher.begun)
    fetcher.ahead.pause()
    await until(lambda: fetcher.given_up == [FIRST])
    fetcher.may_end.set()
    await until(lambda: fetcher.begun == [FIRST, FIRST])


async def test_the_newest_word_of_a_head_counts(fetcher):
    fetcher.ahead.take(HEAD, FIRST)
    await until(lambda: fetcher.begun)
    fetcher.ahead.take(HEAD, FIRST)
    fetcher.ahead.take(HEAD, SECOND)
    await until(lambda: fetcher.begun == [FIRST, SECOND])
    assert fetcher.given_up == [FIRST]


async def test_nothing_is_fetched_for_a_head_that_is_gone(fetcher):
    fetcher.ahead.take(HEAD, FIRST)
    fetcher.ahead.take(OTHER, OTHERS)
    await until(lambda: fetcher.begun)
    fetcher.ahead.lose(HEAD)
    await until(lambda: fetcher.begun == [FIRST, OTHERS])
    assert fetcher.given_up == [FIRST]


async def test_what_is_not_to_be_had_keeps_nothing_else_waiting(fetcher):
    fetcher.error = ModelIncomplete("m", 5)
    fetcher.may_end.set()
    fetcher.ahead.take(HEAD, FIRST)
    fetcher.ahead.take(OTHER, OTHERS)
    await until(lambda: fetcher.begun == [FIRST, OTHERS])


async def test_a_head_cannot_ask_for_endlessly_much(fetcher):
    fetcher.idle = False
    for number in range(100):
        fetcher.ahead.take(HEAD, ahead(0, 1, model=f"m{number}"))
    for first, last in ((3, 3), (5, 2), (-1, 2)):
        fetcher.ahead.take(HEAD, ahead(first, last))
    fetcher.ahead.take(HEAD, OTHERS)
    fetcher.may_end.set()
    fetcher.idle = True
    await until(lambda: fetcher.begun and fetcher.begun[-1].model == "m99")
    assert [order.model for order in fetcher.begun] == [f"m{number}" for number in range(100 - MOST_ORDERS, 100)]
