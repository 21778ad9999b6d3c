"""The whole application in a process of its own: it ends when it is told to, and its node with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.desktop import join, show_first
from idlepool.ui.main_window import MainWindow
from idlepool.ui.tray import Tray

PROGRAM = "import sys; from idlepool.ui.application import run; sys.exit(run(sys.argv[1:]))"

STARTED_AGAIN = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from idlepool.ui.application import run
from idlepool.ui.main_window import MainWindow

class OtherStart:
    def listen(self, on_start):
        QTimer.singleShot(0, lambda: self.come(on_start))

    def come(self, on_start):
        (window,) = (found for found in QApplication.topLevelWidgets() if isinstance(found, MainWindow))
        for leave in (window.hide, window.showMinimized):
            leave()
            on_start()
            print(window.isVisible() and not window.isMinimized())
        QApplication.quit()

    def close(self):
        pass

sys.exit(run(sys.argv[1:], other_starts=OtherStart()))
"""

SIGNALS = ["CTRL_BREAK_EVENT"] if sys.platform == "win32" else ["SIGINT", "SIGTERM"]
FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Titles of the notifications that were shown."""
    titles: list[str] = []
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda icon, title, *_: titles.append(title))
    return titles


@pytest.fixture
def trays() -> Iterator[list[Tray]]:
    """Those that were joined with a window."""
    joined: list[Tray] = []
    yield joined
    for one in joined:
        one.hide()


@pytest.fixture
def open_joined(open_window, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, trays: list[Tray]):
    """A window that is joined with a tray, or with a desktop that has none; what is in the list tells that it quits."""
    ended: list[bool] = []
    monkeypatch.setattr(qapp, "quit", lambda: ended.append(True))

    def open_it(*arguments: str, tray: bool, folder: Path | None = None) -> tuple[MainWindow, list[bool]]:
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: tray))
        window = open_window(*arguments, folder=folder)
        trays.append(Tray("Idlepool", window.watch, window.requests))
        join(qapp, window, trays[-1])
        return window, ended

    return open_it


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_ends_it_in_order_and_leaves_no_process(qtbot: QtBot, node_command: list[str], name: str):
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, *node_command], env=environment, creationflags=FLAGS)
    children = psutil.Process(program.pid).children
    qtbot.waitUntil(lambda: bool(children(recursive=True)) or program.poll() is not None, timeout=20_000)
    nodes = children(recursive=True)
    program.send_signal(getattr(signal, name))
    assert program.wait(20) == 0
    assert nodes
    assert not [node for node in nodes if node.is_running()]


def test_a_second_start_brings_the_window_back(node_command: list[str]):
    command = [sys.executable, "-c", STARTED_AGAIN, *node_command]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout.split()) == (0, ["True", "True"]), "hidden, and minimised"


@pytest.mark.parametrize("tray_here", [True, False])
def test_closing_ends_it_only_where_no_tray_brings_the_window_back(open_joined, tray_here: bool):
    window, ended = open_joined(tray=tray_here)
    assert window.banners.isVisible() is not tray_here
    window.close()
    assert not window.isVisible()
    assert bool(ended) is not tray_here
    window.requests.open_requested.emit()
    assert window.isVisible()


def test_where_the_window_went_is_told_once_and_not_at_each_start(open_joined, tmp_path: Path, told: list[str]):
    for _ in range(2):
        window, _ = open_joined(tray=True, folder=tmp_path)
        window.close()
        window.close()
    assert told == ["Idlepool"]


def test_a_desktop_without_a_tray_is_told_of_once_and_a_tray_that_goes_always(
    open_joined, tmp_path: Path, trays: list[Tray], monkeypatch: pytest.MonkeyPatch
):
    for banners in (1, 0):
        window, _ = open_joined(tray=False, folder=tmp_path)
        assert len(window.banners.shown) == banners
    for here in (True, False):
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda here=here: here))
        trays[-1].look()
    assert [banner.sentence for banner in window.banners.shown] == ["This desktop shows no tray icons."]


def test_a_tray_that_goes_leaves_the_window_in_its_place(
    open_joined, trays: list[Tray], monkeypatch: pytest.MonkeyPatch
):
    window, _ = open_joined(tray=True)
    window.close()
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    trays[-1].look()
    assert window.isVisible()
    assert window.isMinimized()


def test_the_menu_leads_to_the_settings(open_joined, trays: list[Tray]):
    window, _ = open_joined(tray=True)
    window.close()
    trays[-1].menu.settings.trigger()
    assert window.isVisible()
    assert window.pages.currentWidget() is window.settings_page


def test_closing_without_a_tray_lets_an_answer_finish_that_comes(open_joined, qtbot: QtBot):
    window, ended = open_joined(tray=False)
    window.chat.ask("hold on")

    def stay() -> None:
        box = window.findChild(QMessageBox)
        next(button for button in box.buttons() if button.text() == "Let it finish").click()

    QTimer.singleShot(0, stay)
    window.close()
    assert not ended
    qtbot.waitUntil(window.isVisible)
    assert window.chat.session.answering_in
    window.chat.stop()


@pytest.mark.parametrize(("answer", "quits"), [("Quit", True), ("Go on lending", False)])
def test_who_quits_while_others_use_the_pc_is_asked(open_joined, qtbot: QtBot, answer: str, quits: bool):
    window, ended = open_joined("--play", "tray", "lending", tray=True)
    qtbot.waitUntil(lambda: bool(window.state.hosted))
    questions: list[str] = []

    def reply() -> None:
        box = window.findChild(QMessageBox)
        questions.append(box.text())
        next(button for button in box.buttons() if button.text() == answer).click()

    QTimer.singleShot(0, reply)
    window.requests.quit_requested.emit()
    assert questions == ["Lending to 2 PCs."]
    assert bool(ended) is quits


def test_what_goes_on_without_the_window_is_no_question(open_joined, qtbot: QtBot):
    window, ended = open_joined("--play", "tray", "attached", "lending", tray=True)
    qtbot.waitUntil(lambda: bool(window.state.hosted))
    window.requests.quit_requested.emit()
    assert ended


@pytest.mark.parametrize("tray_here", [True, False])
def test_a_start_with_the_system_shows_a_window_only_where_no_tray_comes(
    open_joined, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, trays: list[Tray], tray_here: bool
):
    monkeypatch.setattr("idlepool.ui.desktop.TRAY_PATIENCE_MS", 10)
    window, _ = open_joined(tray=tray_here)
    window.hide()
    show_first(window, trays[0], hidden=True)
    if tray_here:
        with qtbot.assertNotEmitted(window.windowHandle().visibleChanged, wait=100):
            pass
    else:
        qtbot.waitUntil(window.isMinimized)
    assert window.isVisible() is not tray_here


def test_it_quits_without_a_word_where_nobody_uses_the_pc(open_joined):
    window, ended = open_joined("--play", "tray", "ready", tray=True)
    window.requests.quit_requested.emit()
    assert ended


def test_what_is_done_out_of_sight_is_notified_and_only_if_wanted(open_joined, qtbot: QtBot, told: list[str]):
    window, _ = open_joined(tray=True)
    for wanted, expected in ((False, []), (True, ["The answer is there"])):
        window.preferences.chosen.notifications = wanted
        window.show()
        window.chat.ask("tell me")
        window.hide()
        qtbot.waitUntil(lambda: "Answering" not in window.chat.state_words)
        assert [title for title in told if "hidden" not in title] == expected
    assert "TELL ME" not in " ".join(told), "others may look at the screen"


def test_a_pc_that_stops_lending_because_it_is_too_hot_says_so(open_joined, qtbot: QtBot, told: list[str]):
    window, _ = open_joined("--play", "tray", "ready", tray=True)
    qtbot.waitUntil(lambda: window.state.lending is not None)
    window.chat.ask("heat up")
    window.hide()
    qtbot.waitUntil(lambda: "This PC lends nothing more" in told)


def test_a_window_that_is_only_covered_is_marked_and_one_in_front_is_left_alone(
    open_joined, qtbot: QtBot, told: list[str], monkeypatch: pytest.MonkeyPatch
):
    marked: list[QWidget] = []
    monkeypatch.setattr(QApplication, "alert", staticmethod(lambda widget, *_: marked.append(widget)))
    window, _ = open_joined(tray=True)
    window.activateWindow()
    qtbot.waitActive(window)
    window.chat.ask("tell me")
    qtbot.waitUntil(lambda: window.chat.session.path[-1].text == "TELL ME" and not window.chat.session.busy)
    assert not marked
    above = QWidget()
    qtbot.addWidget(above)
    above.show()
    above.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    window.chat.ask("and now")
    qtbot.waitUntil(lambda: marked == [window])
    assert not told


def test_a_node_that_dies_is_news_only_when_it_is_not_started_again(open_joined, qtbot: QtBot, told: list[str]):
    window, _ = open_joined(tray=True)
    window.hide()
    for delays_ms, news in (((0,), []), ((), ["Idlepool needs you"])):
        window.revival._delays_ms = delays_ms
        window.revival._deaths.clear()
        with qtbot.waitSignal(window.revival.died):
            window.chat.ask("die")
        assert told == news
        qtbot.waitUntil(lambda news=news: bool(news) or window.state.ready is not None)
