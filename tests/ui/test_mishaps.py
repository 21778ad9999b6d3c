"""An exception that nobody caught, in a slot and in the middle of painting."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.main_window import MainWindow
from idlepool.ui.mishaps import Mishaps

TOLD = "Something went wrong in this window."


@pytest.fixture
def window(open_window) -> Iterator[MainWindow]:
    window = open_window()
    mishaps = Mishaps(window)
    mishaps.install()
    yield window
    mishaps.uninstall()


def fail() -> None:
    raise ValueError("the words of a conversation")


def told(window: MainWindow) -> list[str]:
    return [banner.sentence for banner in window.banners.shown]


def test_it_is_told_without_the_words_of_the_exception_and_all_goes_on(window: MainWindow, qtbot: QtBot):
    QTimer.singleShot(0, fail)
    qtbot.waitUntil(lambda: told(window) == [TOLD])
    next(found for found in window.banners.findChildren(QPushButton) if found.text() == "Details").click()
    report = next(view for view in window.findChildren(QPlainTextEdit) if view.isReadOnly()).toPlainText()
    assert report.startswith("ValueError\n  test_mishaps.py:")
    assert "in fail" in report
    assert "the words" not in report
    assert "openvino" in report
    window.chat.ask("still there?")
    qtbot.waitUntil(lambda: window.chat.session.path[-1].text == "STILL THERE?")


def test_what_happens_again_and_again_is_told_once(window: MainWindow, qtbot: QtBot):
    class Broken(QWidget):
        def paintEvent(self, _event: QPaintEvent) -> None:
            painter = QPainter(self)
            painted.append(painter.isActive())
            raise RuntimeError

    painted: list[bool] = []
    broken = Broken(window.chat)
    broken.resize(20, 20)
    broken.show()
    qtbot.waitUntil(lambda: told(window) == [TOLD])
    window.banners.remove(window.banners.shown[0])
    before = len(painted)
    broken.update()
    qtbot.waitUntil(lambda: len(painted) > before)
    broken.deleteLater()
    qtbot.wait(50)
    assert told(window) == []
