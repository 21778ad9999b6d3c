"""Whether a played PC lends is what the real policy says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from simulated_office import BATTERY, IDLE, OFF, SIZES, USED, machine, moment

from idlepool.engine.simulation.played_pc import PlayedPc

NOON = 12 * 3600.0


def pc(mode="when_idle"):
    return PlayedPc(machine(1, gigabytes=8, mode=mode), moment(IDLE), SIZES)


def test_after_five_minutes_without_its_owner_it_lends():
    one = pc()
    one.stand(moment(USED, NOON))
    decision = one.judge(NOON)
    assert (decision.lends, decision.reason) == (False, "user active")
    one.stand(moment(IDLE, NOON + 60))
    assert not one.judge(NOON + 60 + 299).lends
    assert one.judge(NOON + 60 + 300).lends
    assert one.lends


@pytest.mark.parametrize(
    ("mode", "what", "reason"),
    [
        ("never", IDLE, "never"),
        ("when_idle", BATTERY, "on battery"),
        ("always", USED, "always"),
        ("when_idle", IDLE, "idle"),
    ],
)
def test_the_reason_is_told(mode, what, reason):
    one = pc(mode)
    one.stand(moment(what, NOON))
    assert one.judge(NOON).reason == reason


def test_an_owner_who_wants_peace_or_presents_gets_it():
    one = pc("always")
    one.stand(replace(moment(IDLE, NOON), snoozed_until_s=NOON + 3600))
    decision = one.judge(NOON)
    assert decision.reason == "snoozed"
    assert decision.until.hour == 13
    one.stand(replace(moment(IDLE, NOON), full_screen=True))
    assert one.judge(NOON).reason == "full-screen program"


def test_what_is_off_lends_nothing():
    one = pc()
    one.judge(NOON)
    assert one.lends
    one.stand(moment(OFF, NOON))
    assert one.judge(NOON) is None
    assert not one.lends
