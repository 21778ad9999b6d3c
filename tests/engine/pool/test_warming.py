"""A pool of real PCs keeps warm what it will need: the third has the second's layers before the second is gone."""

from __future__ import annotations

import asyncio

import pytest
from played_pool import answer, until

from idlepool.engine.errors import StageFailed
from idlepool.engine.events import PipelineChanged
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.messages import Place
from idlepool.engine.net.standby_messages import HeldSpan, StageAhead
from idlepool.engine.types import ModelId, Sampling, Span


def told_spans(head, node) -> tuple[HeldSpan, ...]:
    """What a PC says that it has, as its head knows it."""
    return next((pc.held for pc in head.present() if pc.node == node.id), ())


def phases(pool, name: str) -> set[str]:
    """What the head heard of the stage of a PC."""
    changes = pool.seen("pc-1", PipelineChanged)
    return {stage.phase for change in changes for stage in change.stages if stage.name == name}


async def test_who_takes_over_a_stage_has_its_layers_and_fetches_nothing(pool, model):
    head = await pool.start("pc-1", model=model, stages=2)
    await pool.start("pc-2")
    spare = await pool.start("pc-3")
    await until(lambda: len(head.present()) == 3)
    before = await pool.open(head, stages=2)
    last = before.stages[1]
    assert last.name == "pc-2"
    await until(lambda: HeldSpan(before.model, last.first, last.last) in told_spans(head, spare))
    await pool.leave("pc-2")
    await until(lambda: before.broken)
    pool.forget_events("pc-1")
    after = await pool.open(head, stages=2)
    assert [(stage.name, stage.first, stage.last) for stage in after.stages[1:]] == [("pc-3", last.first, last.last)]
    assert phases(pool, "pc-3") >= {"loading", "ready"}
    assert not any(phase.startswith("fetching") for phase in phases(pool, "pc-3"))
    assert len(await answer(after, "chat", [1, 2, 3], count=3, sampling=Sampling())) == 3


async def test_without_a_spare_pc_those_of_the_pipeline_fetch_what_they_would_take_over(pool, model):
    head = await pool.start("pc-1", model=model, stages=3)
    second, third = await pool.start("pc-2"), await pool.start("pc-3")
    await until(lambda: len(head.present()) == 3)
    pipeline = await pool.open(head, stages=3)
    runs = {stage.node: Span(stage.first, stage.last) for stage in pipeline.stages}

    def more_than_it_runs(node) -> bool:
        held = {layer for span in told_spans(head, node) for layer in range(span.first, span.last)}
        return held > set(runs[node.id])

    await until(lambda: more_than_it_runs(second) and more_than_it_runs(third))
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=Sampling())) == 3


async def test_a_pc_that_does_not_lend_fetches_nothing_until_it_does(pool, model):
    head = await pool.start("pc-1", model=model)
    other = await pool.start("pc-2")
    whole = head.models.whole(ModelId(ModelStore(pool.home("pc-1")).list()[0].model))
    await until(lambda: len(head.present()) == 2)
    other.lender.hosting.lends = False
    await head._tell(other.id, StageAhead(whole.model, 1, 2, Place(head.id, "127.0.0.1", head.port)))
    await asyncio.sleep(4)
    assert not other.models.held
    other.lender.hosting.lends = True
    await until(lambda: HeldSpan(whole.model, 1, 2) in told_spans(head, other))


async def test_layers_that_the_disk_has_no_room_for_are_not_planned_ahead(pool, model):
    head = await pool.start("pc-1", model=model, stages=2)
    await pool.start("pc-2")
    spare = await pool.start("pc-3", disk_bytes=1000)
    await until(lambda: len(head.present()) == 3)
    await pool.open(head, stages=2)
    await until(lambda: any(pc.node == spare.id and pc.disk_bytes == 1000 for pc in head.present()))
    await asyncio.sleep(3)
    assert spare.models.fetched_bytes == 0


async def test_a_pc_whose_disk_has_no_room_says_so_to_the_head_and_the_others_go_on_without_it(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2", disk_bytes=1000)
    await until(lambda: len(head.present()) == 2)
    refused = r"^pc-2 could not run its layers: Layers of .* need \d\.\d MB more of the disk, and they may have 0\.0 MB"
    with pytest.raises(StageFailed, match=refused + ".*idlepool models clean"):
        await pool.open(head, stages=2)
    pipeline = await pool.open(head, stages=2)
    assert [stage.name for stage in pipeline.stages] == ["pc-1"]
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=Sampling())) == 3


async def test_layers_that_are_loaded_or_kept_warm_are_not_removed(pool, model):
    head = await pool.start("pc-1", model=model)
    other = await pool.start("pc-2")
    await until(lambda: len(head.present()) == 2)
    pipeline = await pool.open(head, stages=2)
    span = Span(pipeline.stages[1].first, pipeline.stages[1].last)
    went, stayed = await other.models.clean()
    assert went == 0 < stayed
    assert other._hosting.in_use == ((pipeline.model, span),)
    pipeline.close()
    await until(lambda: not other._hosting._stages and not other._hosting._closing)
    assert other._hosting.in_use == ((pipeline.model, span),)  # of the process that waits for the next pipeline
    assert (await other.models.clean())[0] == 0
