"""The plan against all tilings there are: layers tiled, memory respected, the costliest span as cheap as can be."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.errors import NoRoom
from idlepool.engine.models.manifest import Chunk, Manifest
from idlepool.engine.pool.plan import WORKING_MEMORY, Lender, plan
from idlepool.engine.types import NodeId, Span


def manifest_of(costs: list[int], lengths: list[int], readers: list[set[int]]) -> Manifest:
    """A model whose layer n costs `costs[n]` and reads the chunks `readers[n]`."""
    chunks = tuple(Chunk(64 * index, length, "") for index, length in enumerate(lengths))
    return Manifest(
        layers=len(costs),
        hidden=64,
        vocabulary=300,
        context=512,
        files=(),
        weights_bytes=64 * len(lengths),
        chunks=chunks,
        layer_chunks=tuple(tuple(sorted(read)) for read in readers),
        layer_costs=tuple(costs),
    )


@st.composite
def models(draw: st.DrawFn) -> Manifest:
    layers = draw(st.integers(1, 7))
    lengths = draw(st.lists(st.integers(1, 60), min_size=1, max_size=8))
    indices = st.integers(0, len(lengths) - 1)
    readers = draw(st.lists(st.sets(indices, min_size=1), min_size=layers, max_size=layers))
    return manifest_of(draw(st.lists(st.integers(0, 20), min_size=layers, max_size=layers)), lengths, readers)


lent = st.lists(st.integers(0, 300), min_size=1, max_size=4)


def lenders_of(usable: list[int]) -> list[Lender]:
    return [Lender(NodeId(str(number)), f"pc-{number}", size) for number, size in enumerate(usable, start=1)]


def costliest(manifest: Manifest, spans: list[Span]) -> int:
    return max(sum(manifest.layer_costs[span.first : span.last]) for span in spans)


def fits(manifest: Manifest, span: Span, usable: int) -> bool:
    return WORKING_MEMORY * manifest.bytes_of(manifest.chunks_of(span)) <= usable


def all_tilings(manifest: Manifest, usable: list[int]) -> list[list[Span]]:
    """Every way to give each of these lenders at least one layer."""
    cuts = combinations(range(1, manifest.layers), len(usable) - 1)
    tilings = [[Span(*ends) for ends in pairwise((0, *inner, manifest.layers))] for inner in cuts]
    return [spans for spans in tilings if all(fits(manifest, s, size) for s, size in zip(spans, usable, strict=True))]


@given(models(), lent, st.integers(1, 4))
def test_the_plan_is_the_best_there_is(manifest, usable, stages):
    possible = all_tilings(manifest, usable[:stages]) if stages <= len(usable) else []
    if not possible:
        with pytest.raises(NoRoom):
            plan(manifest, lenders_of(usable), stages=stages, head_bytes=0)
        return
    assignments = plan(manifest, lenders_of(usable), stages=stages, head_bytes=0)
    spans = [assignment.span for assignment in assignments]
    assert spans in possible
    assert costliest(manifest, spans) == min(costliest(manifest, tiling) for tiling in possible)
    assert [(a.node, a.name) for a in assignments] == [(str(n), f"pc-{n}") for n in range(1, len(spans) + 1)]


EVEN = manifest_of([5] * 6, [10**9] * 6, [{n} for n in range(6)])


def test_even_layers_are_spread_evenly():
    assert [len(a.span) for a in plan(EVEN, lenders_of([10**11] * 3), stages=3, head_bytes=0)] == [2, 2, 2]


def test_a_small_pc_gets_what_it_can_hold():
    assert [len(a.span) for a in plan(EVEN, lenders_of([13 * 10**8, 10**10]), stages=2)] == [1, 5]


def test_too_little_memory_is_told_in_numbers():
    with pytest.raises(
        NoRoom, match=r"^The model needs 7\.5 GB and the first 2 PCs here lend 4\.0 GB\. Without a number"
    ):
        plan(EVEN, lenders_of([2 * 10**9] * 3), stages=2)


@pytest.mark.parametrize(("pcs", "stages"), [(2, 3), (8, 7)])
def test_more_stages_than_pcs_or_layers(pcs, stages):
    said = rf"^The model has 6 layers and {pcs} PCs are here; {stages} stages were asked for\."
    with pytest.raises(NoRoom, match=said):
        plan(EVEN, lenders_of([10**11] * pcs), stages=stages)


@pytest.mark.parametrize("layers_of_work", [2, 9])
def test_the_pc_that_also_drafts_gets_fewer_layers(layers_of_work) -> None:
    spans = plan(EVEN, lenders_of([10**11] * 3), stages=3, head_bytes=5 * layers_of_work)
    first, *others = (len(assignment.span) for assignment in spans)
    assert (first, sorted(others)) == (1, [2, 3])
