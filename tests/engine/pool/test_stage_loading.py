"""Loading for minutes is no death: the pipeline waits, and says for whom and since when."""

from __future__ import annotations

import psutil
from played_pool import MODEL, answer, until

from idlepool.engine.events import PipelineChanged, PoolChanged
from idlepool.engine.pool import peers, pipeline
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

    told = await until(lambda: [event for event in changes(pool) if event.detail])
    assert [stage.phase for stage in told[-1].stages] == ["ready", "loading"]
    assert told[-1].detail == "Waiting for pc-2 (loads its layers, 3 s)."
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


def changes(pool) -> list[PipelineChanged]:
    """What the head told of its pipeline."""
    return pool.seen("pc-1", PipelineChanged)
