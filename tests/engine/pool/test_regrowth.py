"""A pipeline that nobody uses grows again when PCs are back that make it much faster."""

from __future__ import annotations

import pytest
from played_pool import MODEL, answer, until

from idlepool.engine.events import StageInfo
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.messages import DeviceInfo, Place, StepTimes
from idlepool.engine.pool.pool_planning import Present
from idlepool.engine.pool.regrowth import outgrown
from idlepool.engine.types import ElementType, Sampling

HERE, THERE = "a" * 64, "b" * 64


@pytest.fixture
def stored(model, tmp_path):
    store = ModelStore(tmp_path / "store")
    store.add_folder(model, name=MODEL)
    return store.get(MODEL)


def pc(stored, node, *, layer_ms):
    """A PC that was measured with all layers of the model."""
    times = StepTimes(0, 4, (4 * layer_ms,) * 3, model=stored.model, device="CPU", backend="paged")
    return Present(Place(node, "", 0), node[:1], (DeviceInfo("CPU", ElementType.F32, 2**33),), (times,))


def stage(node, first, last):
    return StageInfo(node, node[:1], first, last, "ready")


@pytest.mark.parametrize(("layer_ms", "grows"), [(1, True), (40, False), (100, False)])
def test_it_grows_where_that_is_much_faster(stored, layer_ms, grows):
    present = [pc(stored, HERE, layer_ms=50), pc(stored, THERE, layer_ms=layer_ms)]
    assert outgrown(stored, [stage(HERE, 0, 4)], present, here=HERE) is grows


def test_it_is_left_alone_where_it_is_as_good_as_can_be_or_about_to_break(stored):
    fast = pc(stored, THERE, layer_ms=1)
    present = [pc(stored, HERE, layer_ms=50), fast]
    assert not outgrown(stored, [stage(HERE, 0, 1), stage(THERE, 1, 4)], present, here=HERE)
    assert not outgrown(stored, [stage(HERE, 0, 1), stage("c" * 64, 1, 4)], present, here=HERE)


async def test_a_pc_that_is_back_gets_its_part_again_when_nobody_is_answered(pool, model, unsplit):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    assert [s.name for s in (await pool.open(head, stages=2)).stages] == ["pc-1", "pc-2"]
    await pool.leave("pc-2")
    await until(lambda: not head.pipelines.running)
    alone = await pool.open(head, stages=2)
    assert [s.name for s in alone.stages] == ["pc-1"]
    await pool.start("pc-2")
    await until(lambda: len(head.present()) == 2)
    both = await pool.open(head, stages=2)
    assert [s.name for s in both.stages] == ["pc-1", "pc-2"]
    assert await answer(both, "chat", [1, 2, 3], count=5, sampling=Sampling()) == unsplit(
        [1, 2, 3], count=5, sampling=Sampling()
    )
    assert await pool.open(head, stages=2) is both
