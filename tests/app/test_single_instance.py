"""One window for each user and data folder, whoever starts it how often and at what moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from idlepool.app.single_instance import NotAnswering, first_instance, socket_name, wake_first

PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from idlepool.app.single_instance import first_instance, wake_first

folder = Path(sys.argv[1])
with first_instance(folder) as first:
    if first is None:
        wake_first(folder)
        print("second")
        sys.exit()
    application = QCoreApplication([])
    first.listen(lambda: print("woken", flush=True))
    print("first", flush=True)
    QTimer.singleShot(60_000, application.quit)
    application.exec()
"""


@pytest.fixture
def start(tmp_path: Path):
    started: list[subprocess.Popen[str]] = []

    def start_it(folder: Path = tmp_path) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", PROGRAM, str(folder)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start_it
    for process in started:
        process.kill()
        process.wait()


def first_word(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_without_a_folder_for_sockets_it_lies_where_only_this_user_writes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert Path(socket_name(Path("/srv/me/data"))).parent == Path("/srv/me/data")
    assert Path(socket_name(Path("/srv/me") / ("deep" * 30))).parent == Path(tempfile.gettempdir())


def test_a_second_start_wakes_the_first_and_ends(start):
    first = start()
    assert first_word(first) == "first"
    second = start()
    assert first_word(second) == "second"
    assert second.wait(10) == 0
    assert first_word(first) == "woken"


@pytest.mark.parametrize("round_", range(3))
def test_of_those_started_at_the_same_moment_one_wins(start, round_: int):
    processes = [start() for _ in range(4)]
    assert sorted(map(first_word, processes)) == ["first", "second", "second", "second"]


def test_what_a_killed_one_left_is_no_hindrance(start, tmp_path: Path):
    first = start()
    assert first_word(first) == "first"
    first.kill()
    first.wait()
    assert first_word(start()) == "first"
    assert first_word(start()) == "second"


def test_another_folder_is_another_idlepool(start, tmp_path: Path):
    assert first_word(start(tmp_path / "a")) == "first"
    assert first_word(start(tmp_path / "b")) == "first"
    assert socket_name(tmp_path / "a") != socket_name(tmp_path / "b")


@pytest.mark.skipif(sys.platform == "win32", reason="there a pipe has no file")
def test_nobody_else_may_open_its_socket(start, tmp_path: Path):
    assert first_word(start()) == "first"
    assert Path(socket_name(tmp_path)).stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot be frozen like this")
def test_one_that_does_not_react_is_told(start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("idlepool.app.single_instance.PATIENCE_S", 0.1)
    monkeypatch.setattr("idlepool.app.single_instance.ANSWER_MS", 100)
    first = start()
    assert first_word(first) == "first"
    psutil.Process(first.pid).suspend()
    with pytest.raises(NotAnswering, match="does not answer"):
        wake_first(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder cannot be replaced by a file there while it is open")
def test_a_folder_that_cannot_be_written_does_not_keep_the_window_away(tmp_path: Path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    with first_instance(tmp_path / "taken") as first:
        assert first is not None


@pytest.mark.skipif(not hasattr(signal, "SIGTERM") or sys.platform == "win32", reason="played with X11 or offscreen")
def test_the_program_itself_starts_nothing_a_second_time(tmp_path: Path):
    environment = os.environ | {"IDLEPOOL_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-P", "-m", "idlepool.app"]
    first = subprocess.Popen(command, env=environment)
    try:
        with_node = psutil.Process(first.pid)
        while not with_node.children():
            assert first.poll() is None
        second = psutil.Popen(command, env=environment)
        assert second.wait(60) == 0
        hidden = psutil.Popen([*command, "--hidden"], env=environment)
        assert hidden.wait(60) == 0
        assert len(with_node.children()) == 1
    finally:
        first.terminate()
        assert first.wait(30) == 0
