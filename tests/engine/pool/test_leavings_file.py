"""What is known of PCs that leave outlives the program."""

from __future__ import annotations

from typing import NoReturn

from idlepool.engine.pool.leavings_file import FILE, LONGEST_HOURS, MAX_NODES, read_stays, write_stays
from idlepool.engine.pool.standby import Leavings, Stay
from idlepool.engine.pool.warming import Warming, WarmingServices
from idlepool.engine.types import NodeId

RESTLESS, STEADY = NodeId("a" * 64), NodeId("b" * 64)


def test_a_pc_that_left_is_known_for_it_after_a_restart(tmp_path):
    leavings = Leavings()
    leavings.here([RESTLESS, STEADY], 0.0)
    leavings.left(RESTLESS)
    write_stays(tmp_path, leavings.stays(7200.0))
    again = Leavings(read_stays(tmp_path))
    assert again.per_hour(RESTLESS, 0.0) == leavings.per_hour(RESTLESS, 7200.0) == 2 * again.per_hour(STEADY, 0.0)


def test_old_habits_count_less_and_less(tmp_path):
    write_stays(tmp_path, {RESTLESS: Stay(10 * LONGEST_HOURS, 100)})
    assert read_stays(tmp_path) == {RESTLESS: Stay(LONGEST_HOURS, 10)}


def test_the_list_stays_short_and_whoever_was_seen_last_is_kept(tmp_path):
    stays = {NodeId(f"{number:064x}"): Stay(1.0, 0) for number in range(MAX_NODES + 10)}
    write_stays(tmp_path, stays)
    kept = list(read_stays(tmp_path))
    assert kept == list(stays)[10:]


def test_a_damaged_list_is_no_trouble(tmp_path):
    for rubbish in (b"", b"[1]", b'{"a": {"hours": -1, "times": 3}}', b"[" * 100_000):
        (tmp_path / FILE).write_bytes(rubbish)
        assert read_stays(tmp_path) == {}


def test_a_folder_that_is_gone_is_no_trouble(tmp_path):
    write_stays(tmp_path / "gone", {STEADY: Stay(1.0, 0)})


async def test_a_node_that_could_not_start_loses_nothing_of_it(tmp_path):
    def never(*_: object) -> NoReturn:
        raise AssertionError

    write_stays(tmp_path, {RESTLESS: Stay(1.0, 3)})
    await Warming(WarmingServices(STEADY, never, never, never, tmp_path)).close()
    assert read_stays(tmp_path) == {RESTLESS: Stay(1.0, 3)}
