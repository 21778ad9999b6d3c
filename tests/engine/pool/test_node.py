"""Real nodes on this PC: they find one another, keep to their pool, and take nothing that was not agreed."""

from __future__ import annotations

import asyncio
import logging
import socket

import numpy as np
import psutil
import pytest
import pytest_asyncio
from played_pool import PlayedPool, answer, until

from idlepool.engine.errors import PortInUse
from idlepool.engine.events import PipelineChanged, Trouble
from idlepool.engine.net.arrays import frame_of
from idlepool.engine.net.frames import FrameKind, FrameLimits, Segment, encode_frame
from idlepool.engine.net.messages import (
    EndSequence,
    Place,
    PrepareStage,
    Refused,
    ReleaseStage,
    StageLost,
    StageReady,
    WantChunk,
    WantFile,
    WantManifest,
)
from idlepool.engine.trust_errors import NotPaired
from idlepool.engine.types import Address, ElementType, Sampling, SessionId

GREEDY = Sampling()


async def test_three_pcs_find_one_another_by_discovery_alone(pool):
    names = ["pc-1", "pc-2", "pc-3"]
    await asyncio.gather(*(pool.start(name) for name in names))
    await until(lambda: all(pool.names_seen(name) == names for name in names))
    await pool.leave("pc-2")
    await until(lambda: pool.names_seen("pc-1") == pool.names_seen("pc-3") == ["pc-1", "pc-3"])


async def test_pools_never_meet(pool, tmp_path, caplog):
    caplog.set_level(logging.INFO)
    async with PlayedPool(tmp_path / "other", cache=tmp_path) as other:
        north = await pool.start("north")
        south = await other.start("south", peers=(Address("127.0.0.1", north.port),))
        await until(lambda: f"The PC at 127.0.0.1:{north.port} is not paired with this PC" in caplog.text)
        with pytest.raises(NotPaired, match=r"is not paired with this PC\. Pair them: idlepool pair"):
            await south.links.dial(Address("127.0.0.1", north.port), "model")
        assert pool.names_seen("north") == ["north"]
        assert other.names_seen("south") == ["south"]


async def test_a_restarted_node_is_the_same_pc(pool):
    watcher = await pool.start("pc-1")
    first = await pool.start("pc-2")
    await until(lambda: pool.names_seen("pc-1") == ["pc-1", "pc-2"])
    await pool.leave("pc-2")
    again = await pool.start("pc-2")
    assert again.id == first.id
    await until(lambda: watcher._peers.present.keys() == {first.id})
    await until(lambda: pool.names_seen("pc-1") == ["pc-1", "pc-2"])


async def test_a_port_in_use_is_told_or_passed_over(pool):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=rf"^Port {port} is used by another program\. Choose another"):
            await pool.start("pc-1", port=port)
        assert (await pool.start("pc-2", port=port, any_port=True)).port not in (0, port)


async def test_a_device_that_is_not_here_is_told_of_and_replaced(pool):
    node = await pool.start("pc-1", device="GPU.7")
    await until(lambda: node.devices)
    assert "GPU.7 is no device of this PC" in pool.seen("pc-1", Trouble)[0].sentence
    assert node.devices[0].name == "CPU"


async def test_a_device_that_is_forbidden_is_never_lent(pool, model):
    node = await pool.start("pc-1", model=model, forbidden=("cpu",))
    await until(lambda: pool.seen("pc-1", Trouble))
    assert "lends nothing" in pool.seen("pc-1", Trouble)[0].sentence
    assert node.devices == ()


async def test_why_a_stage_runs_elsewhere_is_told(pool, model, tmp_path):
    """The paged form failed its self-test on this PC, so the layers run in another one."""
    cache = tmp_path / "cache"
    node = await pool.start("pc-1", model=model, cache=cache)
    await pool.open(node, stages=1)
    for verdict in cache.rglob("*.json"):
        verdict.write_text('{"passed": false, "sentence": "its hidden states are wrong"}', encoding="utf-8")
    await pool.leave("pc-1")
    node = await pool.start("pc-1", cache=cache)
    pipeline = await pool.open(node, stages=1)
    (stage,) = pipeline.stages
    assert (stage.device, stage.backend, stage.reproducible) == ("CPU", "stateful", False)
    assert "CPU (paged): its hidden states are wrong" in stage.notice
    assert any(stage.notice in trouble.sentence for trouble in pool.seen("pc-1", Trouble))


async def test_a_driver_that_kills_its_process_is_left_alone(pool, model, tmp_path):
    """Twice the process dies in the self-test of the paged form; the third one runs the layers in another form."""
    cache = tmp_path / "cache"
    node = await pool.start("pc-1", model=model, cache=cache)
    opening = asyncio.create_task(pool.open(node, stages=1))
    for _ in range(2):
        (tested,) = await until(lambda: _in_self_test(cache))
        psutil.Process(tested).kill()
        await until(lambda: not _in_self_test(cache))
    (stage,) = (await opening).stages
    assert stage.backend == "stateful"
    assert "took the process down" in stage.notice


def _in_self_test(cache):
    """Processes that run a self-test now."""
    return [pid for mark in cache.rglob("*.running") if psutil.pid_exists(pid := int(mark.name.split(".")[-2]))]


async def test_the_one_who_asks_runs_the_first_layers(pool, model):
    """Also when the others knew sooner what they can lend."""
    other = await pool.start("a")
    await until(lambda: other.devices)
    head = await pool.start("b", model=model)
    await until(lambda: pool.names_seen("b") == ["a", "b"])
    pipeline = await pool.open(head, stages=None)
    assert [stage.name for stage in pipeline.stages] == ["b"]
    assert await answer(pipeline, "chat", [1, 2, 3], count=2, sampling=GREEDY)


# --- what a peer may not send -----------------------------------------------------------------------------------------


shared = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def two(model, cache, tmp_path_factory):
    """A pool with a ready pipeline over pc-1 and pc-2."""
    async with PlayedPool(tmp_path_factory.mktemp("pool"), cache=cache) as pool:
        head = await pool.start("pc-1", model=model)
        await pool.start("pc-2")
        yield pool, await pool.open(head, stages=2)


def hidden(
    session: int, *, width: int = 64, dtype: type = np.uint16, kind: FrameKind = FrameKind.HIDDEN, value: float = 0
) -> bytes:
    """One row for the second stage; uint16 stands for bf16."""
    rows = np.full((1, width), value, dtype)
    return encode_frame(frame_of(kind, rows, session=SessionId(session), step=1, segments=(Segment(1, 0, 1, 1),)))


@shared
async def test_a_frame_that_was_not_agreed_closes_the_link_and_harms_nothing(two):
    pool, pipeline = two
    wire = pool.nodes["pc-1"].devices[0].precision
    right, wrong = (np.float32, np.uint16) if wire is ElementType.F32 else (np.uint16, np.float32)
    session = pipeline.session
    infinity = np.inf if right is np.float32 else 0x7F80
    agreed = hidden(session, dtype=right)
    for frame, reason in (
        (hidden(session ^ 1), "came over a link for another one"),
        (hidden(session, width=32, dtype=right), "is 32 wide; 64 was agreed"),
        (hidden(session, dtype=wrong), "was agreed"),
        (hidden(session, width=1, dtype=np.int32, kind=FrameKind.TOKENS), "came where a HIDDEN frame was due"),
        (hidden(session, dtype=right, value=infinity), "what is no number: NaN or infinity"),
        (agreed[:-1], f"A frame has {len(agreed) - 1} bytes; its header says {len(agreed)}"),
        (bytes(len(agreed)), "does not start like a frame"),
        (bytes(FrameLimits().max_frame_bytes + 1), "exceeds limit of"),
        (EndSequence(session, 1), "Only frames are taken"),
        (agreed, "came from a PC that is not the one before in this pipeline"),
    ):
        link = await pool.visit("pc-2", "activation", session)
        await (link.send(frame) if isinstance(frame, EndSequence) else link.send_frame(frame))
        assert [item async for item in link] == []
        assert reason in await link.wait_closed()
    link = await pool.visit("pc-2", "activation", 5)
    await link.send_frame(hidden(5))
    assert [item async for item in link] == []
    assert "which is not prepared here" in await link.wait_closed()
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=GREEDY)) == 3


@shared
async def test_a_model_is_given_by_what_it_is_and_never_by_a_path(two):
    pool, pipeline = two
    link = await pool.visit("pc-1", "model")
    for question, reason in (
        (WantManifest("f" * 64), "not here"),
        (WantFile(pipeline.model, "../pc-1/certificate.der"), "no file called"),
        (WantFile(pipeline.model, "manifest.json"), "no file called"),
        (WantChunk(pipeline.model, 10**6), "no chunk"),
        (WantChunk(pipeline.model, -1), "no chunk"),
        (ReleaseStage(pipeline.session), "no question"),
    ):
        await link.send(question)
        answered = await anext(link)
        assert isinstance(answered, Refused)
        assert reason in answered.sentence
    await link.close("done")


@shared
async def test_a_stage_is_prepared_only_for_the_one_who_asks(two):
    """A head cannot be forged: a third PC would be sent what it did not order."""
    pool, pipeline = two
    link = await pool.visit("pc-2", "control")
    head = Place(pool.nodes["pc-1"].id, "127.0.0.1", pool.nodes["pc-1"].port)
    await link.send(PrepareStage(5, pipeline.model, 0, 2, "CPU", ElementType.F32, head, None, head))
    await link.send(
        PrepareStage(6, "f" * 64, 0, 2, "CPU", ElementType.F32, Place(pool.visitor, "127.0.0.1", 9), None, head)
    )
    said = [await anext(link) for _ in range(2)]
    assert [type(item).__name__ for item in said] == ["NodeStatus", "StageLost"]
    assert said[1].session == 6
    assert "That model is not here" in said[1].sentence
    await link.close("done")


@shared
async def test_a_pc_without_a_stage_has_no_say_about_one(two):
    pool, pipeline = two
    link = await pool.visit("pc-1", "control")
    for session in (pipeline.session, 8):
        await link.send(StageReady(session, 1, "CPU", 1, 1, 1, notice="Open the door."))
        await link.send(StageLost(session, "Nobody knows."))
    await link.send(PrepareStage(6, "f" * 64, 0, 2, "CPU", ElementType.F32, Place(pool.visitor, "h", 9), None, None))
    while not isinstance(await anext(link), StageLost):
        pass
    assert pool.seen("pc-1", Trouble) == []
    assert pipeline.state == "ready"
    await link.close("done")


@shared
async def test_only_the_head_can_release_a_stage(two):
    pool, pipeline = two
    link = await pool.visit("pc-2", "control")
    await link.send(ReleaseStage(pipeline.session))
    await link.send(PrepareStage(6, "f" * 64, 0, 2, "CPU", ElementType.F32, Place(pool.visitor, "h", 9), None, None))
    while not isinstance(await anext(link), StageLost):
        pass
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=GREEDY)) == 3
    assert pool.seen("pc-1", PipelineChanged)[-1].state == "ready"
    await link.close("done")


async def test_a_head_that_leaves_frees_what_it_asked_for(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    pids = [stage.pid for stage in pipeline.stages]
    await pool.leave("pc-1")
    assert pipeline.state == "broken"
    await until(lambda: pool.names_seen("pc-2") == ["pc-2"])
    await until(lambda: not any(psutil.pid_exists(pid) for pid in pids))
