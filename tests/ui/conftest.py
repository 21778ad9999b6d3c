"""What the tests of the window share: a window served by the scripted node, and no Qt warning unnoticed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # pcs.py and others are imported by their plain names

if sys.platform == "linux" and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.bridge import Bridge
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.language import speak
from idlepool.ui.main_window import MainWindow
from idlepool.ui.preferences import Preferences
from idlepool.ui.theme import follow_system

START_MS = 30_000
"""For the scripted node to begin, on a busy machine."""

NODE = Path(__file__).parent / "scripted_node.py"

OFFSCREEN_NOISE = "This plugin (does not support|supports grabbing)|systemTrayWindowChanged"
"""The offscreen platform says of itself what it cannot do."""

PATIENCE_MS = 20_000
"""For a state that comes; Qt's own five seconds are too few where many tests run beside each other."""

OpenWindow = Callable[..., MainWindow]
OpenPage = Callable[..., ChatPage]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(NODE.parent):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(OFFSCREEN_NOISE))


class PatientBot(QtBot):
    """Waits longer unless a test says how long."""

    # ruff: noqa: N802 - pytest-qt's names

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget: QWidget, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget: QWidget, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitActive(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def _our_look(qapp: QApplication, _looks: list[QApplication]) -> None:
    if not _looks:
        follow_system(qapp)
        speak(qapp, "en")
        _looks.append(qapp)


@pytest.fixture(scope="session")
def _looks() -> list[QApplication]:
    return []


@pytest.fixture
def node_command() -> list[str]:
    return [sys.executable, str(NODE)]


@pytest.fixture
def open_window(qtbot: QtBot, node_command: list[str]) -> Iterator[OpenWindow]:
    """Open a window whose scripted node gets the given arguments; it is returned when the node is ready.

    What is kept lies in `folder`, None: nowhere.
    """
    bridges: list[Bridge] = []
    windows: list[MainWindow] = []  # Qt keeps none that Python forgets

    def open_it(*arguments: str, folder: Path | None = None) -> MainWindow:
        bridge = Bridge([*node_command, *arguments])
        bridges.append(bridge)
        window = MainWindow(bridge, preferences=Preferences(folder))
        qtbot.addWidget(window)
        windows.append(window)
        window.show()
        qtbot.waitExposed(window)
        with qtbot.waitSignal(bridge.received, timeout=START_MS):
            bridge.start()
        qtbot.waitUntil(lambda: "PC" in window.chat.header.pool.text(), timeout=START_MS)
        return window

    yield open_it
    for bridge in bridges:
        bridge.stop()


@pytest.fixture
def open_page(open_window: OpenWindow) -> OpenPage:
    """The same for its chat page."""
    return lambda *arguments, **more: open_window(*arguments, **more).chat
