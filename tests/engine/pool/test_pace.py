"""The time left follows the network, not the moment."""

from __future__ import annotations

from idlepool.engine.pool.pace import Pace


def steady(pace: Pace, speed: int, *, first: int, seconds: int, done: int = 0) -> int:
    for second in range(first, first + seconds + 1):
        pace.note(done + speed * (second - first), float(second))
    return done + speed * seconds


def test_nothing_is_promised_before_there_is_something_to_go_by():
    pace = Pace()
    assert (pace.bytes_per_s(0.0), pace.seconds_left(10, 0.0)) == (0, -1)
    pace.note(0, 0.0)
    pace.note(50_000_000, 0.5)
    assert pace.seconds_left(50_000_000, 0.6) == -1


def test_what_is_left_is_told_at_the_speed_of_the_last_seconds():
    pace = Pace()
    done = steady(pace, 1000, first=0, seconds=60)
    assert (pace.bytes_per_s(60.0), pace.seconds_left(5000, 60.0)) == (1000, 5)
    steady(pace, 4000, first=60, seconds=20, done=done)
    assert pace.bytes_per_s(80.0) == 4000


def test_a_short_stall_changes_little_and_a_long_one_says_unknown():
    pace = Pace()
    steady(pace, 1000, first=0, seconds=20)
    assert 700 < pace.bytes_per_s(23.0) < 1000
    assert (pace.bytes_per_s(36.0), pace.seconds_left(5000, 36.0)) == (0, -1)


def test_what_lay_there_already_is_no_speed():
    pace = Pace()
    steady(pace, 1000, first=0, seconds=5, done=9_000_000)
    assert pace.bytes_per_s(5.0) == 1000


def test_beginning_anew_forgets_the_time_before():
    pace = Pace()
    steady(pace, 1000, first=0, seconds=10)
    steady(pace, 50, first=11, seconds=5)
    assert pace.bytes_per_s(16.0) == 50


def test_hours_of_sleep_are_no_slow_hours():
    pace = Pace()
    done = steady(pace, 1000, first=0, seconds=60)
    steady(pace, 1000, first=30_000, seconds=3, done=done)
    assert (pace.bytes_per_s(30_003.0), pace.seconds_left(5000, 30_003.0)) == (1000, 5)


def test_nothing_for_long_is_told_whether_it_is_asked_for_or_not():
    pace = Pace(100.0)
    assert (pace.silent_s(110.0), pace.silent_s(140.0)) == (0, 40)
    done = steady(pace, 1000, first=140, seconds=5)
    assert pace.silent_s(150.0) == 0
    steady(pace, 0, first=150, seconds=20, done=done)  # somebody looks, and it is always the same
    assert (pace.silent_s(170.0), pace.bytes_per_s(170.0)) == (25, 0)
