"""Loading for minutes is no death: the pipeline waits, and says for whom and since when."""

from __future__ import annotations

import psutil
from played_pool import MODEL, answer, until

from idlepool.engine.events import PipelineChanged, PoolChanged
from idlepool.engine.pool import peers, pipeline
from idlepool.engine.pool.preparation import WORTH_SAYING_S
from idlepool.engine.types import Sampling


async def test_a_stage_that_is_blocked_while_it_loads_keeps_the_pipeline_waiting(pool, model, monkeypatch):
    monkeypatch.setattr(peers, "HEARTBEAT_S", 0.1)
    monkeypatch.setattr(peers, "GONE_TICKS", 2)  # a PC that is silent for a second is gone
    monkeypatch.setattr(pipeline, "COUNT_S", 0.1)
    head = await pool.start("pc-1", model=model)
    host = await pool.start("pc-2")
    await until(lambda: host.devices and pool.names_seen("pc-1") == ["pc-1", "pc-2"])
    blocked = psutil.Process((await host._spare._starting).pid)
    blocked.suspend()
    preparing = await head.pipelines.open(head.models.named(MODEL), stages=2)

    told = await until(lambda: next((event for event in changes(pool) if waits_long_for_one(event)), None))
    seconds = told.stages[1].phase_s
    assert (told.stages[1].phase, told.detail) == ("loading", f"Waiting for pc-2 (loads its layers, {seconds} s).")
    assert {event.state for event in changes(pool)} == {"preparing"}
    (there,) = [peer for peer in pool.seen("pc-1", PoolChanged)[-1].peers if peer.name == "pc-2"]
    assert (there.present, there.state, there.phase) == (True, "present", "loading")

    blocked.resume()
    await preparing.wait_ready()
    assert changes(pool)[-1].detail == ""
    assert len(await answer(preparing, "chat", [1, 2, 3], count=3, sampling=Sampling())) == 3


async def test_the_device_that_compiles_is_told(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    await pool.open(head, stages=2)
    for number in (0, 1):
        phases = [event.stages[number].phase for event in changes(pool)]
        assert phases.index("loading") < phases.index("compiling") < phases.index("ready")


def waits_long_for_one(event: PipelineChanged) -> bool:
    return event.stages[0].phase == "ready" and event.stages[1].phase_s >= WORTH_SAYING_S


def changes(pool) -> list[PipelineChanged]:
    """What the head told of its pipeline."""
    return pool.seen("pc-1", PipelineChanged)
