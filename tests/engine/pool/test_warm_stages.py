"""A stage that was released is taken over by whoever orders the same soon, and nothing of its time before shows.

Nobody waits for its memory: it is given back as soon as something else is loaded, the owner returns, or time passes.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import numpy as np
import openvino as ov
import psutil
import pytest
import pytest_asyncio
from played_pool import answer, asked, ids_of, until
from tiny_model import TinyShape, build_tiny_model

from idlepool.engine.backends.device import inference_precision
from idlepool.engine.errors import StageFailed
from idlepool.engine.net.arrays import frame_of
from idlepool.engine.net.faults import fault_of
from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.net.messages import Candidate, LoadShard, Place, PrepareStage
from idlepool.engine.net.segments import Segment
from idlepool.engine.pool.stage_host import StageHost
from idlepool.engine.pool.warm_stages import WarmStage, WarmStages
from idlepool.engine.types import Backend, ElementType, NodeId, Sampling, SequenceId, SessionId

WIRE = inference_precision(ov.Core(), "CPU")
PENALISED = Sampling(temperature=8.0, top_k=100, seed=7, repetition_penalty=1.3)
HEAD, OTHER = NodeId("a" * 64), NodeId("b" * 64)
PROMPT = list(range(40, 70))


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if psutil.pid_exists(pid)]


async def say(pipeline, conversation: str) -> list[int]:
    return await answer(pipeline, conversation, PROMPT, count=24, sampling=PENALISED)


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "in the middle of an answer"])
async def test_what_is_taken_over_answers_as_what_is_loaded_anew(pool, model, busy):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    first = await pool.open(head, stages=2)
    fresh = await say(first, "chat")
    if busy:
        going_on = ids_of(first.generate(asked("other", PROMPT[::-1], sampling=PENALISED)))
        await anext(going_on)
    first.close()
    second = await pool.open(head, stages=2)
    assert second.stages == first.stages  # also the processes' ids
    assert second.session != first.session
    assert await say(second, "chat") == fresh
    assert await answer(second, "other", PROMPT[::-1], count=8, sampling=PENALISED)


async def test_stages_that_stay_where_they_were_are_not_loaded_again(pool, model):
    """A PC of the chain goes away, and another one takes its place."""
    head = await pool.start("pc-1", model=model)
    for name in ("pc-2", "pc-3", "pc-4"):
        await pool.start(name)
    await until(lambda: len(head.present()) == 4)
    first = await pool.open(head, stages=3)
    fresh = await say(first, "chat")
    await pool.leave("pc-3")
    second = await pool.open(head, stages=3)
    assert [stage.name for stage in second.stages] == ["pc-1", "pc-2", "pc-4"]
    assert [stage.pid for stage in second.stages[:2]] == [stage.pid for stage in first.stages[:2]]
    assert await say(second, "chat") == fresh


async def test_what_is_loaded_next_gets_the_memory_first(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    first = await pool.open(head, stages=2)
    pids = [stage.pid for stage in first.stages]
    first.close()
    second = await pool.open(head, stages=1)
    assert not alive(pids[:1])
    assert second.stages[0].pid not in pids


async def test_with_the_owners_return_all_is_freed_but_his_own(pool, model):
    head = await pool.start("pc-1", model=model)
    host = await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    own, others = [stage.pid for stage in pipeline.stages]
    pipeline.close()
    await until(lambda: host._hosting._warm._kept and head._hosting._warm._kept)
    for node in (head, host):
        node._hosting.lends = False
        node._hosting.leave("its owner is back", deadline_s=2)
    await until(lambda: not alive([others]))
    assert alive([own])
    await pool.leave("pc-1")
    assert not alive([own])


async def test_a_process_that_failed_a_step_is_not_kept(pool, tmp_path):
    head = await pool.start("pc-1", model=build_tiny_model(tmp_path / "overflowing", TinyShape(gain=1e36)))
    pipeline = await pool.open(head, stages=1)
    with pytest.raises(StageFailed, match="no usable numbers"):
        await answer(pipeline, "chat", [1, 2, 3], count=2, sampling=Sampling())
    pipeline.close()
    await until(lambda: not alive([pipeline.stages[0].pid]))


# --- one process -----------------------------------------------------------------------------------------------------


def order(*, first: int = 0, head: NodeId = HEAD) -> PrepareStage:
    return PrepareStage(1, "m" * 64, first, 4, "CPU", ElementType.F32, Place(head, "127.0.0.1", 9), None, None)


@pytest_asyncio.fixture
async def warm():
    warm = WarmStages(keep_s=60)
    yield warm
    await warm.free()


@pytest_asyncio.fixture
async def stage(model: Path, cache: Path):
    """A loaded process."""
    host = await StageHost.start(name="pc")
    shard = await host.load(
        LoadShard(str(model), "m" * 64, 0, 4, (Candidate("CPU", Backend.PAGED),), WIRE, str(cache), threads=1),
        name="pc",
    )
    yield WarmStage(host, shard)
    host.kill()
    await host.close()


def tokens(number: int, *segments: Segment) -> Frame:
    ids = np.arange(sum(segment.count for segment in segments), dtype=np.int32) % 300
    return frame_of(FrameKind.TOKENS, ids, session=SessionId(1), step=number, segments=segments)


class Session:
    """Steps of one session of a process."""

    def __init__(self, host: StageHost) -> None:
        self._host = host
        self._answers: asyncio.Queue[Frame] = asyncio.Queue()
        host.serve(self._take, lambda _: None)

    async def _take(self, frame: Frame, data: bytes) -> None:
        self._answers.put_nowait(frame)

    async def step(self, *segments: Segment) -> Frame:
        await self._host.send(tokens(1, *segments))
        return await self._answers.get()


async def test_nothing_of_a_session_is_left_in_the_next(warm, stage):
    first = Session(stage.host)
    before = [bytes((await first.step(Segment(number, 0, 4, 1))).payload) for number in (1, 2)]
    await stage.host.end_sequence(SequenceId(2))
    warm.put(order(), stage)
    taken = await warm.take(order(head=OTHER))
    assert taken is stage
    second = Session(taken.host)
    missing = await second.step(Segment(1, 4, 2, 1))
    assert (missing.kind, fault_of(missing).held) == (FrameKind.FAULT, 0)
    assert [bytes((await second.step(Segment(number, 0, 4, 1))).payload) for number in (1, 2)] == before


async def test_what_still_waits_of_a_session_is_for_nobody(warm, stage):
    """Its results are not taken, and fill the pipe so that the process does not even read any more."""
    began = asyncio.Event()

    async def take_none(frame: Frame, data: bytes) -> None:
        began.set()
        await asyncio.Event().wait()

    async def flood() -> None:
        for number in range(1, 400):
            await stage.host.send(tokens(number, Segment(number, 0, 2, 2, Sampling(logprobs=20))))

    stage.host.serve(take_none, lambda _: None)
    flooding = asyncio.create_task(flood())
    await began.wait()
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)
    warm.put(order(), stage)
    taken = await warm.take(order())
    answer = await Session(taken.host).step(Segment(1, 0, 4, 1))
    assert [(segment.sequence, segment.count) for segment in answer.segments] == [(1, 1)]
    assert answer.step == 1


async def test_only_who_orders_the_same_takes_it_and_only_once(warm, stage):
    warm.put(order(), stage)
    assert await warm.take(order(first=1)) is None
    assert await warm.take(msgspec.structs.replace(order(), wire=ElementType.BF16)) is None
    assert await asyncio.gather(warm.take(order()), warm.take(order())) == [stage, None]


async def test_after_a_while_its_memory_is_given_back(stage):
    warm = WarmStages(keep_s=0.05)
    warm.put(order(), stage)
    await until(lambda: not alive([stage.host.pid]))
    assert await warm.take(order()) is None


async def test_who_waits_for_one_that_is_freed_meanwhile_loads_anew(warm, stage):
    psutil.Process(stage.host.pid).suspend()  # it does not come to forgetting
    warm.put(order(), stage)
    waiting = asyncio.create_task(warm.take(order()))
    await asyncio.sleep(0.1)
    await warm.free()
    assert await waiting is None
    assert not alive([stage.host.pid])


async def test_one_that_died_is_not_taken(warm, stage):
    warm.put(order(), stage)
    await until(lambda: warm._kept[0].emptied.done())
    psutil.Process(stage.host.pid).kill()
    await until(lambda: stage.host.ended)
    assert await warm.take(order()) is None
