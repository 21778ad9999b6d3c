"""The owner of a PC is told which layers it computes for whom: as soon as they are loaded, and until they are not."""

from __future__ import annotations

from datetime import datetime

from played_pool import MODEL, until

from idlepool.engine.events import HostedStages


def told(pool, name: str) -> list[HostedStages]:
    return pool.seen(name, HostedStages)


async def test_who_lends_hears_for_whom_and_who_asks_does_not(pool, model):
    before = datetime.now().astimezone()
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    (lent,) = told(pool, "pc-2")[-1].stages
    assert (lent.model, lent.name, lent.node) == (MODEL, "pc-1", head.id)
    assert 0 <= lent.first < lent.last <= 4
    assert before <= lent.since <= datetime.now().astimezone()
    assert lent.bytes > 10_000_000
    assert told(pool, "pc-1") == []
    pipeline.close()
    await until(lambda: told(pool, "pc-2")[-1].stages == ())


async def test_layers_that_are_wanted_back_are_lent_no_more(pool, model):
    head = await pool.start("pc-1", model=model)
    host = await pool.start("pc-2")
    await pool.open(head, stages=2)
    host.lender.hosting.leave("its owner is back", deadline_s=1)
    assert told(pool, "pc-2")[-1].stages == ()


async def test_a_head_that_goes_takes_its_layers_with_it(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    await pool.open(head, stages=2)
    await pool.leave("pc-1")
    await until(lambda: told(pool, "pc-2")[-1].stages == ())
