"""Before the window ends it asks where something said would be lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from idlepool.ui.farewell import may_quit
from idlepool.ui.history.history import FILE
from idlepool.ui.main_window import MainWindow


def answer_with(window: MainWindow, words: str) -> list[str]:
    """Click a button of the question as soon as it is there; what it asked."""
    asked: list[str] = []

    def click() -> None:
        question = window.findChild(QMessageBox)
        if question is None or not question.isVisible():
            QTimer.singleShot(10, click)
            return
        asked.append(question.text())
        next(button for button in question.findChildren(QPushButton) if button.text() == words).click()

    QTimer.singleShot(0, click)
    return asked


def ask(window: MainWindow, qtbot: QtBot) -> None:
    """Have a question answered."""
    window.chat.ask("hello")
    qtbot.waitUntil(lambda: not window.chat.session.answering_in)


@pytest.mark.parametrize(("words", "quits"), [("Quit", True), ("Do not quit", False)])
def test_words_that_no_disk_has_are_not_lost_unasked(
    open_window, qtbot: QtBot, tmp_path: Path, words: str, quits: bool
):
    (tmp_path / FILE).mkdir()
    window = open_window(folder=tmp_path)
    ask(window, qtbot)
    asked = answer_with(window, words)
    assert may_quit(window) is quits
    assert FILE in asked[0]


@pytest.mark.parametrize(("words", "quits"), [("Quit", True), ("Let it finish", False)])
def test_an_answer_that_comes_does_not_break_off_unasked(
    open_window, qtbot: QtBot, tmp_path: Path, words: str, quits: bool
):
    window = open_window(folder=tmp_path)
    window.chat.ask("hold on")
    window.chat.new_conversation()
    asked = answer_with(window, words)
    assert may_quit(window) is quits
    assert asked == ["An answer is being written."]


def test_a_disk_that_is_back_in_time_needs_no_question(open_window, qtbot: QtBot, tmp_path: Path):
    (tmp_path / FILE).mkdir()
    window = open_window(folder=tmp_path)
    ask(window, qtbot)
    (tmp_path / FILE).rmdir()
    assert may_quit(window)
    assert window.history.waiting == 0


def test_nothing_is_asked_where_nothing_is_lost(open_window, qtbot: QtBot, tmp_path: Path):
    window = open_window(folder=tmp_path)
    ask(window, qtbot)
    assert may_quit(window)
