"""Stages that are not wanted any more are freed at any moment of their life, and impossible orders are refused."""

from __future__ import annotations

import asyncio

import psutil
import pytest
from played_pool import MODEL, answer, until

from idlepool.engine.net.messages import Place, PrepareStage, StageLost
from idlepool.engine.pool import stage_host
from idlepool.engine.types import ElementType, Sampling


def stage_processes() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if stage_host.MODULE in child.cmdline()]


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.4])
async def test_a_pipeline_closed_while_it_is_prepared_leaves_no_process(pool, model, seconds):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await head.pipelines.open(head.models.named(MODEL), stages=2)
    await asyncio.sleep(seconds)
    pipeline.close()
    again = await pool.open(head, stages=2)
    assert len(await answer(again, "chat", [1, 2, 3], count=3, sampling=Sampling())) == 3
    again.close()
    await pool.leave("pc-1")
    await pool.leave("pc-2")
    assert stage_processes() == []


async def test_a_head_that_goes_while_a_stage_is_prepared_leaves_no_process(pool, model):
    head = await pool.start("pc-1", model=model)
    host = await pool.start("pc-2")
    await head.pipelines.open(head.models.named(MODEL), stages=2)
    await pool.leave("pc-1")
    await until(lambda: not host._hosting._stages)
    await pool.leave("pc-2")
    assert stage_processes() == []


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [(2, 2, "asked for the layers 2 to 2"), (-1, 2, "asked for the layers -1 to 2"), (2, 9, "the model has 4 layers")],
)
async def test_layers_that_are_none_are_refused(pool, model, first, last, said):
    node = await pool.start("pc-1", model=model)
    link = await pool.visit("pc-1", "control")
    head = Place(pool.visitor, "127.0.0.1", 9)
    model_id = node.models.named(MODEL).model
    await link.send(PrepareStage(3, model_id, first, last, "CPU", ElementType.F32, head, None, None))
    async for news in link:
        if isinstance(news, StageLost):
            assert said in news.sentence
            break
    await link.close("done")
