"""An office of a played week looks like one: full by day, empty at night and at weekends, at lunch nobody types."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from random import Random

import pytest

from idlepool.engine.simulation.machines import Habit
from idlepool.engine.simulation.presence import DAY, HOUR, desk_times, moments, week_of

DAYS = 7
OFFICE = {
    habit: [moments(week_of(habit, DAYS, Random(f"{habit} {number}")), DAYS * DAY) for number in range(150)]
    for habit in Habit
}


def state_at(pc, time_s):
    return pc[bisect_right(pc, time_s, key=lambda moment: moment.at_s) - 1]


def share(habit, day, hour, what):
    found = [getattr(state_at(pc, day * DAY + hour * HOUR), what) for pc in OFFICE[habit]]
    return sum(found) / len(found)


@pytest.mark.parametrize("habit", list(Habit))
def test_a_pc_is_used_by_day_and_not_at_night(habit):
    assert share(habit, 1, 10.5, "used") > 0.4
    assert share(habit, 1, 3, "used") == 0
    assert share(habit, 1, 12.6, "used") < share(habit, 1, 10.5, "used") / 2
    assert share(habit, 5, 10.5, "used") < 0.1


def test_what_becomes_of_a_pc_in_the_evening_is_its_habit():
    assert share(Habit.LEFT_ON, 2, 23.5, "on") == pytest.approx(1, abs=0.03)
    assert 0.02 < share(Habit.SWITCHED_OFF, 2, 23.5, "on") < 0.3
    assert share(Habit.TAKEN_HOME, 2, 23.5, "on") == 0


def test_laptops_run_on_battery_in_meetings_alone():
    assert 0 < share(Habit.TAKEN_HOME, 3, 15, "battery") < 0.4
    assert share(Habit.SWITCHED_OFF, 3, 15, "battery") == 0


def test_moments_are_in_order_and_only_what_is_on_is_used():
    for pc in (pc for office in OFFICE.values() for pc in office):
        times = [moment.at_s for moment in pc]
        assert times == sorted(set(times))
        assert times[0] == 0
        assert all(moment.on for moment in pc if moment.used)
        assert all(first < last for first, last in desk_times(pc, DAYS * DAY))


def test_some_pcs_leave_without_a_word():
    leaving = [after for pc in OFFICE[Habit.TAKEN_HOME] for before, after in pairwise(pc) if before.on and not after.on]
    silent = sum(not moment.told for moment in leaving)
    assert 0 < silent < len(leaving) / 3
