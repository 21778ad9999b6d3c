"""The three pages of the introduction."""

from __future__ import annotations

from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shots.shot import SETTLE_MS, SIZES, Shot, wait_until

from idlepool.ui.first_run.first_run import FirstRun
from idlepool.ui.main_window import MainWindow


def act(window: MainWindow, page: int, get: bool, size: tuple[int, int] | None) -> QWidget:
    """Go to a page, in a dialog as large as it opens, or of a size; there, perhaps, get the starter model."""
    wait_until(lambda: window.state.lending is not None)
    dialog = FirstRun(window.state, window.preferences, window)
    if size is not None:
        dialog.resize(*size)
    dialog.open()
    dialog.show_page(page)
    if get:
        dialog.steps.starter.button.click()
    QTest.qWait(2 * SETTLE_MS)
    return dialog


def shot(
    name: str, page: int, *node: str, get: bool = False, size: tuple[int, int] | None = None, play: str = "api"
) -> Shot:
    arguments = ("--play", "settings", play, *(node or ("--pairs", "idle-1", "idle-2", "lagoon")))
    sizes = SIZES if size is None else SIZES[1:]
    return Shot(f"first-{name}", partial(act, page=page, get=get, size=size), arguments, sizes)


SMALL = (380, 440)
NEW = ("--no-model", "--pairs", "idle-1", "--download", "hang")
SHOTS = [
    shot("what", 0),
    shot("when", 1),
    shot("when-always", 1, play="always"),
    shot("steps", 2, *NEW),
    shot("steps-fetching", 2, *NEW, get=True),
    shot("steps-failed", 2, "--no-model", "--pairs", "idle-1", "--download", "fail", get=True),
    shot("steps-done", 2),
    shot("small-what", 0, size=SMALL),
    shot("small-when", 1, size=SMALL),
    shot("small-steps", 2, *NEW, size=SMALL),
]
