"""A node that lives but does not answer: the window says so, offers to start it again, and notices when it talks."""

from __future__ import annotations

import signal
import sys

import psutil
import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from idlepool.engine.local_events import Here
from idlepool.ui.chat.bubble import AnswerBubble
from idlepool.ui.main_window import MainWindow

SOON_MS = 20
"""Between two ticks: a test does not wait ten seconds."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stops a process with a signal")


def node_of(window: MainWindow) -> psutil.Process:
    nodes = [child for child in psutil.Process().children() if "scripted_node.py" in " ".join(child.cmdline())]
    assert window.state.bridge.running
    return nodes[-1]


def told(window: MainWindow) -> list[str]:
    return [banner.accessibleName() for banner in window.banners.shown]


def hang_while_answering(window: MainWindow, qtbot: QtBot) -> psutil.Process:
    window.chat.ask("hold on to the words of this answer")
    qtbot.waitUntil(lambda: "ANSWER" in answer(window).source)
    window.chat.composer.field.setPlainText("what I write meanwhile")
    node = node_of(window)
    node.send_signal(signal.SIGSTOP)
    window.silence.timer.setInterval(SOON_MS)
    qtbot.waitUntil(lambda: any("does not answer" in words for words in told(window)))
    return node


def answer(window: MainWindow) -> AnswerBubble:
    bubble = window.chat.transcript.bubbles[-1]
    assert isinstance(bubble, AnswerBubble)
    return bubble


def test_a_node_that_hangs_is_told_of_until_it_answers_again(open_window, qtbot: QtBot):
    window = open_window()
    hang_while_answering(window, qtbot).send_signal(signal.SIGCONT)
    qtbot.waitUntil(lambda: told(window) == [])
    assert window.chat.session.busy, "the answer goes on"
    window.chat.stop()
    qtbot.waitUntil(lambda: not window.chat.session.busy)


def test_it_is_started_again_and_nothing_is_lost(open_window, qtbot: QtBot):
    window = open_window()
    hung = hang_while_answering(window, qtbot)
    (banner,) = window.banners.shown
    next(button for button in banner.findChildren(QPushButton) if button.text() == "Start it again").click()
    qtbot.waitUntil(lambda: any("was started again" in words for words in told(window)))
    (words,) = told(window)
    assert words.startswith("The engine of Idlepool did not answer and was ended.")
    assert not hung.is_running() or hung.status() == psutil.STATUS_ZOMBIE
    assert "ANSWER" in answer(window).source
    assert window.chat.composer.field.toPlainText() == "what I write meanwhile"
    assert window.state.ready is not None

    window.chat.ask("die")
    qtbot.waitUntil(lambda: any("ended unexpectedly" in words for words in told(window)))
    assert len(window.banners.shown) == 1, "what happened before is over"


def test_a_node_that_only_takes_long_is_left_alone(open_window, qtbot: QtBot):
    window = open_window()
    window.silence.timer.setInterval(500)
    words: list[object] = []
    window.chat.ask("hold on")
    qtbot.waitUntil(lambda: answer(window).source == "HOLD ON")
    window.state.bridge.received.connect(lambda event: words.append(event))
    qtbot.waitUntil(lambda: len(words) > 6)
    assert all(isinstance(word, Here) for word in words), "nothing else came meanwhile"
    assert told(window) == []
    window.chat.stop()
    qtbot.waitUntil(lambda: not window.chat.session.busy)


def test_nobody_asks_it_while_nothing_is_awaited(open_window, qtbot: QtBot):
    window = open_window()
    window.silence.timer.setInterval(SOON_MS)
    node = node_of(window)
    node.send_signal(signal.SIGSTOP)
    ticks: list[None] = []
    window.silence.timer.timeout.connect(lambda: ticks.append(None))
    qtbot.waitUntil(lambda: len(ticks) > 20)
    assert told(window) == []
    node.send_signal(signal.SIGCONT)
