"""What the window says of a node that is gone, or cannot run."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from idlepool.engine.events import Event, Trouble
from idlepool.ui.bridge import Bridge
from idlepool.ui.main_window import MainWindow
from idlepool.ui.revival import Revival

REFUSAL = "/data could not be written: Read-only file system."
ADVICE = "Allow Idlepool to write there."


@pytest.fixture
def refused(qtbot: QtBot, node_command: list[str]):
    """A window whose node says why it cannot run; it is started once, and then only when a test wants it."""
    bridge = Bridge([*node_command, "--refuse", "ends"])
    window = MainWindow(bridge)
    window.revival._refused_ms = (60_000,)
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.revival.died):
        bridge.start()
    yield window
    window.revival.stop()
    bridge.stop()


def button(window: MainWindow, words: str) -> QPushButton:
    return next(found for found in window.banners.findChildren(QPushButton) if found.text() == words)


def test_it_is_told_once_in_the_words_of_the_node_with_what_to_do(refused: MainWindow):
    (banner,) = refused.banners.shown
    assert banner.sentence == REFUSAL
    assert banner.accessibleName() == f"{REFUSAL} {ADVICE} Idlepool tries again in 60 seconds."
    assert refused.watch.now.reason == REFUSAL
    assert refused.chat.state_words == "Not running"


@pytest.mark.parametrize(("width", "beside"), [(900, True), (420, False)])
def test_in_a_narrow_window_the_words_keep_their_room(refused: MainWindow, qtbot: QtBot, width: int, beside: bool):
    refused.resize(width, 600)
    words = next(label for label in refused.banners.findChildren(QLabel) if label.text() == REFUSAL)
    start_again = button(refused, "Start again")
    qtbot.waitUntil(lambda: (start_again.geometry().left() > words.geometry().right()) == beside)
    qtbot.waitUntil(lambda: words.width() > 200)


def test_its_last_words_are_in_the_report(refused: MainWindow):
    button(refused, "Details").click()
    reports = [view.toPlainText() for view in refused.findChildren(QPlainTextEdit) if view.isReadOnly()]
    assert any("What happened last" in report for report in reports)


def test_when_it_runs_nothing_is_left_of_that(refused: MainWindow, qtbot: QtBot, node_command: list[str]):
    refused.state.bridge._command = node_command  # its owner did what was advised
    button(refused, "Start again").click()
    assert refused.chat.state_words == "Starting …"
    qtbot.waitUntil(lambda: refused.state.ready is not None)
    assert refused.banners.shown == []
    assert refused.watch.now.reason == ""


def test_it_is_tried_more_and_more_slowly_and_then_by_hand(qtbot: QtBot, node_command: list[str]):
    bridge = Bridge([*node_command, "--refuse", "ends"])
    revival = Revival(bridge, delays_ms=(), refused_ms=(10, 20))
    told: list[int] = []
    revival.died.connect(lambda sentence, delay_ms: told.append(delay_ms))
    bridge.start()
    qtbot.waitUntil(lambda: told == [10, 20, -1])
    with qtbot.waitSignal(revival.restarted):
        revival.cause_is_gone()
    qtbot.waitUntil(lambda: told[3:] == [10, 20, -1])


def test_a_node_that_crashed_is_restarted_however_its_cause_went(qtbot: QtBot, node_command: list[str]):
    bridge = Bridge([*node_command, "--refuse", "crashes"])
    told: list[Event | str] = []
    bridge.received.connect(told.append)
    bridge.node_ended.connect(told.append)
    with qtbot.waitSignal(bridge.node_ended):
        bridge.start()
    assert told == [Trouble(REFUSAL, ADVICE), "The engine of Idlepool ended unexpectedly (code 3)."]
    assert bridge.refusal is None


def test_a_trouble_of_a_node_that_runs_all_the_same_is_one(open_window, qtbot: QtBot):
    window = open_window("--refuse", "runs")
    qtbot.waitUntil(lambda: [banner.sentence for banner in window.banners.shown] == [REFUSAL])
    assert window.banners.shown[0].accessibleName() == f"{REFUSAL} {ADVICE}"
    button(window, "Details").click()
    assert any(view.isReadOnly() for view in window.findChildren(QPlainTextEdit))
