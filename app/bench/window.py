"""`idlepool bench window`: whether a long conversation stays smooth while an answer is being written, and the start.

The real window with a conversation of 200 messages; a process of its own writes answers at 300 tokens a second, one
after the other. The first one is not counted: it finds everything cold.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from idlepool.app.bench import startup
from idlepool.app.bench.window_texts import answer, question
from idlepool.engine.events import AnswerDone, AnswerText, Event
from idlepool.engine.pool.child_process import python_module
from idlepool.ui.display import display_problem

if TYPE_CHECKING:
    from idlepool.ui.main_window import MainWindow

RATE: Final = 300
"""Tokens a second."""

LATE_MS: Final = 33.0
"""Two frames: a longer gap can be felt."""

SIZE: Final = (1120, 720)
PATIENCE_S: Final = 60.0
CROWDED: Final = "startup_with_conversations"


@dataclass(frozen=True, slots=True)
class Smoothness:
    """Milliseconds and megabytes. `late_share` is the part of all time that lay in gaps of more than LATE_MS."""

    display: str
    messages: int
    tokens: int
    seconds: float
    restore_ms: float
    gap_p50_ms: float
    gap_p99_ms: float
    gap_max_ms: float
    computed_p99_ms: float
    """Of the gaps only what the window itself computed: on a PC that does nothing else it is the same."""
    computed_max_ms: float
    late_share: float
    memory_begin_mb: float
    memory_end_mb: float


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    if display_problem():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is imported
    started = _starts(arguments.starts, arguments.conversations) if arguments.starts else {}
    found = measure(seconds=arguments.seconds, messages=arguments.messages)
    if arguments.json:
        figures = {"smoothness": asdict(found)} | {key: asdict(times) for key, times in started.items()}
        sys.stdout.write(json.dumps(figures) + "\n")
        return 0
    for key, times in started.items():
        beside = f", {arguments.conversations} conversations" if key == CROWDED else ""
        title = f"From the start to a window that takes text ({found.display}{beside})"
        sys.stdout.write(_table(title, times.rows))
    title = f"A long conversation ({found.display}, {found.seconds:.0f} s of answers)"
    sys.stdout.write(_table(title, _rows(found)))
    return 0


def _starts(starts: int, conversations: int) -> dict[str, startup.Startup]:
    """Of a window without conversations, and of one with many."""
    found = {"startup": startup.measure(starts=starts)}
    if conversations:
        found[CROWDED] = startup.measure(starts=starts, conversations=conversations)
    return found


def measure(*, seconds: float, messages: int) -> Smoothness:
    """Open the window with a conversation of so many messages, let answers come for so long, and close it."""
    from idlepool.app.bench.gaps import Gaps, percentile, wait_until  # Qt is imported only where a window is wanted

    told = Counter[type]()

    def on_event(event: Event) -> None:
        told[type(event)] += 1
        if isinstance(event, AnswerDone):
            window.chat.ask(question(next(numbers)))

    numbers = itertools.count(messages)
    with _window() as window:
        restore_ms = _restore(window, messages)
        window.chat.ask(question(next(numbers)))
        window.state.bridge.received.connect(on_event)
        wait_until(lambda: told[AnswerDone] > 0, patience_s=PATIENCE_S)
        told.clear()
        gaps, memory = Gaps(), _memory_mb()
        gaps.listen(seconds)
        return Smoothness(
            display=_display(),
            messages=messages,
            tokens=told[AnswerText],
            seconds=seconds,
            restore_ms=round(restore_ms, 1),
            gap_p50_ms=round(percentile(gaps.passed, 50), 1),
            gap_p99_ms=round(percentile(gaps.passed, 99), 1),
            gap_max_ms=round(max(gaps.passed), 1),
            computed_p99_ms=round(percentile(gaps.computed, 99), 1),
            computed_max_ms=round(max(gaps.computed), 1),
            late_share=round(gaps.share_above(LATE_MS), 4),
            memory_begin_mb=round(memory, 1),
            memory_end_mb=round(_memory_mb(), 1),
        )


@contextmanager
def _window() -> Iterator[MainWindow]:
    """The real one, ready, and served by the token source."""
    from PySide6.QtWidgets import QApplication

    from idlepool.app.bench.gaps import wait_until
    from idlepool.ui.bridge import Bridge
    from idlepool.ui.main_window import MainWindow
    from idlepool.ui.preferences import Preferences
    from idlepool.ui.theme import follow_system

    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    follow_system(application)
    with tempfile.TemporaryDirectory(prefix="idlepool-", ignore_cleanup_errors=True) as folder:
        preferences = Preferences(Path(folder))
        preferences.chosen.first_run_done = True
        bridge = Bridge(python_module("idlepool.app.bench.token_source", str(RATE)))
        window = MainWindow(bridge, preferences=preferences)
        window.resize(*SIZE)
        window.show()
        bridge.start()
        wait_until(lambda: bool(window.state.models), patience_s=PATIENCE_S)
        try:
            yield window
        finally:
            bridge.stop()
            window.close()
            window.history.close()


def _restore(window: MainWindow, messages: int) -> float:
    """Milliseconds from choosing a conversation of so many messages until its end is drawn."""
    from PySide6.QtCore import QCoreApplication

    history = window.history
    conversation = history.create(model="bench").id
    parent = None
    for number in range(messages // 2):
        asked = history.add_message(conversation, parent, "user", question(number))
        parent = history.add_message(conversation, asked.id, "assistant", answer(number), model="bench").id
    began = time.perf_counter()
    window.chat.open_conversation(conversation)
    QCoreApplication.processEvents()
    return 1000 * (time.perf_counter() - began)


def _memory_mb() -> float:
    return psutil.Process().memory_info().rss / 1e6


def _display() -> str:
    from PySide6.QtGui import QGuiApplication

    return QGuiApplication.platformName()


def _rows(found: Smoothness) -> list[tuple[str, str]]:
    return [
        ("messages", f"{found.messages}"),
        ("tokens a second", f"{found.tokens / found.seconds:.0f}"),
        ("opened at its end after", f"{found.restore_ms:.0f} ms"),
        ("event-loop gap, half of them at most", f"{found.gap_p50_ms:.1f} ms"),
        ("99 of 100 at most", f"{found.gap_p99_ms:.1f} ms"),
        ("the longest", f"{found.gap_max_ms:.1f} ms"),
        ("computed in 99 of 100 at most", f"{found.computed_p99_ms:.1f} ms"),
        ("computed in one at most", f"{found.computed_max_ms:.1f} ms"),
        (f"time in gaps above {LATE_MS:.0f} ms", f"{100 * found.late_share:.1f} %"),
        ("memory at the begin", f"{found.memory_begin_mb:.0f} MB"),
        ("memory at the end", f"{found.memory_end_mb:.0f} MB"),
    ]


def _table(title: str, rows: list[tuple[str, str]]) -> str:
    return "\n".join([title, *(f"  {name:40}{value:>10}" for name, value in rows)]) + "\n"
