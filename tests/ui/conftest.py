"""What the tests of the window share: a window served by the scripted node, and no Qt warning unnoticed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pcs_in_states is imported by its plain name

if sys.platform == "linux" and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from idlepool.ui.bridge import Bridge
from idlepool.ui.chat_window import ChatWindow
from idlepool.ui.theme import follow_system

NODE = Path(__file__).parent / "scripted_node.py"

OFFSCREEN_NOISE = "This plugin (does not support|supports grabbing)|systemTrayWindowChanged"
"""The offscreen platform says of itself what it cannot do."""

OpenWindow = Callable[..., ChatWindow]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(NODE.parent):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(OFFSCREEN_NOISE))


@pytest.fixture(autouse=True)
def _our_look(qapp: QApplication, _looks: list[QApplication]) -> None:
    if not _looks:
        follow_system(qapp)
        _looks.append(qapp)


@pytest.fixture(autouse=True)
def _told_nothing_yet(tmp_path: Path) -> None:
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path))


@pytest.fixture(scope="session")
def _looks() -> list[QApplication]:
    return []


@pytest.fixture
def node_command() -> list[str]:
    return [sys.executable, str(NODE)]


@pytest.fixture
def open_window(qtbot: QtBot, node_command: list[str]) -> Iterator[OpenWindow]:
    """Open a window whose scripted node gets the given arguments; it is returned when the node is ready."""
    bridges: list[Bridge] = []

    def open_it(*arguments: str) -> ChatWindow:
        bridge = Bridge([*node_command, *arguments])
        bridges.append(bridge)
        window = ChatWindow(bridge)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        with qtbot.waitSignal(bridge.received):
            bridge.start()
        qtbot.waitUntil(lambda: "PC" in window.header.pool.text())
        return window

    yield open_it
    for bridge in bridges:
        bridge.stop()
