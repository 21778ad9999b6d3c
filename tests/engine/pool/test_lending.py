"""Lending watches the PC and tells when to stop: at once for its owner, and for nothing that is over in a moment."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from played_pool import until

from idlepool.engine.lending_rules import LendingRules
from idlepool.engine.machine.machine import Conditions
from idlepool.engine.pool import lending as lending_module
from idlepool.engine.pool.donation import Decision, Reason
from idlepool.engine.pool.lending import DEADLINE_NOW_S, DEADLINE_S, Lending, Use
from idlepool.engine.pool.lending_file import FILE, KeptLending, RulesUnreadable, read_lending, take_lending

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@dataclass
class PlayedPc:
    """A PC whose owner, power and programs are what a test says."""

    idle_s: float | None = 3600.0
    told: Conditions = field(default_factory=Conditions)
    use: Use = field(default_factory=Use)
    fetched_bytes: int = 0
    now: datetime = NOON
    changes: list[tuple[Decision, float]] = field(default_factory=list)
    asked_programs: list[bool] = field(default_factory=list)
    blocked_s: float = 0.0
    fails: bool = False
    may_answer: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    def seconds(self) -> float | None:
        self.may_answer.wait(20)
        if self.fails:
            raise RuntimeError("nobody expected this")
        return self.idle_s

    def conditions(self, *, programs: bool) -> Conditions:
        time.sleep(self.blocked_s)
        self.asked_programs.append(programs)
        return self.told

    async def on_change(self, decision: Decision, deadline_s: float) -> None:
        self.changes.append((decision, deadline_s))

    @property
    def reasons(self) -> list[Reason]:
        return [decision.reason for decision, _ in self.changes]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lending_module, "POLL_S", 0.01)
    monkeypatch.setattr(lending_module, "CONDITIONS_S", 0.01)
    monkeypatch.setattr(lending_module, "SETTLE_S", 0.0)


@contextlib.asynccontextmanager
async def lending(root: Path, pc: PlayedPc, rules: LendingRules | None = None) -> AsyncIterator[Lending]:
    made = Lending(
        root,
        KeptLending(rules or LendingRules()),
        idle=pc,
        machine=pc,
        use=lambda: pc.use,
        fetched_bytes=lambda: pc.fetched_bytes,
        on_change=pc.on_change,
        now=lambda: pc.now,
    )
    await made.start()
    try:
        yield made
    finally:
        await made.close()


async def test_it_says_at_once_how_it_is(tmp_path: Path) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        assert made.decision.lends
    assert pc.changes == [(Decision(True, Reason.IDLE), DEADLINE_S)]


async def test_the_owner_s_return_and_leave_are_noticed(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        pc.idle_s = 0.0
        await until(lambda: not made.decision.lends)
        pc.idle_s = 3600.0
        await until(lambda: made.decision.lends)
        pc.idle_s = None
        await until(lambda: not made.decision.lends)
    assert pc.reasons == [Reason.IDLE, Reason.USER_ACTIVE, Reason.IDLE, Reason.IDLE_UNKNOWN]


async def test_while_it_serves_it_looks_many_times_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lending_module, "POLL_S", 3600.0)
    pc = PlayedPc(use=Use(serving=True))
    async with lending(tmp_path, pc) as made:
        pc.idle_s = 0.0
        await until(lambda: not made.decision.lends)


async def test_slow_answers_about_the_rest_do_not_hold_up_the_owner(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        pc.blocked_s = 3.0
        await until(lambda: len(pc.asked_programs) >= 1)
        await asyncio.sleep(0.05)
        asked = len(pc.asked_programs)
        pc.idle_s = 0.0
        await until(lambda: not made.decision.lends)
        assert len(pc.asked_programs) == asked


async def test_whoever_does_not_answer_about_the_owner_knows_nothing(
    tmp_path: Path, soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lending_module, "ANSWER_S", 0.2)
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        pc.may_answer.clear()
        await until(lambda: made.decision.reason == Reason.IDLE_UNKNOWN)
        pc.may_answer.set()
        await until(lambda: made.decision.lends)


async def test_a_source_that_fails_knows_nothing_until_it_works_again(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        pc.fails = True
        await until(lambda: made.decision.reason == Reason.IDLE_UNKNOWN)
        pc.fails = False
        await until(lambda: made.decision.lends)
    pc.fails = True
    async with lending(tmp_path, pc) as made:
        assert made.decision.reason == Reason.IDLE_UNKNOWN


async def test_power_network_screen_and_heat_are_watched(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        for told, reason in (
            (Conditions(on_battery=True), Reason.ON_BATTERY),
            (Conditions(metered=True), Reason.METERED),
            (Conditions(full_screen=True), Reason.FULL_SCREEN),
            (Conditions(hottest_celsius=99.0), Reason.TOO_HOT),
        ):
            pc.told = told
            await until(lambda reason=reason: made.decision.reason == reason)


async def test_programs_are_looked_for_only_where_the_rules_name_some(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc(told=Conditions(programs=frozenset({"Game.exe"})))
    async with lending(tmp_path, pc) as made:
        await until(lambda: len(pc.asked_programs) > 2)
        assert not any(pc.asked_programs)
        await made.set_rules(LendingRules(exclusive_programs=("game",)))
        await until(lambda: made.decision.reason == Reason.PROGRAM)


async def test_a_game_that_is_left_for_a_moment_is_not_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lending_module, "POLL_S", 0.01)
    monkeypatch.setattr(lending_module, "CONDITIONS_S", 0.01)
    pc = PlayedPc(told=Conditions(full_screen=True))
    async with lending(tmp_path, pc) as made:
        asked = len(pc.asked_programs)
        pc.told = Conditions(full_screen=False)
        await until(lambda: len(pc.asked_programs) > asked + 3)
        assert made.decision == Decision(False, Reason.FULL_SCREEN)
        await made.set_rules(made.rules)  # the owner has a look himself
        assert made.decision.lends


async def test_the_memory_that_others_have_is_measured_at_their_processes(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc, LendingRules(memory_share=1e-6)) as made:
        assert made.decision.lends
        pc.use = Use(serving=True, pids=frozenset({os.getpid()}))
        await until(lambda: made.decision.reason == Reason.MEMORY_CAP)


async def test_the_disk_that_others_have_is_looked_at(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc(fetched_bytes=10**9)
    async with lending(tmp_path, pc, LendingRules(disk_bytes=10**9)) as made:
        assert made.decision.lends
        pc.fetched_bytes += 1
        await until(lambda: made.decision.reason == Reason.DISK_CAP)


async def test_a_snooze_outlasts_a_restart(tmp_path: Path) -> None:
    async with lending(tmp_path, PlayedPc()) as made:
        await made.snooze(NOON + timedelta(hours=1))
    async with lending(tmp_path, PlayedPc()) as made:
        assert made.decision == Decision(False, Reason.SNOOZED, NOON + timedelta(hours=1))


async def test_a_snooze_is_kept_and_ends_by_itself(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        await made.snooze(NOON + timedelta(hours=1))
        assert made.decision == Decision(False, Reason.SNOOZED, NOON + timedelta(hours=1))
        kept = read_lending(tmp_path)
        assert kept.snoozed_until == NOON + timedelta(hours=1)
        pc.now = NOON + timedelta(hours=1)
        await until(lambda: made.decision.lends)
        await made.snooze(NOON + timedelta(hours=2))
        assert not made.decision.lends
        await made.snooze(None)
        assert made.decision.lends
    assert read_lending(tmp_path).snoozed_until is None


async def test_stop_now_wants_the_memory_back_at_once_and_for_an_hour(tmp_path: Path) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        await made.stop_now()
        decision, deadline_s = pc.changes[-1]
    assert deadline_s == DEADLINE_NOW_S
    assert decision == Decision(False, Reason.SNOOZED, NOON + timedelta(hours=1))


async def test_stop_now_hurries_also_where_the_pc_gives_back_already(tmp_path: Path, soon: None) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        pc.idle_s = 0.0
        await until(lambda: Reason.USER_ACTIVE in pc.reasons)
        await made.stop_now()
    assert pc.changes[-1][1] == DEADLINE_NOW_S


async def test_a_pc_that_goes_to_sleep_has_told_when_it_is_asked_to(tmp_path: Path) -> None:
    pc = PlayedPc()
    async with lending(tmp_path, pc) as made:
        await made.leave(True)
        assert pc.changes[-1] == (Decision(False, Reason.LEAVING), DEADLINE_NOW_S)
        await made.leave(False)
        assert made.decision.lends


async def test_rules_hold_at_once_and_after_a_restart(tmp_path: Path) -> None:
    pc = PlayedPc()
    rules = LendingRules(mode="never", memory_share=0.25)
    async with lending(tmp_path, pc) as made:
        await made.set_rules(rules)
        assert made.decision.reason == Reason.NEVER
    assert read_lending(tmp_path).rules == rules


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert read_lending(tmp_path) == KeptLending()
    assert (LendingRules().mode, LendingRules().idle_minutes, LendingRules().memory_share) == ("when_idle", 5, 0.5)


@pytest.mark.parametrize(
    "text", ["", "{", '{"rules": {"mode": "often"}}', '{"snoozed_until": "2026-11-30T12:00:00"}', "[" * 100_000]
)
def test_a_damaged_file_says_so_and_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(RulesUnreadable, match="cannot be read") as caught:
        read_lending(tmp_path)
    assert "idlepool lend" in caught.value.hint


def test_a_node_that_starts_with_a_damaged_file_lends_nothing_keeps_it_aside_and_says_so(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"rules": {"mode": "nev')
    kept, problem = take_lending(tmp_path)
    assert kept.rules == LendingRules(mode="never")
    assert "lending.json.broken" in problem
    assert (tmp_path / "lending.json.broken").read_text() == '{"rules": {"mode": "nev'
    assert take_lending(tmp_path) == (kept, ""), "also after the next start"
    (tmp_path / FILE).write_text("damaged once more")
    assert "lending.json.broken-2" in take_lending(tmp_path)[1]
    assert (tmp_path / "lending.json.broken").read_text() == '{"rules": {"mode": "nev'
