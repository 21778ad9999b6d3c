"""A drawing that fails costs its picture, never the window: a painter that outlives its widget ends the process."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import idlepool.ui.theme

UI = Path(idlepool.ui.theme.__file__).parent

FAILS = """
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from idlepool.ui.chat import context_meter

def fail():
    raise ZeroDivisionError

application, errors = QApplication([]), []
context_meter.colours = fail
for _ in range(3):
    meter = context_meter.ContextMeter()
    meter.show_fill(1, 2)
    meter.show()
    try:
        meter.grab()
        application.processEvents()
    except ZeroDivisionError as error:
        errors.append(error)  # as a log keeps it, and with it all that the failed functions had
    meter.deleteLater()
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
print(f"still here after {len(errors)} errors")
"""


def test_a_widget_that_cannot_be_drawn_ends_nothing():
    command = [sys.executable, "-c", FAILS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "still here after 3 errors\n"), done.stderr


def test_every_painter_ends_with_the_block_that_draws():
    files = [path.name for path in UI.rglob("*.py") if re.search(r"\bQPainter\(", path.read_text("utf-8"))]
    assert files == ["painter_state.py"]
