"""How long it takes from starting the program until its window can be used; a part of `idlepool bench window`.

The program is started as a user starts it, with a data folder of its own, in which there are conversations or none.
Its window tells when it is painted for the first time, and when the first letter that is typed stands in the field. The
node starts meanwhile, as it always does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

import msgspec

from idlepool.app.bench.history import make_file, make_words
from idlepool.engine.errors import IdlepoolError
from idlepool.engine.folders import HOME_VARIABLE
from idlepool.engine.pool.child_process import python_module
from idlepool.ui.preferences import FILE, Chosen

if TYPE_CHECKING:
    from idlepool.ui.main_window import MainWindow

STARTS: Final = 5
MESSAGES: Final = 10
"""Of each conversation."""

GOAL_MS: Final = 1500.0
PATIENCE_S: Final = 120.0
LETTER: Final = "i"


class NoWindow(IdlepoolError):
    """The program ended before its window could be used."""

    def __init__(self, last_words: str) -> None:
        super().__init__(f"The window did not open: {last_words or 'no reason was given'}.")


@dataclass(frozen=True, slots=True)
class Startup:
    """Milliseconds since the program was started, for each start."""

    painted_ms: tuple[float, ...]
    usable_ms: tuple[float, ...]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """For a table."""
        return [
            ("starts", f"{len(self.usable_ms)}"),
            ("painted after", f"{median(self.painted_ms):.0f} ms"),
            ("usable after", f"{median(self.usable_ms):.0f} ms"),
            ("at the slowest start", f"{max(self.usable_ms):.0f} ms"),
        ]


def measure(*, starts: int = STARTS, conversations: int = 0) -> Startup:
    """Start the program so often, one after the other; once more before, so that the disk is warm.

    With conversations the newest of them is shown, as it was when the program ended.

    Raises:
        NoWindow: it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="idlepool-", ignore_cleanup_errors=True) as folder:
        if conversations:
            make_file(Path(folder), make_words(), conversations=conversations, messages=MESSAGES)
        kept = Chosen(first_run_done=True, last_conversation=conversations)
        Path(folder, FILE).write_bytes(msgspec.json.encode(kept))
        times = [_start(folder) for _ in range(starts + 1)][1:]
    return Startup(tuple(painted for painted, _ in times), tuple(usable for _, usable in times))


def _start(folder: str) -> tuple[float, float]:
    began = time.monotonic()
    done = subprocess.run(
        python_module("idlepool.app.bench.startup"),
        env=os.environ | {HOME_VARIABLE: folder},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    if done.returncode:
        raise NoWindow((done.stderr.decode(errors="replace").strip().splitlines() or [""])[-1])
    painted, usable = json.loads(done.stdout)
    return round(1000 * (painted - began), 1), round(1000 * (usable - began), 1)


class _Stopwatch:
    """Takes the place of those who start the program again: it is asked to listen when the window is built."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def listen(self, on_start: Callable[[], None]) -> None:
        """Watch the window."""
        from PySide6.QtWidgets import QApplication

        from idlepool.ui.main_window import MainWindow

        (window,) = (widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
        self._type_once_painted(window)

    def close(self) -> None:
        """It is over."""

    def _type_once_painted(self, window: MainWindow) -> None:
        """What is typed goes through the loop behind the first painting, and is drawn as anything is."""
        from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
        from PySide6.QtGui import QKeyEvent

        field = window.chat.composer.field

        class FirstPaint(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
                if event.type() == QEvent.Type.Paint:
                    watched.removeEventFilter(self)
                    QTimer.singleShot(0, on_painted)
                return False

        before = field.toPlainText()  # an earlier start left its letter, as any draft is left

        def on_painted() -> None:
            self.times.append(time.monotonic())
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                key = QKeyEvent(kind, Qt.Key.Key_I, Qt.KeyboardModifier.NoModifier, LETTER)
                QCoreApplication.postEvent(field, key)
            QTimer.singleShot(0, on_typed)

        def on_typed() -> None:
            if field.toPlainText() == before:
                QTimer.singleShot(1, on_typed)
                return
            field.repaint()
            self.times.append(time.monotonic())
            QCoreApplication.quit()

        window.installEventFilter(FirstPaint(window))


def _open_window() -> int:
    """As launch_once does, with a stopwatch."""
    from idlepool.app.autostart import autostart
    from idlepool.app.launch import node_command, window_problem
    from idlepool.app.single_instance import first_instance
    from idlepool.engine.folders import default_root
    from idlepool.ui.application import run

    problem = window_problem()
    if problem:
        sys.stderr.write(problem)
        return 1
    folder, stopwatch = Path(default_root()), _Stopwatch()
    with first_instance(folder):
        code = run(node_command(), folder=folder, autostart=autostart(), other_starts=stopwatch)
    sys.stdout.write(json.dumps(stopwatch.times))
    return code


if __name__ == "__main__":
    sys.exit(_open_window())
