"""A picture of the window in one of its states, as tests/screenshots.py takes it in each theme, size and scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QDeadlineTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from idlepool.ui.main_window import MainWindow

SIZES = ((1280, 800), (900, 600))
"""In device-independent pixels."""

SETTLE_MS = 150
PATIENCE_MS = 10_000


@dataclass(frozen=True, slots=True)
class Shot:
    """`act` brings the window into the state, and returns what is pictured where that is not the window itself."""

    name: str
    act: Callable[[MainWindow], QWidget | None] = lambda window: None
    node: tuple[str, ...] = ()
    """Arguments of tests/ui/scripted_node.py."""
    sizes: tuple[tuple[int, int], ...] = SIZES


def wait_until(condition: Callable[[], bool]) -> None:
    """Let the window work until the condition holds, at most some seconds."""
    deadline = QDeadlineTimer(PATIENCE_MS)
    while not condition() and not deadline.hasExpired():
        QTest.qWait(10)
    assert condition()
