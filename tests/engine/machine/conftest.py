"""What the tests of the machine ask: a real X server, and a real bus that belongs to the test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest


class PlayedXServer(NamedTuple):
    name: str
    process: subprocess.Popen[bytes]

    def touch(self) -> None:
        """Move the pointer as a mouse would."""
        from Xlib import X
        from Xlib.display import Display

        display: Any = Display(self.name)
        display.xtest_fake_input(X.MotionNotify, x=30, y=40)
        display.sync()
        display.close()


@pytest.fixture
def x_server() -> Iterator[PlayedXServer]:
    """An X server without a screen, which ends with the test."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("needs Xvfb")
    reading, writing = os.pipe()
    command = [program, "-displayfd", str(writing), "-screen", "0", "320x240x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()  # once it listens
    try:
        yield PlayedXServer(f":{number}", process)
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a message bus, which is both the session's and the system's for the test."""
    program = shutil.which("dbus-daemon")
    if program is None or sys.platform != "linux":
        pytest.skip("needs dbus-daemon")
    command = [program, "--session", "--nofork", "--print-address", "--nopidfile"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
    try:
        yield address
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
