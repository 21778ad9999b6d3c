"""Means count how long something lasted, and quantiles are values that were there."""

from __future__ import annotations

import pytest

from idlepool.engine.simulation.figures import Figures, Standing


def standing(at_s, lending, *, possible=True):
    return Standing(at_s, on=10, lending=lending, possible=possible, ready=False)


def test_a_state_counts_as_long_as_it_lasts():
    figures = Figures()
    for each in (standing(0.0, 99), standing(0.0, 0), standing(2700.0, 8, possible=False)):
        figures.stand(each)
    found = figures.report(3600.0)
    assert found["lending"] == {"mean": 2.0, "least": 0, "most": 8}
    assert found["availability"] == 0.75
    assert found["series"]["lending"] == [0, 0, 0, 0, 4, 8]
    assert found["series"]["availability"] == [1, 1, 1, 1, 0.5, 0]


@pytest.mark.parametrize(
    ("values", "p50", "p95", "most"), [([], None, None, None), ([3.0], 3, 3, 3), (list(range(1, 101)), 50, 95, 100)]
)
def test_quantiles(values, p50, p95, most):
    figures = Figures(pauses_s=values)
    figures.stand(standing(0.0, 0))
    assert figures.report(60.0)["pauses_s"] == {"count": len(values), "p50": p50, "p95": p95, "most": most}


def test_the_first_pipeline_is_no_replan():
    figures = Figures(opened_s=[10.0, 20.0, 4000.0])
    figures.stand(standing(0.0, 0))
    found = figures.report(7200.0)
    assert found["replans"] == 2
    assert found["series"]["replans_each_hour"] == [1, 1]
