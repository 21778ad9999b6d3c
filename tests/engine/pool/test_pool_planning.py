"""What PCs told of themselves decides which of them a model is spread over."""

from __future__ import annotations

import pytest
from tiny_model import build_tiny_model

from idlepool.engine.errors import NoRoom
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.messages import DeviceInfo, Place, StepTimes
from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.pool.plan_choice import PlanChoice
from idlepool.engine.pool.pool_planning import Present, planned
from idlepool.engine.types import DeviceKind, ElementType, NodeId, Span

CPU = DeviceInfo("CPU", ElementType.BF16, 10**10)
GPU = DeviceInfo("GPU", ElementType.F16, 10**10, DeviceKind.INTEGRATED_GPU)
HERE = NodeId("here")


@pytest.fixture
def tiny(tmp_path):
    """A model of 4 layers."""
    store = ModelStore(tmp_path / "home")
    store.add_folder(build_tiny_model(tmp_path / "tiny"), name="tiny")
    return store.get("tiny")


def pc(model, name: str, ms: float, *, device: DeviceInfo = CPU, links=(), more: tuple[DeviceInfo, ...] = ()):
    """A PC on which all layers take so long, on that device."""
    times = StepTimes(0, 4, (ms, ms, ms, ms), model.model, device.name, "paged")
    return Present(Place(name, "127.0.0.1", 1), name, (device, *more), (times,), links=links)


def shown(assignments) -> list[tuple[str, Span, str]]:
    return [(assignment.name, assignment.span, assignment.device) for assignment in assignments]


def test_the_ways_that_pcs_measured_decide_which_of_them_is_near_enough(tiny):
    here = pc(tiny, "here", 4000.0, links=(LinkTime("far", 900.0), LinkTime("near", 2.0)))
    far, near = pc(tiny, "far", 4.0), pc(tiny, "near", 8.0)
    plan = planned(tiny, (here, far, near), here=HERE)
    assert shown(plan) == [("here", Span(0, 1), "CPU"), ("near", Span(1, 4), "CPU")]


def test_what_a_pc_measured_on_one_of_its_devices_decides_where_its_layers_run(tiny):
    slow_gpu = pc(tiny, "here", 4.0, more=(GPU,))
    gpu_times = StepTimes(0, 4, (90.0,), tiny.model, "GPU", "paged")
    measured = Present(slow_gpu.place, "here", (GPU, CPU), (*slow_gpu.times, gpu_times))
    assert shown(planned(tiny, (measured,), here=HERE)) == [("here", Span(0, 4), "CPU")]
    unmeasured = Present(slow_gpu.place, "here", (GPU, CPU))
    assert shown(planned(tiny, (unmeasured,), here=HERE)) == [("here", Span(0, 4), "GPU")]


def test_a_choice_is_the_plan_whatever_was_measured_or_asked_for(tiny):
    present = (pc(tiny, "here", 1.0), pc(tiny, "a", 900.0), pc(tiny, "b", 900.0))
    choice = PlanChoice(("Here", "B", "A"), (Span(0, 1), Span(1, 2), Span(2, 4)))
    plan = planned(tiny, present, here=HERE, stages=1, choice=choice)
    assert [(name, span) for name, span, _ in shown(plan)] == [
        ("here", Span(0, 1)),
        ("b", Span(1, 2)),
        ("a", Span(2, 4)),
    ]
    without_spans = planned(tiny, present, here=HERE, choice=PlanChoice(("here", "b")))
    assert [name for name, _, _ in shown(without_spans)] == ["here", "b"]
    with pytest.raises(NoRoom, match=r"^The spans 0-1, 1-3 are not the 4 layers of the model\."):
        planned(tiny, present, here=HERE, choice=PlanChoice(("here", "b"), (Span(0, 1), Span(1, 3))))


def test_with_a_number_of_stages_most_stay_where_they_are_when_one_is_gone(tiny):
    present = tuple(pc(tiny, name, 1.0) for name in ("here", "a", "b", "c", "d"))
    before = [NodeId(name) for name in ("here", "a", "b", "c")]
    for lost in ("a", "b", "c"):
        left = tuple(one for one in present if one.name != lost)
        names = [stage.node for stage in planned(tiny, left, here=HERE, stages=4, before=before)]
        assert names == [NodeId("d") if name == lost else name for name in before]
    fewer = tuple(one for one in present if one.name not in {"a", "d"})
    assert [stage.node for stage in planned(tiny, fewer, here=HERE, stages=3, before=before)] == ["here", "b", "c"]
