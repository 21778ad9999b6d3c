"""Whether a PC lends: the order of the reasons, hours over midnight, what is unknown, snoozing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.pool.donation import (
    Decision,
    Facts,
    LendingRules,
    Reason,
    WeekHours,
    decide,
    sentence_of,
    words_of,
)

MONDAY = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NIGHTS = WeekHours(days=(0, 1, 2, 3, 4), first=18 * 60, last=8 * 60)
SATURDAY_ONLY = WeekHours(days=(5,), first=0, last=24 * 60)
GOOD = Facts(MONDAY, 3600.0, False, 100.0, False, frozenset({"editor"}), False, 50.0, 2**34, 2**32, 10**9, False)
"""Every fact known, none in the way."""

FORBIDDING: tuple[tuple[Reason, dict[str, Any], dict[str, Any], bool], ...] = (
    (Reason.NEVER, {"mode": "never"}, {}, False),
    (Reason.LEAVING, {}, {"leaving": True}, False),
    (Reason.SNOOZED, {}, {}, True),
    (Reason.ON_BATTERY, {}, {"on_battery": True}, False),
    (Reason.BATTERY_LOW, {"on_battery": True}, {"on_battery": True, "battery_percent": 39.9}, False),
    (Reason.METERED, {}, {"metered": True}, False),
    (Reason.OUTSIDE_HOURS, {"hours": (SATURDAY_ONLY,)}, {}, False),
    (Reason.IDLE_UNKNOWN, {}, {"idle_s": None}, False),
    (Reason.USER_ACTIVE, {}, {"idle_s": 299.0}, False),
    (Reason.PROGRAM, {"exclusive_programs": ("Editor.EXE",)}, {}, False),
    (Reason.FULL_SCREEN, {}, {"full_screen": True}, False),
    (Reason.TOO_HOT, {}, {"hottest_celsius": 95.5}, False),
    (Reason.MEMORY_CAP, {}, {"lent_bytes": 2**33 + 1}, False),
    (Reason.DISK_CAP, {"disk_bytes": 50 * 10**9}, {"disk_bytes": 51 * 10**9}, False),
)
"""For each reason in its order: the rules, the facts, and whether it is snoozed, that alone bring it about."""


def decided(*cases: tuple[Reason, dict[str, Any], dict[str, Any], bool]) -> Decision:
    rules, facts = LendingRules(), GOOD
    for _, changed_rules, changed_facts, _ in cases:
        rules = msgspec.structs.replace(rules, **changed_rules)
        facts = Facts(**{**{name: getattr(facts, name) for name in Facts.__slots__}, **changed_facts})
    snoozed = any(snoozes for *_, snoozes in cases)
    return decide(rules, facts, snoozed_until=MONDAY + timedelta(hours=1) if snoozed else None)


def idle(at: datetime, **facts: Any) -> Facts:
    return Facts(at, idle_s=3600.0, **facts)


def test_a_pc_that_nobody_uses_lends() -> None:
    assert decided() == Decision(True, Reason.IDLE)


@pytest.mark.parametrize("case", FORBIDDING, ids=lambda case: case[0].name)
def test_each_reason_alone_forbids_it(case: tuple[Reason, dict[str, Any], dict[str, Any], bool]) -> None:
    decision = decided(case)
    assert (decision.lends, decision.reason) == (False, case[0])


@given(st.sets(st.integers(0, len(FORBIDDING) - 1), min_size=1))
def test_of_several_reasons_the_first_in_the_documented_order_is_given(numbers: set[int]) -> None:
    cases = [FORBIDDING[number] for number in sorted(numbers)]
    order = list(Reason)
    # A case may lift what another one sets: a battery that is allowed, an idle time that is known.
    expected = {case[0] for case in cases}
    if Reason.BATTERY_LOW in expected:
        expected.discard(Reason.ON_BATTERY)
    if {Reason.IDLE_UNKNOWN, Reason.USER_ACTIVE} <= expected:
        expected.discard(Reason.IDLE_UNKNOWN)
    assert decided(*cases).reason == min(expected, key=order.index)


def test_the_order_of_the_table_is_that_of_the_reasons() -> None:
    assert [case[0] for case in FORBIDDING] == [reason for reason in Reason if reason not in ("idle", "always")]


def test_an_unknown_idle_time_counts_as_used_and_says_so() -> None:
    decision = decide(LendingRules(), Facts(MONDAY))
    assert not decision.lends
    assert sentence_of(decision) == "This PC lends nothing: whether somebody uses it cannot be found out."


def test_nothing_else_that_is_unknown_forbids_anything() -> None:
    assert decide(LendingRules(), idle(MONDAY)).lends


def test_always_lends_beside_its_user_but_keeps_the_other_rules() -> None:
    rules = LendingRules(mode="always")
    assert decide(rules, Facts(MONDAY, idle_s=0.0)) == Decision(True, Reason.ALWAYS)
    assert decide(rules, Facts(MONDAY)).lends
    assert decide(rules, Facts(MONDAY, on_battery=True)).reason == Reason.ON_BATTERY


def test_a_low_battery_does_not_matter_on_mains() -> None:
    assert decide(LendingRules(), idle(MONDAY, on_battery=False, battery_percent=3.0)).lends


@given(st.floats(0, 1e6), st.floats(0, 600))
def test_the_user_counts_as_here_for_exactly_the_idle_minutes(idle_s: float, minutes: float) -> None:
    decision = decide(LendingRules(idle_minutes=minutes), Facts(MONDAY, idle_s=idle_s))
    assert decision.lends == (idle_s >= 60 * minutes)
    if not decision.lends:
        assert decision.until is not None
        later = (decision.until - MONDAY).total_seconds()
        assert later == pytest.approx(60 * minutes - idle_s, abs=1e-5)


@given(st.integers(-10_000, 10_000))
def test_a_snooze_holds_until_its_end_and_not_longer(seconds: int) -> None:
    until = MONDAY + timedelta(seconds=seconds)
    decision = decide(LendingRules(), idle(MONDAY), snoozed_until=until)
    assert decision == (Decision(True, Reason.IDLE) if seconds <= 0 else Decision(False, Reason.SNOOZED, until))


@pytest.mark.parametrize(
    ("at", "lends"),
    [
        ("2026-11-30 07:59", False),  # Monday morning belongs to Sunday's night, which is not among the days
        ("2026-11-30 18:00", True),
        ("2026-12-01 00:00", True),
        ("2026-12-01 07:59", True),
        ("2026-12-01 08:00", False),
        ("2026-12-01 17:59", False),
        ("2026-12-05 07:59", True),  # Saturday morning belongs to Friday's night
        ("2026-12-05 18:00", False),
    ],
)
def test_hours_over_midnight_belong_to_the_day_they_begin(at: str, lends: bool) -> None:
    now = datetime.fromisoformat(at).replace(tzinfo=UTC)
    decision = decide(LendingRules(hours=(NIGHTS,)), idle(now))
    assert decision.lends == lends
    if not lends:
        assert decision.reason == Reason.OUTSIDE_HOURS
        assert decision.until is not None
        assert (decision.until.hour, decision.until.minute) == (18, 0)


week_hours = st.builds(
    WeekHours,
    days=st.sets(st.integers(0, 6), min_size=1).map(tuple),
    first=st.integers(0, 24 * 60 - 1),
    last=st.integers(0, 24 * 60),
)


@given(st.lists(week_hours, min_size=1, max_size=3), st.integers(0, 7 * 24 * 60 - 1))
def test_hours_begin_when_it_was_said_and_not_before(hours: list[WeekHours], minute: int) -> None:
    rules = LendingRules(hours=tuple(hours))
    now = MONDAY + timedelta(minutes=minute)
    decision = decide(rules, idle(now))
    if not decision.lends:
        assert decision.until is not None
        assert now < decision.until <= now + timedelta(days=7)
        assert decide(rules, idle(decision.until)).lends
        assert not decide(rules, idle(decision.until - timedelta(minutes=1))).lends


@given(week_hours)
def test_hours_last_as_long_as_they_say_in_a_week(hours: WeekHours) -> None:
    held = sum(hours.hold(MONDAY + timedelta(minutes=minute)) for minute in range(7 * 24 * 60))
    length = (hours.last - hours.first) % (24 * 60) or 24 * 60
    assert held == length * len(hours.days)


def test_rules_survive_their_file() -> None:
    rules = LendingRules(mode="always", hours=(NIGHTS,), exclusive_programs=("game",), idle_minutes=0.5)
    assert msgspec.json.decode(msgspec.json.encode(rules), type=LendingRules) == rules


@pytest.mark.parametrize("text", ['{"mode": "sometimes"}', '{"memory_share": 0}', '{"idle_minutes": -1}'])
def test_rules_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=LendingRules)


def test_every_reason_has_words() -> None:
    assert all(words_of(reason) for reason in Reason)
