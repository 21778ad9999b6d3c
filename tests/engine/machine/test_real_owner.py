"""A node and a real X server: it lends when nobody has touched the mouse for a while, and stops when somebody does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from idlepool.app.node_client import NodeClient
from idlepool.engine.events import LendingChanged, LendingRules
from idlepool.engine.pool.child_process import python_module
from idlepool.engine.pool.lending_file import KeptLending, write_lending

pytest.importorskip("Xlib")

RULES = LendingRules(idle_minutes=2 / 60, on_battery=True, battery_at_least=0, on_metered=True, hottest_celsius=125)
"""Nothing of the PC on which the test runs stands in the way."""


def test_a_node_stops_lending_when_somebody_touches_the_mouse(
    x_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", x_server.name)
    write_lending(tmp_path, KeptLending(RULES))
    options = ["--control", "--name", "north", "--home", str(tmp_path), "--port", "0", "--key-file"]
    with NodeClient(python_module("idlepool.app", "node", *options, "--listen", "127.0.0.1")) as node:

        def wait_for(reason: str) -> None:
            while not isinstance(event := node.next_event(), LendingChanged) or event.reason != reason:
                pass

        wait_for("idle")
        x_server.touch()
        wait_for("user active")
        wait_for("idle")
