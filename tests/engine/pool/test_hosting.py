"""Stages that are not wanted any more are freed at any moment of their life, and impossible orders are refused.

A PC whose owner returns stops at once what it does for others, tells them, and has its memory back in time.
"""

from __future__ import annotations

import asyncio

import numpy as np
import psutil
import pytest
from played_pool import MODEL, answer, asked, ids_of, until

from idlepool.engine.errors import StageLeft
from idlepool.engine.net.arrays import frame_of
from idlepool.engine.net.frames import Frame, FrameKind, encode_frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import EndSequence, Place, PrepareStage, StageLeaving, StageLost, StageReady
from idlepool.engine.net.segments import Segment
from idlepool.engine.pool import peers, stage_host
from idlepool.engine.pool.node import Node
from idlepool.engine.types import ElementType, Sampling, SessionId

RETURNED = "its owner is back"
GREEDY = Sampling()


@pytest.fixture(autouse=True)
def quiet_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The visitor has no heartbeat, and is no dead PC on a busy machine."""
    monkeypatch.setattr(peers, "GONE_TICKS", 1000)


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
    await link.send(order(pool, node, first, last))
    assert said in (await heard(link, StageLost)).sentence
    await link.close("done")


def order(pool, node: Node, first: int = 0, last: int = 4, *, session: int = 3) -> PrepareStage:
    """The visitor's order of layers of the model that a PC has."""
    head = Place(pool.visitor, "127.0.0.1", 9)
    return PrepareStage(session, node.models.named(MODEL).model, first, last, "CPU", ElementType.F32, head, None, None)


async def heard(link: Link, kind: type):
    """The next message, or frame, of a kind."""
    return await anext(item async for item in link if isinstance(item, kind))


def step(number: int, *, session: int = 3, start: int = 0) -> Frame:
    """Two tokens of sequence 1, and the id that follows them."""
    segments = (Segment(1, start, 2, 1),)
    ids = np.array([5, 6], np.int32)
    return frame_of(FrameKind.TOKENS, ids, session=SessionId(session), step=number, segments=segments)


async def test_on_its_owners_return_a_pc_stops_and_its_head_goes_on_without_it(pool, model):
    head = await pool.start("pc-1", model=model)
    host = await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    process = psutil.Process(pipeline.stages[1].pid)
    ids = ids_of(pipeline.generate(asked("chat", [1, 2, 3], count=400, sampling=GREEDY)))
    await anext(ids)
    host._hosting.leave(RETURNED, deadline_s=10)
    with pytest.raises(StageLeft, match=f"pc-2 stopped lending: {RETURNED}"):
        async for _ in ids:
            pass
    await until(lambda: not process.is_running())
    assert pipeline.stages[1].phase == "lost"


async def test_the_memory_of_a_silent_heads_stage_is_back_at_once(pool, model):
    """What the head still sends is no breach of the protocol, until the deadline."""
    node = await pool.start("pc-1", model=model)
    control = await pool.visit("pc-1", "control")
    await control.send(order(pool, node))
    process = psutil.Process((await heard(control, StageReady)).pid)
    frames = await pool.visit("pc-1", "activation", session=3)
    await frames.send_frame(encode_frame(step(1)))
    assert (await heard(control, Frame)).step == 1

    node._hosting.leave(RETURNED, deadline_s=5)
    assert await heard(control, StageLeaving) == StageLeaving(3, RETURNED, 5000)
    await until(lambda: not process.is_running())
    assert node._hosting._stages
    await frames.send_frame(encode_frame(step(2, start=2)))
    await control.send(EndSequence(3, 1))
    await until(lambda: not node._hosting._stages)
    await frames.send_frame(encode_frame(step(3, start=4)))
    assert [item async for item in frames] == []
    assert "not prepared here" in await frames.wait_closed()
    await control.close("done")


async def test_what_is_still_loaded_for_others_is_given_up_at_once(pool, model):
    node = await pool.start("pc-1", model=model)
    link = await pool.visit("pc-1", "control")
    await link.send(order(pool, node))
    await until(lambda: node._hosting._stages)
    node._hosting.leave(RETURNED, deadline_s=10)
    assert await heard(link, StageLeaving) == StageLeaving(3, RETURNED, 10_000)
    await until(lambda: not node._hosting._stages and not node._hosting._closing)
    await link.close("done")
    await pool.leave("pc-1")
    assert stage_processes() == []


async def test_a_pc_that_does_not_lend_refuses_others_and_serves_itself(pool, model):
    node = await pool.start("pc-1", model=model)
    node._hosting.lends = False
    node._hosting.leave(RETURNED, deadline_s=2)
    link = await pool.visit("pc-1", "control")
    await link.send(order(pool, node))
    assert "not lent" in (await heard(link, StageLeaving)).sentence
    pipeline = await pool.open(node, stages=1)
    node._hosting.leave(RETURNED, deadline_s=0)
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=GREEDY)) == 3
    await link.close("done")
