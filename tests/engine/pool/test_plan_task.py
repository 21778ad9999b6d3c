"""What the planner is told of a model that is here and of PCs that are."""

from __future__ import annotations

import pytest
from tiny_model import build_tiny_model

from idlepool.engine.errors import ModelDamaged
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.messages import DeviceInfo, StepTimes
from idlepool.engine.net.standby_messages import HeldSpan
from idlepool.engine.pool.plan_costs import PlanDevice
from idlepool.engine.pool.plan_task import PROMISED_TOKENS, pc_of, promise_of
from idlepool.engine.types import DeviceKind, ElementType, NodeId, Span

CPU = DeviceInfo("CPU", ElementType.BF16, 10**9)


@pytest.fixture
def tiny(tmp_path):
    """A model of 4 layers, 64 wide, for conversations of 512 tokens."""
    store = ModelStore(tmp_path / "home")
    store.add_folder(build_tiny_model(tmp_path / "tiny"), name="tiny")
    return store.get("tiny")


def test_caches_are_promised_in_the_type_they_are_kept_in(tiny):
    promise = promise_of(tiny, ElementType.BF16, users=3)
    assert (promise.context, promise.users, promise.cache_bytes) == (512, 3, 4 * 2 * 64 * 2)
    assert promise_of(tiny, ElementType.F32, context=100).cache_bytes == 2 * promise.cache_bytes
    assert promise_of(tiny, ElementType.F32, context=100).context == 100
    assert promise_of(tiny, ElementType.F32, context=2 * PROMISED_TOKENS).context == 512


def test_a_graph_that_cannot_be_read_is_a_damaged_model(tiny):
    tiny.graph.write_text("<net", encoding="utf-8")
    with pytest.raises(ModelDamaged):
        promise_of(tiny, ElementType.F32)


def test_the_newest_measurement_of_the_model_on_the_device_counts(tiny):
    new, old = (StepTimes(first, 4, (1.0,), tiny.model, "CPU", "paged") for first in (2, 0))
    others = (StepTimes(0, 4, (1.0,), "f" * 64, "CPU"), StepTimes(0, 4, (1.0,), tiny.model, "GPU"))
    pc = pc_of(tiny, NodeId("a"), "a", devices=(CPU,), told=(*others, new, old))
    assert pc.devices == (PlanDevice(10**9, new, "CPU", DeviceKind.CPU, "paged"),)
    assert pc.held == set(tiny.manifest.chunks_of(Span(0, 4)))


def test_nothing_is_known_of_a_pc_that_never_ran_it(tiny):
    other = pc_of(tiny, NodeId("a"), "a", devices=(CPU,), told=())
    here = pc_of(tiny, NodeId("b"), "b", devices=(CPU,), told=(), here=True)
    assert (other.devices[0].times, other.held) == (None, frozenset())
    assert here.held == tiny.held


@pytest.mark.parametrize("span", [(0, 5), (3, 3), (-1, 2)])
def test_layers_that_the_model_has_not_are_on_no_disk(tiny, span):
    told = (StepTimes(*span, (1.0,), tiny.model, "CPU"),)
    assert pc_of(tiny, NodeId("a"), "a", devices=(CPU,), told=told).held == frozenset()


def test_layers_that_were_fetched_ahead_are_on_the_disk_too(tiny):
    held = (HeldSpan(tiny.model, 1, 2), HeldSpan("f" * 64, 0, 4), HeldSpan(tiny.model, 3, 9))
    told = (StepTimes(3, 4, (1.0,), tiny.model, "CPU"),)
    pc = pc_of(tiny, NodeId("a"), "a", devices=(CPU,), told=told, held=held)
    assert pc.held == {*tiny.manifest.chunks_of(Span(1, 2)), *tiny.manifest.chunks_of(Span(3, 4))}


def test_a_pc_that_tells_what_it_holds_has_nothing_else_and_a_limit(tiny):
    told = (StepTimes(3, 4, (1.0,), tiny.model, "CPU"),)
    pc = pc_of(tiny, NodeId("a"), "a", devices=(CPU,), told=told, held=(HeldSpan(tiny.model, 1, 2),), disk_bytes=10)
    assert (pc.held, pc.disk_bytes) == (set(tiny.manifest.chunks_of(Span(1, 2))), 10)


def test_each_device_has_its_own_measurement_and_the_form_it_is_tried_in(tiny):
    npu = DeviceInfo("NPU", ElementType.F16, 10**9, DeviceKind.NPU)
    told = (StepTimes(0, 4, (1.0,), tiny.model, "CPU", "stateful"),)
    pc = pc_of(tiny, NodeId("a"), "a", devices=(npu, CPU), told=told)
    assert [(device.name, device.times, device.backend) for device in pc.devices] == [
        ("NPU", None, "static"),
        ("CPU", told[0], "stateful"),
    ]
