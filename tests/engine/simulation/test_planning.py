"""The planner is asked only where something changed, and in a hurry it takes what is on the disks."""

from __future__ import annotations

import pytest
from simulated_office import IDLE, MANIFEST, SHAPE, SIZES, machine, moment

from idlepool.engine.errors import NoRoom
from idlepool.engine.simulation.planning import Planning
from idlepool.engine.simulation.played_pc import PlayedPc


def pcs(*gigabytes):
    machines = [machine(number, gigabytes=each, has_model=number == 0) for number, each in enumerate(gigabytes)]
    return [PlayedPc(each, moment(IDLE), SIZES) for each in machines]


def test_nothing_is_planned_twice():
    planning, office = Planning(SHAPE, MANIFEST), pcs(5, 5, 5)
    plan = planning.plan(office)
    assert planning.plan(office) is plan
    assert planning.asked == 1
    office[1].disk.add(3, needed={3})
    planning.plan(office)
    assert planning.asked == 2


def test_the_stages_are_all_layers_within_what_each_lends():
    plan = Planning(SHAPE, MANIFEST).plan(pcs(5, 4, 4, 4))
    assert [layer for stage in plan.stages for layer in stage.span] == list(range(SHAPE.layers))
    assert all(sum(SIZES.bytes[layer] for layer in stage.span) < stage.pc.machine.usable_bytes for stage in plan.stages)
    assert plan.room.tokens >= 8192  # what is promised


def test_in_a_hurry_what_is_on_a_disk_goes_first():
    planning, office = Planning(SHAPE, MANIFEST), pcs(5, 6, 5.9)
    unhurried = planning.plan(office).stages[1]
    (other,) = set(office[1:]) - {unhurried.pc}
    for layer in unhurried.span:
        other.disk.add(layer, needed=set(unhurried.span))
    assert planning.plan(office, hurried=True).stages[1].pc is other


def test_what_cannot_be_is_known_without_the_planner_only_where_that_is_sure():
    planning = Planning(SHAPE, MANIFEST)
    assert planning.hopeless(pcs(3, 3))
    assert not planning.hopeless(pcs(5, 5))
    with pytest.raises(NoRoom):
        planning.plan(pcs(3, 3))
