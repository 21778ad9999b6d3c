"""A burst goes through at once, more only as time passes, and no more than a burst is ever saved up."""

from __future__ import annotations

from idlepool.engine.net.allowance import Allowance


def test_a_burst_and_then_the_rate():
    now = 0.0
    allowance = Allowance(2.0, burst=3, clock=lambda: now)
    assert [allowance.take() for _ in range(5)] == [True, True, True, False, False]
    now = 0.5
    assert [allowance.take() for _ in range(2)] == [True, False]
    now = 100.0
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
