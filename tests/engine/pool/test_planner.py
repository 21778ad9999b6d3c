"""What a pool's owner sees of a plan: which PCs, how fast, who is left out and why, what is missing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.errors import NoRoom
from idlepool.engine.models.manifest import Chunk, Manifest
from idlepool.engine.net.messages import StepTimes
from idlepool.engine.pool.plan_costs import HURRIED_FETCH_MS_BYTE, Besides, PlanDevice, PlanPc, Promise
from idlepool.engine.pool.plan_ways import Ways
from idlepool.engine.pool.planner import Task, plan_as_told, plan_pool
from idlepool.engine.types import DeviceKind, NodeId, Span

GB = 10**9
PLAIN = Besides(weights=1.0, stage_bytes=0, reserve=0.0, head_ms=0.0, hop_ms=1.0)


def model_of(layers: int, *, layer_bytes: int = GB) -> Manifest:
    """Equal layers, each one chunk."""
    return Manifest(
        layers=layers,
        hidden=64,
        vocabulary=300,
        context=4096,
        files=(),
        weights_bytes=layers * layer_bytes,
        chunks=tuple(Chunk(index * layer_bytes, layer_bytes, "") for index in range(layers)),
        layer_chunks=tuple((index,) for index in range(layers)),
        layer_costs=(layer_bytes,) * layers,
    )


TEN = model_of(10)


def pc_of(name: str, *, layer_ms: float, gigabytes: float = 100, held: frozenset[int] = frozenset()) -> PlanPc:
    """A PC on which a layer of TEN takes so long."""
    times = StepTimes(0, 10, (10 * layer_ms, 12 * layer_ms, 20 * layer_ms))
    return PlanPc(NodeId(name), name, (PlanDevice(int(gigabytes * GB), times, "CPU"),), held)


def task_of(manifest: Manifest = TEN, **changes) -> Task:
    return Task(manifest, **({"promise": Promise(1000), "besides": PLAIN} | changes))


def links_of(pcs, ms: float = 1.0):
    return Ways.equal(len(pcs), ms)


def shown(plan) -> list[tuple[str, int]]:
    return [(stage.name, len(stage.span)) for stage in plan.stages]


def test_one_pc_runs_it_where_that_is_faster():
    pcs = [pc_of("here", layer_ms=2), pc_of("other", layer_ms=2)]
    plan = plan_pool(task_of(), pcs, links_of(pcs))
    assert shown(plan) == [("here", 10)]
    assert plan.round_ms == pytest.approx(20)
    assert plan.tokens_per_second == pytest.approx(50)
    assert plan.left_out == (("other", "With it a token would take 24.0 ms instead of 20.0 ms."),)


def test_a_fast_pc_far_away_is_worth_its_links_only_if_they_are_short():
    pcs = [pc_of("here", layer_ms=5), pc_of("fast", layer_ms=1)]
    near, far = (plan_pool(task_of(), pcs, links_of(pcs, ms)) for ms in (1, 50))
    assert (shown(near), near.round_ms) == ([("here", 1), ("fast", 9)], pytest.approx(5 + 9 + 2 * 2))
    assert shown(far) == [("here", 10)]


def test_a_slow_pc_is_dropped_where_the_others_hold_the_model():
    pcs = [
        pc_of("here", layer_ms=2, gigabytes=6),
        pc_of("slow", layer_ms=9, gigabytes=6),
        pc_of("good", layer_ms=2, gigabytes=6),
    ]
    assert shown(plan_pool(task_of(), pcs, links_of(pcs))) in ([("here", n), ("good", 10 - n)] for n in range(4, 7))
    assert len(plan_pool(task_of(model_of(16)), pcs, links_of(pcs)).stages) == 3


def test_a_pc_gets_no_layers_that_its_disk_has_no_room_for_unless_they_are_there():
    here, other = pc_of("here", layer_ms=2, gigabytes=6), pc_of("other", layer_ms=1, gigabytes=100)
    assert shown(plan_pool(task_of(), [here, other], links_of([here, other]))) == [("here", 1), ("other", 9)]
    small = replace(other, disk_bytes=6.1 * GB)
    assert shown(plan_pool(task_of(), [here, small], links_of([here, small]))) == [("here", 4), ("other", 6)]
    full = replace(other, disk_bytes=0.0)
    with pytest.raises(NoRoom, match="not room for its layers on their disks"):
        plan_pool(task_of(), [here, full], links_of([here, full]))
    large = replace(here, devices=(PlanDevice(100 * GB, here.devices[0].times, "CPU"),))
    alone = plan_pool(task_of(), [large, full], links_of([large, full]))
    assert alone.left_out == (("other", "Its disk has no room for a layer."),)
    having = replace(full, held=frozenset(TEN.chunks_of(Span(5, 10))))
    assert shown(plan_pool(task_of(), [here, having], links_of([here, having]))) == [("here", 5), ("other", 5)]


def test_where_an_answer_waits_what_is_on_the_disks_comes_before_what_is_a_little_faster():
    everything, half = (frozenset(TEN.chunks_of(span)) for span in (Span(0, 10), Span(5, 10)))
    here = pc_of("here", layer_ms=2, gigabytes=5.5, held=everything)
    pcs = [here, pc_of("fast", layer_ms=1.9), pc_of("warm", layer_ms=2, held=half)]
    assert [stage.name for stage in plan_pool(task_of(), pcs, links_of(pcs)).stages] == ["here", "fast"]
    hurried = replace(PLAIN, fetch_ms_byte=HURRIED_FETCH_MS_BYTE)
    plan = plan_pool(task_of(besides=hurried), pcs, links_of(pcs))
    assert [(stage.name, stage.fetch_bytes) for stage in plan.stages][1:] == [("warm", 0)]


def bound_by_arithmetic(name: str, *, token_ms: float) -> PlanPc:
    """A PC on which each token costs a layer of TEN so much, however many there are."""
    times = StepTimes(0, 10, tuple(10 * token_ms * tokens for tokens in (1, 4, 16)))
    return PlanPc(NodeId(name), name, (PlanDevice(100 * GB, times, "CPU"),))


def test_for_several_users_the_work_is_spread_where_that_makes_more_tokens():
    pcs = [bound_by_arithmetic(name, token_ms=ms) for name, ms in (("here", 2), ("other", 2), ("slow", 4))]
    task = task_of(goal="throughput", promise=Promise(1000, users=3))
    plan = plan_pool(task, pcs, links_of(pcs))
    assert sorted(shown(plan)) == [("here", 4), ("other", 4), ("slow", 2)]
    assert plan.slowest_ms == pytest.approx(8)
    assert plan.tokens_per_second == pytest.approx(1000 * 3 / (8 + 8 + 8 + 3 * 2))
    far = plan_pool(task, pcs, links_of(pcs, 30))
    assert shown(far) == [("here", 10)]
    assert far.tokens_per_second == pytest.approx(1000 * 3 / (3 * 20))
    assert all("tokens would come in a second instead of 50.0." in reason for _, reason in far.left_out)


def test_more_stages_than_users_are_worth_nothing_for_them():
    pcs = [pc_of(str(number), layer_ms=2) for number in range(8)]
    plan = plan_pool(task_of(goal="throughput", promise=Promise(1000, users=2)), pcs, links_of(pcs))
    assert len(plan.stages) <= 2


def all_plans(pcs: int, layers: int) -> Iterator[tuple[tuple[int, ...], list[Span]]]:
    for count in range(1, min(pcs, layers) + 1):
        for others in permutations(range(1, pcs), count - 1):
            for cuts in combinations(range(1, layers), count - 1):
                yield (0, *others), [Span(*ends) for ends in pairwise((0, *cuts, layers))]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("users", [2, 5, 16])
def test_no_other_plan_makes_a_twentieth_more_tokens_of_several_users(seed, users):
    chance = np.random.default_rng(seed)
    pcs = []
    for number in range(4):
        base, token = chance.uniform(1, 20), chance.uniform(0.1, 5)
        times = StepTimes(0, 6, tuple(base + token * tokens for tokens in (1, 4, 16)))
        device = PlanDevice(int(chance.uniform(2.1, 5) * GB), times)
        pcs.append(PlanPc(NodeId(str(number)), str(number), (device,)))
    ways = Ways(chance.uniform(0.2, 6, (4, 4)), np.full((4, 4), 1e5))
    task = task_of(model_of(6), goal="throughput", promise=Promise(1000, users=users, row_bytes=10_000))
    best = 0.0
    for order, spans in all_plans(4, 6):
        some = list(order)
        among = Ways(ways.ms[np.ix_(some, some)], ways.bytes_ms[np.ix_(some, some)])
        with contextlib.suppress(NoRoom):
            told = plan_as_told(task, [pcs[pc] for pc in some], among, spans=spans)
            best = max(best, told.tokens_per_second)
    assert plan_pool(task, pcs, ways).tokens_per_second >= 0.95 * best


def test_of_many_pcs_the_good_ones_are_found_and_the_others_told_why_not():
    chance = np.random.default_rng(3)
    pcs = [pc_of("here", layer_ms=3, gigabytes=3)]
    pcs += [pc_of(f"slow {n}", layer_ms=float(chance.uniform(4, 9)), gigabytes=2) for n in range(60)]
    pcs += [pc_of(f"good {n}", layer_ms=1, gigabytes=4) for n in range(3)]
    plan = plan_pool(task_of(), pcs, links_of(pcs))
    assert {stage.name for stage in plan.stages[1:]} <= {"good 0", "good 1", "good 2"}
    assert len(plan.left_out) + len(plan.stages) == len(pcs)
    assert all(reason for _, reason in plan.left_out)


def test_many_small_pcs_together_hold_what_no_sixteen_of_them_do():
    pcs = [pc_of(str(number), layer_ms=1, gigabytes=1) for number in range(40)]
    assert len(plan_pool(task_of(model_of(30)), pcs, links_of(pcs)).stages) == 30


def test_what_is_on_a_disk_decides_between_equal_pcs():
    pcs = [
        pc_of("here", layer_ms=1, gigabytes=5, held=frozenset(range(10))),
        pc_of("empty", layer_ms=1, gigabytes=8),
        pc_of("has it", layer_ms=1, gigabytes=8, held=frozenset(range(4, 10))),
    ]
    plan = plan_pool(task_of(), pcs, links_of(pcs))
    assert [(stage.name, stage.fetch_bytes) for stage in plan.stages] == [("here", 0), ("has it", 0)]
    faster = [*pcs[:1], pc_of("empty", layer_ms=0.9, gigabytes=8), *pcs[2:]]
    assert plan_pool(task_of(), faster, links_of(pcs)).stages[1].name == "empty"


def test_a_pc_without_room_for_a_layer_is_left_out_with_that_reason():
    pcs = [pc_of("here", layer_ms=1), pc_of("tiny", layer_ms=1, gigabytes=0.5)]
    left_out = plan_pool(task_of(), pcs, links_of(pcs)).left_out
    assert left_out == (("tiny", "It has 0.5 GB for layers, and the smallest one takes 1.0 GB."),)


def test_too_large_says_what_is_missing_and_that_it_would_do():
    pcs = [pc_of("here", layer_ms=1, gigabytes=4), pc_of("other", layer_ms=1, gigabytes=3)]
    with pytest.raises(NoRoom) as refused:
        plan_pool(task_of(), pcs, links_of(pcs))
    assert refused.value.sentence == (
        "The model needs 10.0 GB, 0.0 GB of it for conversations of 1000 tokens, and the PCs here have 7.0 GB for it: "
        "3.0 GB are missing."
    )
    assert refused.value.hint == "Another PC that lends 3.0 GB would make it fit, or a smaller model."
    pcs.append(pc_of("third", layer_ms=1, gigabytes=3.0))
    assert len(plan_pool(task_of(), pcs, links_of(pcs)).stages) == 3


def test_where_conversations_are_what_is_too_large_shorter_ones_are_offered():
    promise = Promise(20_000, cache_bytes=10**6)
    pcs = [pc_of("here", layer_ms=1, gigabytes=20)]
    with pytest.raises(NoRoom) as refused:
        plan_pool(task_of(promise=promise), pcs, links_of(pcs))
    assert "or conversations of 10000 tokens" in refused.value.hint
    plan = plan_pool(task_of(promise=Promise(10_000, cache_bytes=10**6)), pcs, links_of(pcs))
    assert plan.stages[0].memory_bytes == 20 * GB


def test_chosen_pcs_are_all_used_in_their_order():
    pcs = [pc_of(name, layer_ms=2) for name in ("here", "north", "south")]
    plan = plan_as_told(task_of(goal="throughput"), [pcs[0], pcs[2], pcs[1]], links_of(pcs))
    assert [stage.name for stage in plan.stages] == ["here", "south", "north"]
    assert plan.slowest_ms == pytest.approx(8)


def test_chosen_spans_are_taken_as_they_are():
    pcs = [pc_of(name, layer_ms=2) for name in ("here", "north")]
    plan = plan_as_told(task_of(), pcs, links_of(pcs), spans=[Span(0, 3), Span(3, 10)])
    assert shown(plan) == [("here", 3), ("north", 7)]
    assert plan.round_ms == pytest.approx(20 + 2 * 2)


@pytest.mark.parametrize(
    ("spans", "said"),
    [
        ([Span(0, 10)], "1 spans were given for 2 PCs."),
        ([Span(0, 3), Span(4, 10)], "The spans 0-3, 4-10 are not the 10 layers of the model."),
        ([Span(0, 3), Span(3, 11)], "The spans 0-3, 3-11 are not the 10 layers of the model."),
        ([Span(1, 3), Span(3, 10)], "The spans 1-3, 3-10 are not the 10 layers of the model."),
        ([Span(0, 3), Span(3, 10)], "Layers 3 to 9 need 7.0 GB; north has 6.0 GB for them."),
    ],
)
def test_chosen_spans_that_cannot_be_are_refused(spans, said):
    pcs = [pc_of("here", layer_ms=2), pc_of("north", layer_ms=2, gigabytes=6)]
    with pytest.raises(NoRoom) as refused:
        plan_as_told(task_of(), pcs, links_of(pcs), spans=spans)
    assert refused.value.sentence == said


def test_more_pcs_than_layers_cannot_be_chosen():
    pcs = [pc_of(str(number), layer_ms=2) for number in range(3)]
    with pytest.raises(NoRoom, match="2 layers for 3 PCs"):
        plan_as_told(task_of(model_of(2)), pcs, links_of(pcs))


@given(
    st.lists(st.tuples(st.floats(0.1, 9), st.floats(0, 8)), min_size=1, max_size=10),
    st.integers(1, 20),
    st.sampled_from(["latency", "throughput"]),
    st.integers(1, 5),
)
@settings(deadline=None)
def test_a_plan_tiles_the_model_within_everybodys_memory(pcs, layers, goal, users):
    lent = [pc_of(str(number), layer_ms=ms, gigabytes=room) for number, (ms, room) in enumerate(pcs)]
    task = task_of(model_of(layers), goal=goal, promise=Promise(1000, users=users, cache_bytes=1000))
    try:
        plan = plan_pool(task, lent, links_of(lent))
    except NoRoom as error:
        assert error.sentence and error.hint
        return
    assert [layer for stage in plan.stages for layer in stage.span] == list(range(layers))
    usable = {pc.name: pc.devices[0].usable_bytes for pc in lent}
    assert all(stage.memory_bytes + stage.spare_bytes <= usable[stage.name] for stage in plan.stages)
    assert {stage.name for stage in plan.stages} | {name for name, _ in plan.left_out} == set(usable)
    assert plan.stages[0].name == "0"


def test_a_plan_tells_what_is_left_and_how_many_users_more_would_fit():
    promise = Promise(1000, users=2, cache_bytes=10**6)
    pcs = [pc_of("here", layer_ms=1, gigabytes=10), pc_of("other", layer_ms=1, gigabytes=6)]
    plan = plan_as_told(task_of(promise=promise), pcs, links_of(pcs), spans=[Span(0, 6), Span(6, 10)])
    assert [stage.memory_bytes for stage in plan.stages] == [int(7.2 * GB), int(4.8 * GB)]
    assert [stage.spare_bytes for stage in plan.stages] == [int(2.8 * GB), int(1.2 * GB)]
    assert plan.spare_users == 3
    crowd = Promise(1000, users=5, cache_bytes=10**6)
    full = plan_as_told(task_of(promise=crowd), pcs, links_of(pcs), spans=[Span(0, 6), Span(6, 10)])
    assert full.spare_users == 0
    with pytest.raises(NoRoom):
        plan_as_told(
            task_of(promise=Promise(1000, users=6, cache_bytes=10**6)),
            pcs,
            links_of(pcs),
            spans=[Span(0, 6), Span(6, 10)],
        )


def test_a_thin_line_is_avoided_where_many_rows_cross_it():
    """A short way that carries little is the better one for one user, and not for a hundred."""
    pcs = [pc_of("here", layer_ms=2, gigabytes=6), *(pc_of(name, layer_ms=2, gigabytes=6) for name in ("thin", "wide"))]
    ways = Ways(np.array([[0, 1, 3], [1, 0, 3], [3, 3, 0.0]]), np.array([[1, 100, 1e5], [100, 1, 1e5], [1e5, 1e5, 1]]))
    few, many = (
        plan_pool(task_of(goal=goal, promise=Promise(1000, users=users, row_bytes=100)), pcs, ways)
        for goal, users in (("latency", 1), ("throughput", 100))
    )
    assert few.stages[1].name == "thin"
    assert few.round_ms == pytest.approx(20 + (1 + 1 + 1) + (1 + 1))
    assert [stage.name for stage in many.stages][:2] == ["here", "wide"]


def test_the_plan_says_which_device_of_a_pc_and_at_which_pace_prompts_are_read():
    times = StepTimes(0, 10, (10.0, 12.0, 20.0))
    gpu = PlanDevice(20 * GB, times, "GPU.1", DeviceKind.DISCRETE_GPU, "paged")
    pc = PlanPc(NodeId("a"), "a", (PlanDevice(20 * GB, None, "CPU", DeviceKind.CPU, "paged"), gpu))
    plan = plan_pool(task_of(), [pc], links_of([pc]))
    assert [(stage.device, stage.backend) for stage in plan.stages] == [("GPU.1", "paged")]
    assert plan.prompt_tokens_per_second == pytest.approx(1000 * 256 / (20 + 240 * 8 / 12))
