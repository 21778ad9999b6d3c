"""Where the planner knows how fast the PCs are, it foretells what is played."""

from __future__ import annotations

import numpy as np
import pytest

from idlepool.engine.pool.plan_costs import PlanDevice, PlanPc, Promise
from idlepool.engine.pool.plan_ways import Ways
from idlepool.engine.pool.planner import Task, plan_as_told
from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.simulation.machines import fleet
from idlepool.engine.simulation.pace import Pace
from idlepool.engine.types import Span

SHAPE = Shape()
MANIFEST = SHAPE.manifest()
SPANS = (Span(0, 20), Span(20, 50), Span(50, 80))
MACHINES = fleet(3, seed=4)
PACE = Pace(
    [
        (machine, sum(MANIFEST.layer_costs[layer] for layer in span))
        for machine, span in zip(MACHINES, SPANS, strict=True)
    ],
    SHAPE.row_bytes,
)


def planned(users, goal):
    pcs = [
        PlanPc(m.node, m.name, (PlanDevice(10**12, m.measured(MANIFEST.model, span, weights)),))
        for (m, weights), span in zip(PACE.stages, SPANS, strict=True)
    ]
    ms = np.array([machine.link_ms for machine in MACHINES])
    bytes_ms = np.array([machine.net_bytes_s / 1e3 for machine in MACHINES])
    ways = Ways(ms[:, None] + ms[None, :], np.minimum(bytes_ms[:, None], bytes_ms[None, :]))
    task = Task(MANIFEST, Promise(100, users, SHAPE.cache_bytes, SHAPE.row_bytes), goal)
    return plan_as_told(task, pcs, ways, spans=SPANS)


def test_the_planner_foretells_one_user():
    assert planned(1, "latency").round_ms == pytest.approx(PACE.token_ms(1, beside_prompt=False), rel=1e-3)


@pytest.mark.parametrize("users", [2, 3, 4, 9])
def test_and_several(users):
    tokens_per_second = 1000 * users / PACE.token_ms(users, beside_prompt=False)
    assert planned(users, "throughput").tokens_per_second == pytest.approx(tokens_per_second, rel=1e-2)


def test_a_prompt_makes_the_others_wait_and_is_slower_in_company():
    assert PACE.token_ms(2, beside_prompt=True) > 2 * PACE.token_ms(2, beside_prompt=False)
    assert PACE.prompt_ms(20_000, alone=False) > PACE.prompt_ms(20_000, alone=True) > PACE.prompt_ms(100, alone=True)
