"""Of many PCs those are planned with that make a plan hardly worse than all would."""

from __future__ import annotations

import numpy as np
import pytest

from idlepool.engine.pool.plan_search import Costs, cheapest, evenest
from idlepool.engine.pool.plan_shortlist import shortlist


def office(seed: int, pcs: int, layers: int, *, room: float, links_ms: float) -> Costs:
    """PCs of different speeds that hold about `room` layers each; links that belong to the PCs at both ends."""
    chance = np.random.default_rng(seed)
    weights = np.concatenate([[0], np.cumsum(chance.uniform(0.8, 1.2, layers))])
    spans = weights[None, :] - weights[:, None]
    hold = chance.uniform(0.5, 1.5, pcs)[:, None, None] * room
    speeds = chance.uniform(0.5, 3, pcs)[:, None, None]
    costs = np.where((spans > 0) & (spans <= hold), spans * speeds, np.inf)
    own = chance.uniform(0.1, links_ms / 2, pcs)
    links = own[:, None] + own[None, :]
    np.fill_diagonal(links, 0)
    return Costs(costs, links)


def costliest(costs: Costs) -> float:
    """The costliest span of the chain in which it is cheapest."""
    chain = evenest(costs)
    return max(costs.spans[pc, span.first, span.last] for pc, span in zip(chain.pcs, chain.spans, strict=True))


@pytest.mark.parametrize("links_ms", [1.0, 5.0])
@pytest.mark.parametrize("room", [3.0, 5.0, 12.0])
def test_eight_of_twelve_are_planned_within_a_twentieth_of_all(links_ms, room):
    for seed in range(20):
        costs = office(seed, 12, 16, room=room, links_ms=links_ms)
        some = shortlist(costs, 8)
        assert some[0] == 0
        assert len(set(some)) == len(some) >= 8
        assert cheapest(costs.only(some)).cost <= 1.05 * cheapest(costs).cost


def test_as_many_as_are_needed_are_taken():
    costs = office(1, 30, 25, room=5.0, links_ms=1.0)
    widths = np.arange(26)[None, :] - np.arange(26)[:, None]
    costs.spans[:, widths > 1] = np.inf
    some = shortlist(costs, 8)
    assert len(some) == 25
    assert len(cheapest(costs.only(some)).pcs) == 25


def test_of_few_all_are_taken_and_who_can_run_nothing_is_not():
    costs = office(2, 12, 16, room=5.0, links_ms=1.0)
    assert shortlist(costs, 12) == list(range(12))
    costs.spans[5] = np.inf
    assert 5 not in shortlist(costs, 8)
    costs.spans[:] = np.inf
    assert shortlist(costs, 8) == [0]


def test_where_stages_work_side_by_side_the_shortlist_is_about_as_good_as_its_size():
    for seed in range(5):
        costs = office(seed, 12, 16, room=12.0, links_ms=1.0)
        some = costs.only(shortlist(costs, 8))
        assert costliest(some) <= 1.5 * costliest(costs)
