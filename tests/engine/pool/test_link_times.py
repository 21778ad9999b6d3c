"""What counts of a link's round trips, and what of it is news."""

from __future__ import annotations

import pytest

from idlepool.engine.pool.link_times import EVERY_BEATS, FIRST_PINGS, KEPT, LEAST_KNOWN, LinkTiming


class Clock:
    """A time that stands still until it is put on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Played:
    """A link whose pings come back after so long."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.timing = LinkTiming(self.clock)

    def beat(self, trip_ms: float) -> bool:
        """A heartbeat; whether there was a ping after it."""
        ping = self.timing.due()
        if ping is not None:
            self.clock.now += trip_ms / 1000
            self.timing.answered(ping.number)
        return ping is not None

    def measure(self, *trips_ms: float) -> None:
        for trip_ms in trips_ms:
            while not self.beat(trip_ms):
                pass


def test_a_way_is_known_after_some_round_trips_and_a_disturbed_one_does_not_count():
    played = Played()
    played.measure(*[4.0] * (LEAST_KNOWN - 1))
    assert played.timing.ms == 0
    played.measure(900.0)
    assert played.timing.ms == pytest.approx(2.0)


def test_a_new_link_is_measured_soon_and_then_now_and_then():
    played = Played()
    pings = [played.beat(1.0) for _ in range(FIRST_PINGS + 3 * EVERY_BEATS)]
    assert pings[:FIRST_PINGS] == [True] * FIRST_PINGS
    assert sum(pings[FIRST_PINGS:]) == 3


def test_a_way_that_became_longer_is_known_when_most_round_trips_show_it():
    played = Played()
    played.measure(*[2.0] * KEPT, *[20.0] * (KEPT // 2))
    assert played.timing.ms == pytest.approx(1.0)
    played.measure(20.0)
    assert played.timing.ms == pytest.approx(10.0)


def test_an_answer_to_nothing_or_to_an_older_ping_is_no_round_trip():
    clock = Clock()
    timing = LinkTiming(clock)
    timing.answered(0)
    timing.answered(1)
    first = [timing.due() for _ in range(FIRST_PINGS)]
    for ping in first[:-1]:
        timing.answered(ping.number)
    for _ in range(LEAST_KNOWN):
        timing.answered(first[-1].number)
    assert timing.ms == 0


def test_only_what_changes_a_plan_is_news():
    played = Played()
    assert not played.timing.take_news()
    played.measure(*[4.0] * KEPT)
    assert played.timing.take_news()
    assert not played.timing.take_news()
    played.measure(*[4.6] * KEPT)
    assert not played.timing.take_news()
    played.measure(*[5.2] * KEPT)
    assert played.timing.take_news()
    played.timing.bytes_per_s = 1e8
    assert played.timing.take_news()
    played.timing.bytes_per_s = 1.1e8
    assert not played.timing.take_news()
