"""The benchmark as somebody runs it: real nodes, figures that hang together, and nothing left of it."""

from __future__ import annotations

import json
import signal
import sys
import time

import pytest

pytestmark = pytest.mark.model

signals = pytest.mark.skipif(sys.platform == "win32", reason="a child's Ctrl+C cannot be typed from outside there")


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_quick_run_measures_every_row(run, starter_home, tmp_path):
    plot = tmp_path / "plot.png"
    bench = run("bench", "pipeline", "--quick", "--json", "--delay-ms", "0,30", "--plot", str(plot), home=starter_home)
    while bench.read():
        pass  # as long as it takes on a machine that does something else as well
    assert bench.finish() == 0, bench.error
    assert bench.out.count("\n") == 1
    report = json.loads(bench.out)
    assert report["stages"] == 2
    assert report["draft"] == "lookup"
    assert report["genai_tokens_per_second"] > 0
    rows = {row["row"]: row for row in report["rows"]}
    assert {"1 user, plain", "2 users, plain", "2 users, everything on", "1 user, plain, reproducible"} <= rows.keys()
    assert all(row["tokens_per_second"] > 0 and row["to_genai"] > 0 for row in rows.values())
    assert all(row["steady"] for row in rows.values())
    assert all(len(row["busy"]) == 2 for row in rows.values())
    assert all(row["head_ms_per_step"] > 0 for row in rows.values())
    slow = [row for row in rows.values() if row["delay_ms"] == 30]
    assert {(row["users"], row["everything"]) for row in slow} == {(1, False), (1, True), (2, True)}
    assert all(row["round_trip_ms"] >= 2 * 30 for row in slow)
    assert [delay["delay_ms"] for delay in report["delays"]] == [0, 30]
    assert report["prediction"] > 0
    assert report["second_turn"]["second_ms"] < report["second_turn"]["cold_ms"]
    assert plot.stat().st_size > 0
    assert "Traceback" not in bench.error
    wait_until(lambda: bench.processes() == [])


@signals
def test_ctrl_c_leaves_nothing(run, starter_home):
    bench = run("bench", "pipeline", "--quick", home=starter_home)
    wait_until(lambda: bench.processes("--name", "pc-2"))
    bench.send_signal(signal.SIGINT)
    assert bench.finish() == 130
    assert bench.out == ""
    assert "Traceback" not in bench.error
    wait_until(lambda: bench.processes() == [])


def test_a_pc_that_dies_is_told_in_a_sentence(run, starter_home):
    bench = run("bench", "pipeline", "--quick", home=starter_home)
    wait_until(lambda: bench.processes("--name", "pc-2"))
    bench.processes("--name", "pc-1")[0].kill()
    assert bench.finish() == 1
    assert "idlepool: The node process ended" in bench.error
    assert "Traceback" not in bench.error, bench.error
    wait_until(lambda: bench.processes() == [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--delay-ms", "fast"), "it must be milliseconds, parted by commas"),
        (("--delay-ms", "-1"), "it must be milliseconds, parted by commas"),
        (("--stages", "7"), "--stages: it must be a whole number, from 1 to 6, not 7"),
        (("--plot", "no/such/folder/plot.png"), "there is no such folder"),
        (("--plot", "plot.jpg"), "its name must end so"),
        (("--model", "unknown"), "There is no model called “unknown”."),
        (("--draft", "no-draft"), "“no-draft” cannot draft for this model"),
    ],
)
def test_what_cannot_be_measured_is_said_at_once(run, starter_home, arguments, said):
    bench = run("bench", "pipeline", *arguments, home=starter_home)
    assert bench.finish() in (1, 2)
    assert said in bench.error
    assert "Round" not in bench.error
    assert "Traceback" not in bench.error
