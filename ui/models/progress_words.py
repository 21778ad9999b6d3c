"""How far the first model is, in words and as a bar: the same on an empty chat page and in the introduction."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QProgressBar

from idlepool.engine.events import ModelProgress


def progress_words(progress: ModelProgress) -> str:
    """The step, and how much of it is done: "Fetching: 41 of 92 MB"."""
    if progress.total:
        words = QCoreApplication.translate("FirstModel", "{step}: {done} of {total} MB")
    elif progress.done:
        words = QCoreApplication.translate("FirstModel", "{step}: {done} MB")
    else:
        words = QCoreApplication.translate("FirstModel", "{step} …")
    done, total = f"{progress.done / 1e6:.0f}", f"{progress.total / 1e6:.0f}"
    return words.format(step=_step_name(progress.step), done=done, total=total)


def fill(bar: QProgressBar, progress: ModelProgress) -> None:
    """Moving where nobody knows how much there is."""
    # A progress bar counts in 32-bit integers: kilobytes reach 2 TB.
    bar.setRange(0, progress.total // 1000)
    bar.setValue(progress.done // 1000)


def _step_name(step: str) -> str:
    names = {
        "fetching": QCoreApplication.translate("Welcome", "Fetching"),
        "checking": QCoreApplication.translate("Welcome", "Checking"),
        "converting": QCoreApplication.translate("Welcome", "Converting"),
    }
    return names.get(step, step)
