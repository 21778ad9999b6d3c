"""The Dock of macOS, as far as it can be played: Qt tells of a click on it as of an activation of the application."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.dock import DockClicks

ACTIVE, INACTIVE = Qt.ApplicationState.ApplicationActive, Qt.ApplicationState.ApplicationInactive


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def activate(qapp: QApplication, *states: Qt.ApplicationState) -> None:
    for state in states:
        qapp.applicationStateChanged.emit(state)


def test_a_click_shows_the_window_that_was_closed(qapp: QApplication, window: QWidget):
    shown: list[bool] = []
    clicks = DockClicks(qapp, window, lambda: shown.append(True), hidden=False)
    activate(qapp, INACTIVE)
    assert shown == []
    activate(qapp, ACTIVE)
    assert shown == [True]
    activate(qapp, ACTIVE)
    assert shown == [True, True], "it was active already"
    clicks.deleteLater()


def test_a_window_that_is_shown_is_left_alone(qapp: QApplication, window: QWidget):
    shown: list[bool] = []
    window.show()
    clicks = DockClicks(qapp, window, lambda: shown.append(True), hidden=False)
    activate(qapp, INACTIVE, ACTIVE)
    assert shown == []
    clicks.deleteLater()


def test_a_start_in_the_background_is_no_click(qapp: QApplication, window: QWidget):
    shown: list[bool] = []
    clicks = DockClicks(qapp, window, lambda: shown.append(True), hidden=True)
    activate(qapp, ACTIVE)
    assert shown == []
    activate(qapp, INACTIVE, ACTIVE)
    assert shown == [True]
    clicks.deleteLater()
