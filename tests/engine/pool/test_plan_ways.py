"""What is known of the ways between PCs, from what each of them told."""

from __future__ import annotations

import numpy as np
import pytest

from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.pool.plan_ways import LINK_BYTES_MS, LINK_MS, SLOWEST_MS, Ways
from idlepool.engine.types import NodeId

A, B, C = map(NodeId, "abc")


def test_a_way_is_what_either_end_told_and_else_as_usual():
    ways = Ways.told([A, B, C], {A: [LinkTime("b", 3.0, 2e6)], C: [LinkTime("nobody", 9.0)], NodeId("d"): []})
    assert (ways.ms[0, 1], ways.ms[1, 0], ways.ms[0, 2]) == (3.0, 3.0, LINK_MS)
    assert (ways.bytes_ms[0, 1], ways.bytes_ms[1, 0], ways.bytes_ms[1, 2]) == (2000, 2000, LINK_BYTES_MS)


def test_of_two_measurements_the_less_disturbed_one_counts():
    ways = Ways.told([A, B], {A: [LinkTime("b", 3.0, 2e6)], B: [LinkTime("a", 5.0, 9e6)]})
    assert (ways.ms[0, 1], ways.bytes_ms[0, 1]) == (3.0, 9000)


def test_what_cannot_be_is_no_hindrance():
    odd = [LinkTime("b", float("inf"), 0.0), LinkTime("c", float("nan"), float("nan")), LinkTime("a", 7.0)]
    ways = Ways.told([A, B, C], {A: odd})
    assert np.isfinite(ways.hops(1000.0, hop_ms=0.1)).all()
    assert ways.hops(1000.0, hop_ms=0.1)[0, 0] == 0
    assert Ways.told([A, B], {A: [LinkTime("b", 1e300)]}).ms[0, 1] == SLOWEST_MS


def test_tensors_take_longer_the_larger_they_are_and_chosen_ids_weigh_nothing():
    hops = Ways.told([A, B, C], {A: [LinkTime("b", 2.0, 1e6)]}).hops(5000.0, hop_ms=0.5)
    assert hops[0, 1] == pytest.approx(2.0 + 0.5 + 5.0)
    assert hops[1, 0] == pytest.approx(2.0 + 0.5)
