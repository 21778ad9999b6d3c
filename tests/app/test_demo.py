"""The demo as somebody sees it who runs it: a real answer from several processes, and nothing left of them."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import psutil
import pytest

from idlepool.app import demo as demo_command

pytestmark = pytest.mark.model

JAPAN = ("--prompt", "What is the capital of Japan?")
STORY = ("--prompt", "Write a long story about a cat and a lighthouse.", "--max-tokens", "600")
KEYS = {"node", "pid", "first", "last", "device", "bytes_on_disk", "bytes_needed", "bytes_of_model"}

signals = pytest.mark.skipif(sys.platform == "win32", reason="a child's Ctrl+C cannot be typed from outside there")


def wait_until(condition) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def assert_nothing_is_left(demo, home) -> None:
    wait_until(lambda: demo.processes() == [])
    wait_until(lambda: list((home / "demo").iterdir()) == [])  # the demo itself is the last to go


def test_three_pcs_answer_as_one(run, starter_home):
    demo = run(
        "demo", "--nodes", "3", *JAPAN, "--max-tokens", "32", "--temperature", "0", "--verify", "--json",
        home=starter_home,
    )  # fmt: skip
    assert demo.finish() == 0, demo.error
    report = json.loads(demo.out)
    assert demo.out.count("\n") == 1
    assert "Tokyo" in report["text"]
    assert report["equal_to_unsplit"] is True
    assert report["finish"] == "stop"
    assert len(report["token_ids"]) > 3
    assert report["tokens_per_second"] > 0
    assert report["time_to_first_token_ms"] > 0
    stages = report["stages"]
    assert all(stage.keys() >= KEYS for stage in stages)
    assert [stage["node"] for stage in stages] == ["pc-1", "pc-2", "pc-3"]
    assert len({stage["pid"] for stage in stages}) == 3
    assert [stage["first"] for stage in stages] == [0, *(stage["last"] for stage in stages[:-1])]
    assert stages[-1]["last"] == 30
    assert all(stage["bytes_on_disk"] <= 1.05 * stage["bytes_needed"] for stage in stages)
    assert all(stage["bytes_needed"] < 0.6 * stage["bytes_of_model"] for stage in stages)
    assert "Traceback" not in demo.error
    assert_nothing_is_left(demo, starter_home)


def test_a_sampled_answer_is_the_unsplit_models_as_well(run, starter_home):
    demo = run(
        "demo", "--nodes", "2", *STORY[:2], "--max-tokens", "40", "--temperature", "0.8", "--seed", "5", "--verify",
        "--json", home=starter_home,
    )  # fmt: skip
    assert demo.finish() == 0, demo.error
    report = json.loads(demo.out)
    assert report["equal_to_unsplit"] is True
    assert (report["finish"], len(report["token_ids"])) == ("length", 40)


def test_what_a_killed_demo_left_is_removed_by_the_next_one(run, starter_home):
    left = starter_home / "demo" / "999999999" / "pc-1"
    left.mkdir(parents=True)
    demo = run("demo", "--nodes", "1", *JAPAN, "--max-tokens", "8", home=starter_home)
    assert demo.finish() == 0, demo.error
    assert "Tokyo" in demo.out
    assert_nothing_is_left(demo, starter_home)


def test_a_pc_that_dies_is_named_and_the_answer_goes_on_to_the_same_end(run, starter_home):
    options = ("--max-tokens", "150", "--temperature", "0", "--verify")
    demo = run("demo", "--nodes", "3", *STORY[:2], *options, home=starter_home)
    while len(demo.out.split()) < 3:
        demo.read()
    so_far = demo.out
    demo.processes("--name", "pc-3")[0].kill()
    assert demo.finish() == 0, demo.error
    assert demo.out.startswith(so_far)
    assert "pc-3, which held layers " in demo.error
    assert " to 29, is gone." in demo.error
    assert "Traceback" not in demo.error
    assert_nothing_is_left(demo, starter_home)


def test_the_folder_of_an_earlier_process_with_the_same_number_is_no_obstacle(tmp_path):
    left = tmp_path / str(os.getpid()) / "pc-1"
    left.mkdir(parents=True)
    with demo_command._demo_folder(tmp_path) as folder:
        assert list(folder.iterdir()) == []
    assert list(tmp_path.iterdir()) == []


@signals
def test_ctrl_c_stops_an_answer(run, starter_home):
    demo = run("demo", "--nodes", "2", *STORY, home=starter_home)
    demo.read()
    demo.send_signal(signal.SIGINT)
    assert demo.finish() == 130
    assert "stopped" in demo.error
    assert "Traceback" not in demo.error
    assert_nothing_is_left(demo, starter_home)


@signals
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupted_start_leaves_nothing(run, starter_home, number):
    demo = run("demo", "--nodes", "3", *STORY, home=starter_home)
    wait_until(lambda: demo.processes("--name", "pc-2"))
    demo.send_signal(getattr(signal, number))
    assert demo.finish() == 128 + getattr(signal, number)
    assert demo.out.strip() == ""
    assert "Traceback" not in demo.error
    assert_nothing_is_left(demo, starter_home)


def test_a_killed_demo_takes_its_pcs_along(run, starter_home):
    demo = run("demo", "--nodes", "3", *STORY, home=starter_home)
    demo.read()
    pcs = [process for process in demo.processes() if process.pid != demo.pid]
    assert len(pcs) == 6  # three nodes and three stages
    psutil.Process(demo.pid).kill()
    wait_until(lambda: demo.processes() == [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--nodes", "0"), "--nodes: it must be a whole number, from 1 to 6, not 0"),
        (("--nodes", "7"), "--nodes: it must be a whole number, from 1 to 6, not 7"),
        (("--nodes", "many"), "--nodes: it must be a whole number, from 1 to 6, not many"),
        (("--json",), "--verify and --json need a question."),
        ((*JAPAN, "--temperature", "-1"), "--temperature: it must be 0 (always the best token) or more, not -1"),
        ((*JAPAN, "--temperature", "nan"), "--temperature: it must be 0 (always the best token) or more, not nan"),
        ((*JAPAN, "--max-tokens", "0"), "--max-tokens: it must be a whole number, at least 1, not 0"),
        ((*JAPAN, "--seed", "-3"), "--seed: it must be a whole number, from 0 to 9223372036854775807, not -3"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(run, starter_home, arguments, said):
    """Before any PC is played."""
    demo = run("demo", *arguments, home=starter_home, QT_QPA_PLATFORM="offscreen")
    assert demo.finish() in (1, 2)
    assert demo.out == ""
    assert said in demo.error
    assert "Traceback" not in demo.error
    assert "Spreading" not in demo.error
