"""Whether a window can be opened is known before Qt is asked, which would end the process."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from idlepool.ui.display import display_problem

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Windows and macOS always have a display")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture
def x_server() -> Iterator[str]:
    """A server of its own: which one runs here says nothing about what is tested."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    yield f":{os.read(reading, 10).decode().strip()}"
    os.close(reading)
    server.terminate()
    server.wait()


@pytest.fixture
def frozen_server() -> Iterator[str]:
    """Somebody takes the call and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.getsockname()[1] - 6000
        if number < 0:
            pytest.skip("the system gave a port below those of X servers")
        yield f"127.0.0.1:{number}"


def test_no_display_is_named(bare: pytest.MonkeyPatch):
    assert "no display" in display_problem()


def test_a_display_that_nobody_serves_is_found_out(bare: pytest.MonkeyPatch):
    bare.setenv("DISPLAY", ":2999")
    assert display_problem().startswith("The display cannot be opened")


@pytest.fixture
def no_second_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object, **__: object) -> None:
        raise AssertionError("a process was started although the display can be seen to be there")

    monkeypatch.setattr(subprocess, "run", start)


@pytest.mark.skipif(not os.environ.get("DISPLAY") and not shutil.which("Xvfb"), reason="needs an X server")
def test_an_x_server_that_answers_costs_no_second_process(bare: pytest.MonkeyPatch, x_server: str, no_second_process):
    bare.setenv("DISPLAY", x_server)
    assert display_problem() == ""


def test_a_server_that_never_answers_is_found_out(bare: pytest.MonkeyPatch, frozen_server: str):
    bare.setattr("idlepool.ui.display.ANSWER_S", 0.1)
    bare.setattr("idlepool.ui.display.PROBE_SECONDS", 1.0)
    bare.setenv("DISPLAY", frozen_server)
    assert "does not answer within 1 s" in display_problem()


def test_a_compositor_that_is_gone_is_found_out(bare: pytest.MonkeyPatch, tmp_path: Path):
    bare.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    bare.setenv("WAYLAND_DISPLAY", "wayland-9")
    assert display_problem().startswith("The display cannot be opened")


def test_the_offscreen_platform_counts_as_a_display(bare: pytest.MonkeyPatch):
    bare.setenv("QT_QPA_PLATFORM", "offscreen")
    assert display_problem() == ""
