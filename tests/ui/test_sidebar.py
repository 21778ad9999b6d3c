"""The sidebar: words and symbols in a wide window, a rail with a drawer in a narrow one."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.sidebar import NARROW, RAIL, Sidebar


class Window(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.sidebar = Sidebar()
        self.below = QLineEdit()
        self.page = QPushButton("page")
        self.footer = QLabel("footer")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.sidebar)
        row.addWidget(self.page, 1)
        self.sidebar.add("Chat", self.below, icon="chat")
        self.sidebar.add("Pool", icon="pool")
        self.sidebar.set_footer(self.footer)

    def resizeEvent(self, event) -> None:
        self.sidebar.fit(self.width())


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    shown = Window()
    qtbot.addWidget(shown)
    shown.resize(1000, 600)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def test_a_button_chooses_its_page(window: Window, qtbot: QtBot):
    with qtbot.waitSignal(window.sidebar.page_chosen) as chosen:
        window.sidebar.buttons.button(1).click()
    assert chosen.args == [1]
    window.sidebar.choose(1)
    assert not window.below.isVisible()
    window.sidebar.choose(0)
    assert window.below.isVisible()


def test_the_footer_is_at_the_bottom(window: Window, qtbot: QtBot):
    for width in (1000, NARROW - 1):
        window.resize(width, 600)
        qtbot.waitUntil(lambda: window.footer.geometry().bottom() > 560)


def test_a_narrow_window_has_a_rail_whose_buttons_still_say_what_they_are(window: Window, qtbot: QtBot):
    window.resize(NARROW - 1, 600)
    assert window.sidebar.width() == RAIL
    assert not window.below.isVisible()
    button = window.sidebar.buttons.button(1)
    assert button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    assert (button.accessibleName(), button.toolTip()) == ("Pool", "Pool")
    window.resize(NARROW, 600)
    assert window.sidebar.width() > RAIL
    assert window.below.isVisible()
    assert button.toolTip() == ""


def test_the_drawer_opens_over_the_page_and_closes_after_use(window: Window, qtbot: QtBot):
    window.resize(500, 600)
    window.sidebar.opener.click()
    assert window.below.isVisible()
    assert window.page.width() > 400
    window.sidebar.close_below()
    assert not window.below.isVisible()
    assert not window.sidebar.opener.isChecked()


@pytest.mark.parametrize("how", ["escape", "click", "button", "page", "wide"])
def test_the_drawer_closes_by_itself(window: Window, qtbot: QtBot, how: str):
    window.resize(500, 600)
    window.sidebar.open_below()
    qtbot.mouseClick(window.below, Qt.MouseButton.LeftButton)
    assert window.below.isVisible()
    match how:
        case "escape":
            qtbot.keyClick(window.below, Qt.Key.Key_Escape)
        case "click":
            qtbot.mouseClick(window.page, Qt.MouseButton.LeftButton)
        case "button":
            window.sidebar.opener.click()
        case "page":
            window.sidebar.choose(1)
            assert not window.sidebar.opener.isVisible()
        case "wide":
            window.resize(1000, 600)
            assert window.below.isVisible()
            return
    assert not window.below.isVisible()


def test_a_page_without_anything_below_opens_no_drawer(window: Window):
    window.sidebar.choose(1)
    window.resize(500, 600)
    window.sidebar.open_below()
    assert window.sidebar.findChild(QLineEdit) is None
    assert not window.below.isVisible()
