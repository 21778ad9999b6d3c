"""The real command in a child process, as somebody runs it in a terminal, with a data folder for the tests."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from idlepool.engine.models.store import ModelStore

MARK = "IDLEPOOL_TEST_RUN"
PATIENCE_S = 60


def _heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Command:
    """`idlepool` with arguments, running. Every process it starts can be told by its environment."""

    def __init__(self, *arguments: str, home: Path, **environment: str | None) -> None:
        """`environment`: variables to set, or with None to take away."""
        self._run = secrets.token_hex(8)
        variables = os.environ | {"IDLEPOOL_HOME": str(home), MARK: self._run, "PYTHONUTF8": "1"} | environment
        self._process = subprocess.Popen(
            [sys.executable, "-m", "idlepool.app", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={name: value for name, value in variables.items() if value is not None},
            start_new_session=True,
            # A shell ignores Ctrl+C for what it runs in the background, and whoever runs there inherits that.
            preexec_fn=None if sys.platform == "win32" else _heed_ctrl_c,
        )
        self.out = ""
        self.error = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    def finish(self, *, typed: str | None = None) -> int:
        """Type something, wait for the end, take what was written; returns the exit code."""
        out, error = self._process.communicate(None if typed is None else typed.encode(), timeout=PATIENCE_S)
        self.out += out.decode()
        self.error += error.decode()
        return self._process.returncode

    def read(self) -> str:
        """Some of what comes on standard output; waits for it."""
        assert self._process.stdout is not None
        more = os.read(self._process.stdout.fileno(), 1 << 16).decode(errors="ignore")
        self.out += more
        return more

    def send_signal(self, number: int) -> None:
        self._process.send_signal(number)

    def processes(self, *words: str) -> list[psutil.Process]:
        """Processes of this run, itself included, whose command line has all the words."""
        return [process for process in psutil.process_iter() if self._is_ours(process, words)]

    def end(self) -> None:
        """Kill whatever is left."""
        for process in self.processes():
            process.kill()
        self._process.communicate()

    def _is_ours(self, process: psutil.Process, words: tuple[str, ...]) -> bool:
        try:
            return process.environ().get(MARK) == self._run and set(words) <= set(process.cmdline())
        except (psutil.AccessDenied, psutil.NoSuchProcess, psutil.ZombieProcess):
            return False


@pytest.fixture
def run() -> Iterator[Callable[..., Command]]:
    """`run(*arguments, home=...)` starts `idlepool`; what is left of it afterwards is killed."""
    started: list[Command] = []

    def start(*arguments: str, home: Path, **environment: str | None) -> Command:
        command = Command(*arguments, home=home, **environment)
        started.append(command)
        return command

    yield start
    for command in started:
        command.end()


@pytest.fixture(scope="session")
def starter_home(starter_store: ModelStore, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder of the tests in which the starter model is known."""
    home = tmp_path_factory.mktemp("home")
    ModelStore(home).add_folder(starter_store.get("starter").folder, name="starter")
    return home
