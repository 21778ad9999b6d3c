"""The whole application in a process of its own: it ends when it is told to, and its node with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from idlepool.ui.application import _join
from idlepool.ui.tray import Tray

PROGRAM = "import sys; from idlepool.ui.application import run; sys.exit(run(sys.argv[1:]))"

SIGNALS = ["CTRL_BREAK_EVENT"] if sys.platform == "win32" else ["SIGINT", "SIGTERM"]
FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_ends_it_in_order_and_leaves_no_process(qtbot: QtBot, node_command: list[str], name: str):
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, *node_command], env=environment, creationflags=FLAGS)
    children = psutil.Process(program.pid).children
    qtbot.waitUntil(lambda: bool(children(recursive=True)) or program.poll() is not None, timeout=20_000)
    nodes = children(recursive=True)
    program.send_signal(getattr(signal, name))
    assert program.wait(20) == 0
    assert nodes
    assert not [node for node in nodes if node.is_running()]


@pytest.mark.parametrize("tray_here", [True, False])
def test_closing_ends_it_only_where_no_tray_brings_the_window_back(
    open_window, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, tray_here: bool
):
    ended: list[bool] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: tray_here))
    monkeypatch.setattr(qapp, "quit", lambda: ended.append(True))
    window, tray = open_window(), Tray("Idlepool")
    _join(qapp, window, tray)
    assert window.banners.isVisible() is not tray_here
    window.close()
    assert not window.isVisible()
    assert bool(ended) is not tray_here
    tray.open_requested.emit()
    assert window.isVisible()
    tray.icon.hide()
