"""What spans cost: bytes counted once for all layers that read them, times scaled from what was measured."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.models.manifest import Chunk, Manifest
from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.plan_costs import UNMEASURED_BYTES_MS, Besides, Placed, PlanDevice, PlanPc, Promise, SpanCosts
from idlepool.engine.types import DeviceKind, NodeId, Span

NOTHING = Besides(weights=1.0, stage_bytes=0, reserve=0.0, head_ms=0.0, hop_ms=0.0)


def manifest_of(costs: list[int], lengths: list[int], readers: list[set[int]]) -> Manifest:
    """A model whose layer n costs `costs[n]` and reads the chunks `readers[n]`."""
    return Manifest(
        layers=len(costs),
        hidden=64,
        vocabulary=300,
        context=4096,
        files=(),
        weights_bytes=sum(lengths),
        chunks=tuple(Chunk(64 * index, length, "") for index, length in enumerate(lengths)),
        layer_chunks=tuple(tuple(sorted(read)) for read in readers),
        layer_costs=tuple(costs),
    )


def pc_of(name: str, *, usable: int = 10**12, times: StepTimes | None = None, **more) -> PlanPc:
    return PlanPc(NodeId(name), name, (PlanDevice(usable, times),), **more)


def costs_of(manifest, *pcs, promise=None, besides=NOTHING) -> SpanCosts:
    return SpanCosts(manifest, pcs, promise or Promise(1), besides)


def possible_on(pc, promise, besides):
    """`[first, last]`: whether the PC can hold the span."""
    costs = costs_of(HALF_IN_THE_LAST, pc, promise=promise, besides=besides)
    return np.isfinite(costs.chain_costs(costs.times(1), np.zeros((1, 1))).spans[0])


@st.composite
def models(draw: st.DrawFn) -> Manifest:
    layers = draw(st.integers(1, 7))
    lengths = draw(st.lists(st.integers(1, 60), min_size=1, max_size=8))
    readers = st.sets(st.integers(0, len(lengths) - 1), min_size=1)
    return manifest_of([1] * layers, lengths, draw(st.lists(readers, min_size=layers, max_size=layers)))


@given(models(), st.frozensets(st.integers(0, 9)))
def test_bytes_are_those_of_the_spans_chunks(manifest, held):
    costs = costs_of(manifest, pc_of("empty"), pc_of("with some", held=held))
    for first in range(manifest.layers):
        for last in range(first + 1, manifest.layers + 1):
            chunks = manifest.chunks_of(Span(first, last))
            assert costs.weights[first, last] == costs.fetched[0][first, last] == manifest.bytes_of(chunks)
            assert costs.fetched[1][first, last] == manifest.bytes_of(set(chunks) - held)


HALF_IN_THE_LAST = manifest_of([100, 100, 200], [100, 100, 200], [{0}, {1}, {2}])


def test_what_was_measured_with_some_layers_tells_what_others_take():
    measured = pc_of("measured", times=StepTimes(0, 2, (10.0, 16.0, 40.0)))
    one, four, ten = (costs_of(HALF_IN_THE_LAST, measured).times(tokens)[0] for tokens in (1, 4, 10))
    assert (one[0, 1], one[2, 3], one[0, 3]) == pytest.approx((5, 10, 20))
    assert (four[0, 3], ten[0, 3]) == pytest.approx((32, 56))


def test_more_tokens_than_were_timed_go_on_as_from_four_to_sixteen():
    measured = pc_of("measured", times=StepTimes(0, 3, (10.0, 16.0, 40.0)))
    assert costs_of(HALF_IN_THE_LAST, measured).times(28)[0, 0, 3] == pytest.approx(64)


def test_an_unmeasured_pc_is_as_fast_as_the_others_on_the_average():
    slow, fast = pc_of("slow", times=StepTimes(0, 3, (30.0,))), pc_of("fast", times=StepTimes(0, 3, (10.0,)))
    times = costs_of(HALF_IN_THE_LAST, slow, fast, pc_of("new")).times(1)
    assert times[:, 0, 3] == pytest.approx((30, 10, 20))


def test_where_nobody_was_measured_the_weights_tell():
    manifest = manifest_of([UNMEASURED_BYTES_MS, 3 * UNMEASURED_BYTES_MS], [1, 1], [{0}, {1}])
    assert costs_of(manifest, pc_of("new")).times(1)[0, 1, 2] == pytest.approx(3)


@pytest.mark.parametrize(
    "times",
    [
        StepTimes(0, 9, (1.0,)),
        StepTimes(2, 1, (1.0,)),
        StepTimes(-1, 2, (1.0,)),
        StepTimes(0, 3, ()),
        StepTimes(0, 3, (0.0, 1.0, 1.0)),
        StepTimes(0, 3, (float("nan"),)),
        StepTimes(0, 3, (float("inf"), 1.0, 1.0)),
    ],
)
def test_times_that_make_no_sense_count_as_not_measured(times):
    told = costs_of(HALF_IN_THE_LAST, pc_of("odd", times=times)).times(1)
    assert np.array_equal(told, costs_of(HALF_IN_THE_LAST, pc_of("new")).times(1))


def test_the_first_pc_has_more_to_do_where_there_are_others():
    costs = costs_of(
        HALF_IN_THE_LAST,
        pc_of("head", times=StepTimes(0, 3, (4.0,)), head_ms=7.0),
        pc_of("other", times=StepTimes(0, 3, (4.0,)), head_ms=7.0),
        besides=Besides(head_ms=2.0),
    ).times(1)
    assert (costs[0, 0, 1], costs[0, 0, 3]) == pytest.approx((10, 11))
    assert (costs[1, 0, 1], costs[1, 0, 3]) == pytest.approx((1, 4))


def test_memory_counts_weights_caches_the_process_and_a_reserve():
    promise = Promise(context=10, users=3, cache_bytes=6)
    besides = Besides(weights=1.5, stage_bytes=1000, reserve=0.1)
    costs = costs_of(HALF_IN_THE_LAST, pc_of("pc", usable=2000), promise=promise, besides=besides)
    assert costs.memory[0, 1] == pytest.approx(150 + 60 + 1000)
    assert costs.memory[0, 3] == pytest.approx(600 + 180 + 1000)
    assert costs.room[0] == pytest.approx(1800)
    assert possible_on(pc_of("pc", usable=2000), promise, besides)[0, 3]
    tight = possible_on(pc_of("pc", usable=1900), promise, besides)
    assert (tight[0, 3], tight[0, 2], tight[1, 3]) == (False, True, True)


def with_devices(name: str, *devices: PlanDevice) -> PlanPc:
    return PlanPc(NodeId(name), name, devices)


def test_each_span_has_the_fastest_device_that_it_fits():
    gpu = PlanDevice(250, StepTimes(0, 3, (2.0,)), "GPU", DeviceKind.INTEGRATED_GPU, "paged")
    cpu = PlanDevice(1000, StepTimes(0, 3, (8.0,)), "CPU", DeviceKind.CPU, "stateful")
    costs = costs_of(HALF_IN_THE_LAST, with_devices("pc", cpu, gpu))
    times = costs.times(1)[0]
    assert (times[0, 2], times[0, 3], times[2, 3]) == pytest.approx((1.0, 8.0, 1.0))
    assert costs.placed(0, Span(0, 2), 1) == Placed(gpu, 250, 1.0)
    assert costs.placed(0, Span(0, 3), 1) == Placed(cpu, 1000, 8.0)
    assert costs.room[0] == 1000


def test_of_equal_devices_the_first_one_is_taken():
    devices = [PlanDevice(1000, StepTimes(0, 3, (8.0,)), name) for name in ("GPU", "CPU")]
    assert costs_of(HALF_IN_THE_LAST, with_devices("pc", *devices)).placed(0, Span(0, 3), 1).device is devices[0]


def test_a_device_that_was_not_measured_is_taken_for_what_its_kind_is_beside_the_pcs_own():
    cpu = PlanDevice(1000, StepTimes(0, 3, (30.0,)), "CPU")
    gpu = PlanDevice(1000, None, "GPU", DeviceKind.DISCRETE_GPU)
    other = pc_of("other", times=StepTimes(0, 3, (10.0,)))
    new = with_devices("new", PlanDevice(1000, None, "GPU", DeviceKind.DISCRETE_GPU))
    times = costs_of(HALF_IN_THE_LAST, with_devices("pc", cpu, gpu), other, new).times(1)
    assert times[:, 0, 3] == pytest.approx((30 / 5, 10, 20 / 5))


def test_a_device_too_small_for_all_layers_runs_none():
    times = costs_of(HALF_IN_THE_LAST, pc_of("small", usable=50)).times(1)
    assert not np.isfinite(times[0][np.triu_indices(4, 1)]).any()
