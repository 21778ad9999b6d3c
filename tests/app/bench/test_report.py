"""From rounds to figures: ratios are taken within a round, and what was not measured is not made up."""

from __future__ import annotations

import dataclasses

import pytest

from idlepool.app.bench.measure import Measured, SecondTurn
from idlepool.app.bench.pool import Setup
from idlepool.app.bench.report import Findings, report, table
from idlepool.app.bench.rows import QUICK, Row

PLAIN = Measured(
    tokens_per_second=10.0,
    to_reference=1.0,
    steady=True,
    tokens=100,
    drafted=0,
    accepted=0,
    frames=104,
    head_ms_per_step=0.25,
    round_trip_ms=12.0,
    head_processor_ms_per_token=0.5,
    busy=(0.9, 0.8),
)
SCALE = dataclasses.replace(QUICK, delays_ms=(0.0, 10.0))


def measured(speed, **changes):
    return dataclasses.replace(PLAIN, tokens_per_second=speed, **changes)


def found(rows, **others):
    return report(Findings(rows, **others), SCALE, Setup(2, (4, 5)), "starter")


def test_ratios_are_medians_of_the_rounds_own_ratios():
    """The machine was half as fast in one round and twice as fast in another; the ratio is the same in each."""
    plain, reproducible = Row(1), Row(1, reproducible=True)
    speeds = (100.0, 50.0, 200.0)
    told = found({plain: [measured(s) for s in speeds], reproducible: [measured(0.8 * s) for s in speeds]})
    assert told["reproducible_price"] == {"1": 0.8}
    assert told["rows"][0]["tokens_per_second"] == 100.0


def test_what_was_not_measured_is_null():
    told = found({Row(1): [PLAIN]})
    assert told["rows"][0]["acceptance"] is None
    assert told["reproducible_price"] == {"1": None}
    assert told["second_turn"]["ratio"] is None
    assert [delay["two_users_to_plain_loop"] for delay in told["delays"]] == [None, None]
    assert "-" in table(told)


def test_tokens_a_round_trip_stand_beside_what_the_acceptance_allows():
    """Half of the drafts are right: two tokens a trip at best; the plain loop has one."""
    rows = {
        Row(1, delay_ms=10.0): [measured(5.0)],
        Row(1, everything=True, delay_ms=10.0): [measured(9.0, drafted=40, accepted=20)],
        Row(2, everything=True, delay_ms=10.0): [measured(17.5)],
    }
    delay = found(rows)["delays"][1]
    assert delay["tokens_per_round_trip"] == pytest.approx(1.8)
    assert delay["bound"] == 2.0
    assert delay["to_bound"] == pytest.approx(0.9)
    assert delay["two_users_to_plain_loop"] == pytest.approx(3.5)


def test_tokens_a_step_follow_from_what_was_accepted():
    assert measured(1.0, tokens=30, drafted=40, accepted=20).tokens_per_step == 3.0


def test_the_table_says_what_a_reader_must_know():
    rows = {Row(2, everything=True): [measured(80.0, steady=False, drafted=8, accepted=6, to_reference=1.9)]}
    said = table(found(rows, turns=[SecondTurn(1530, 900.0, 90.0)], reference=[110.0, 112.0, 111.0]))
    assert "2 users, everything on *" in said
    assert "0.75" in said
    assert "OpenVINO GenAI, one user on one core: 111 tokens/s" in said
    assert "Second turn after 1530 tokens: first token after 90 ms, 0.1 of a cold prefill (900 ms)" in said
    assert "Drafts: " in said


def test_a_system_that_pins_nothing_is_named():
    told = report(Findings(), SCALE, Setup(2, ()), "starter")
    assert told["cores"] == [None, None]
    assert "does not pin" in table(told)
    assert "does not pin" not in table(found({}))
