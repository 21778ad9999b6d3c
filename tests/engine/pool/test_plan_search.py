"""The search against all chains there are: never worse up to 8 PCs, hardly beyond."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.pool.plan_search import Chain, Costs, cheapest, evenest, evenest_in_this_order, in_this_order


def all_chains(pcs: int, layers: int) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    for count in range(1, min(pcs, layers) + 1):
        for others in permutations(range(1, pcs), count - 1):
            for cuts in combinations(range(1, layers), count - 1):
                yield (0, *others), tuple(pairwise((0, *cuts, layers)))


def sum_and_most(costs: Costs, pcs, spans) -> tuple[float, float]:
    """What all spans and links cost together, and the costliest span."""
    each = [float(costs.spans[pc][span]) for pc, span in zip(pcs, spans, strict=True)]
    links = sum(float(costs.links[way]) for way in pairwise((*pcs, 0)))
    return sum(each) + links, max(each)


def found(costs: Costs, chain: Chain) -> tuple[float, float]:
    """As `sum_and_most`, of a chain that was found; its spans tile the model and no PC is in it twice."""
    if not chain.pcs:
        return np.inf, np.inf
    assert chain.pcs[0] == 0
    assert len(set(chain.pcs)) == len(chain.pcs) == len(chain.spans)
    assert [layer for span in chain.spans for layer in span] == list(range(costs.layers))
    return sum_and_most(costs, chain.pcs, [(span.first, span.last) for span in chain.spans])


def random_costs(random: np.random.Generator, pcs: int, layers: int, *, links_ms: float, room: float) -> Costs:
    """PCs of different speeds that hold about `room` layers each, with links of up to `links_ms`."""
    weights = np.concatenate([[0], np.cumsum(random.uniform(0.8, 1.2, layers))])
    spans = weights[None, :] - weights[:, None]
    hold = random.uniform(0.5, 1.5, pcs)[:, None, None] * room
    speeds = random.uniform(0.5, 3, pcs)[:, None, None]
    links = random.uniform(0.2, links_ms, (pcs, pcs))
    np.fill_diagonal(links, 0)
    return Costs(np.where((spans > 0) & (spans <= hold), speeds * spans, np.inf), links)


@st.composite
def some_costs(draw: st.DrawFn) -> Costs:
    """Any costs, with nothing regular about them."""
    pcs, layers = draw(st.sampled_from([(1, 3), (2, 7), (3, 6), (4, 5), (8, 3), (8, 4)]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spans = random.integers(1, draw(st.sampled_from([3, 30])), (pcs, layers + 1, layers + 1)).astype(float)
    impossible = random.random(spans.shape) < draw(st.sampled_from([0.0, 0.3, 0.7]))
    widths = np.arange(layers + 1)[None, :] - np.arange(layers + 1)[:, None]
    spans[impossible | (widths <= 0)] = np.inf
    links = random.integers(0, 9, (pcs, pcs)).astype(float)
    np.fill_diagonal(links, 0)
    return Costs(spans, links)


@given(some_costs())
@settings(deadline=None)
def test_up_to_eight_pcs_no_chain_is_better(costs):
    possible = [sum_and_most(costs, *chain) for chain in all_chains(costs.pcs, costs.layers)]
    together, _ = found(costs, cheapest(costs))
    assert together == min(together for together, _ in possible)
    together, most = found(costs, evenest(costs))
    assert (most, together) == min((most, together) for together, most in possible)


@given(some_costs())
@settings(deadline=None)
def test_in_a_given_order_no_tiling_is_better(costs):
    everyone = tuple(range(costs.pcs))
    possible = [
        sum_and_most(costs, pcs, spans) for pcs, spans in all_chains(costs.pcs, costs.layers) if pcs == everyone
    ]
    together, _ = found(costs, in_this_order(costs))
    assert together == min((together for together, _ in possible), default=np.inf)
    together, most = found(costs, evenest_in_this_order(costs))
    best = min(((most, together) for together, most in possible), default=(np.inf, np.inf))
    assert (most, together) == best


@pytest.mark.parametrize("links_ms", [1.0, 5.0])
@pytest.mark.parametrize("room", [1.2, 1.8, 4.0])
def test_twelve_pcs_are_planned_within_a_twentieth_of_the_best(links_ms, room):
    for seed in range(4):
        costs = random_costs(np.random.default_rng(seed), 12, 5, links_ms=links_ms, room=room)
        possible = [sum_and_most(costs, *chain) for chain in all_chains(12, 5)]
        together, _ = found(costs, cheapest(costs))
        assert together <= 1.05 * min(together for together, _ in possible)
        _, most = found(costs, evenest(costs))
        assert most <= 1.05 * min(most for _, most in possible)


def test_the_one_pc_of_sixteen_that_holds_the_large_last_layer_comes_last():
    """All the others are needed too: nobody has room for a layer more."""
    weights = np.concatenate([np.arange(31), [33.5]])
    spans = np.where(weights[None, :] > weights[:, None], weights[None, :] - weights[:, None], np.inf)
    hold = np.array([2.0] * 7 + [3.5] + [2.0] * 8)[:, None, None]
    chain = cheapest(Costs(np.where(spans <= hold, spans, np.inf), np.zeros((16, 16))))
    assert (chain.pcs[0], chain.pcs[-1], len(chain.pcs)) == (0, 7, 16)
