"""Trouble as it is told: in banners, and in a report that is seen before it is copied."""

from __future__ import annotations

from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shots.shot import SETTLE_MS, SIZES, Shot, wait_until

from idlepool.engine.events import Trouble
from idlepool.ui.details import DetailsDialog
from idlepool.ui.engine_words import say
from idlepool.ui.main_window import MainWindow

RULES = Trouble(
    "The rules for lending made no sense; the old file is called lending.json.broken now. This PC lends nothing.",
    "Choose again when it lends.",
)
DISK = Trouble(
    "/data/idlepool could not be written: No space left on device.",
    "Free some space there, or allow Idlepool to write there.",
)


def refuse(window: MainWindow) -> None:
    """Let the node die, and say at its next start why it cannot run."""
    bridge = window.state.bridge
    bridge._command += ["--refuse", "ends"]
    window.chat.ask("die")
    wait_until(lambda: bridge.refusal is not None)
    window.revival.stop()  # the next start would come into the picture
    QTest.qWait(SETTLE_MS)


def act(window: MainWindow, died: bool, report: bool) -> QWidget | None:
    """Let the node die, or tell of two troubles; open the report."""
    if died:
        window.chat.ask("die")
        wait_until(lambda: bool(window.banners.shown))
    else:
        for trouble in (RULES, DISK):
            window.banners.add_with_report(say(trouble.sentence), say(trouble.hint))
    if report:
        wait_until(lambda: window.state.machine is not None)
        window.settings_page.report_requested.emit()
    QTest.qWait(SETTLE_MS)
    return window.findChild(DetailsDialog) if report else None


def shot(name: str, *, died: bool = False, report: bool = False, sizes: tuple[tuple[int, int], ...] = SIZES) -> Shot:
    node = ("--states", "--play", "settings")
    return Shot(f"trouble-{name}", partial(act, died=died, report=report), node, sizes)


SHOTS = [
    shot("died", died=True),
    shot("told", sizes=(*SIZES, (420, 480))),
    shot("report", report=True, sizes=(*SIZES, (420, 480))),
    Shot("trouble-refused", refuse, sizes=(*SIZES, (420, 480))),
]
