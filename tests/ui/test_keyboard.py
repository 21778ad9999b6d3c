"""Where the keyboard is after something was done: never nowhere, and where whoever works with it goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.message_tools import Act
from idlepool.ui.main_window import MainWindow
from idlepool.ui.sidebar import NARROW

Role, State = QAccessible.Role, QAccessible.State


@pytest.fixture
def window(open_window: Callable[..., MainWindow], qtbot: QtBot) -> MainWindow:
    window = open_window("--pairs", "idle-1")
    window.resize(1000, 700)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def ask(window: MainWindow, qtbot: QtBot, question: str) -> None:
    window.chat.ask(question)
    qtbot.waitUntil(lambda: window.chat.session.answering is None)


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the focus"
    return widget


def press(key: Qt.Key) -> None:
    QTest.keyClick(focused(), key)


def go_to(widget: QWidget) -> None:
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    assert focused() is widget


# --- messages -----------------------------------------------------------------------------------------------------


def test_versions_are_paged_through_with_one_key(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, "tell me")
    for _ in range(2):
        window.chat.ask_again()
        qtbot.waitUntil(lambda: window.chat.session.answering is None)
    go_to(window.chat.transcript.bubbles[-1].tools.buttons[Act.PREVIOUS])
    for place in ("2 of 3", "1 of 3"):
        press(Qt.Key.Key_Space)
        tools = window.chat.transcript.bubbles[-1].tools
        qtbot.waitUntil(lambda place=place: place in spoken(window.chat.transcript.bubbles[-1].tools))
        assert focused().parent() is tools
    assert focused() is tools.buttons[Act.NEXT]  # there is no earlier version
    press(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "2 of 3" in spoken(window.chat.transcript.bubbles[-1].tools))
    assert focused() is window.chat.transcript.bubbles[-1].tools.buttons[Act.NEXT]


def spoken(widget: QWidget) -> str:
    """All that a screen reader finds in it."""
    return "\n".join(child.accessibleName() for child in widget.findChildren(QWidget))


def test_a_file_that_is_taken_out_leaves_the_keyboard_in_the_message(window: MainWindow, qtbot: QtBot, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("some words", "utf-8")
    window.chat.attach([file])
    remove = window.chat.composer.files.findChildren(QToolButton)[0]
    go_to(remove)
    press(Qt.Key.Key_Space)
    assert focused() is window.chat.composer.field


# --- the list -----------------------------------------------------------------------------------------------------


def test_one_conversation_after_the_other_is_deleted(window: MainWindow, qtbot: QtBot):
    for question in ("one", "two", "three"):
        window.begin_conversation()
        ask(window, qtbot, question)
    view = window.conversations.list.view
    go_to(view)
    view.choose(window.chat.session.id)
    for left in (2, 1):
        press(Qt.Key.Key_Delete)
        qtbot.waitUntil(lambda left=left: len(window.history.conversations(limit=9)) == left)
        assert focused() is view
        assert view.entry() is not None


def test_the_drawer_has_the_keyboard_and_gives_it_back(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, "one")
    window.resize(NARROW - 100, 600)
    opener, shown = window.sidebar.opener, window.conversations.list
    qtbot.waitUntil(opener.isVisible)
    go_to(opener)
    press(Qt.Key.Key_Space)
    assert focused() is shown.fresh
    press(Qt.Key.Key_Tab)
    assert focused() is shown.more
    press(Qt.Key.Key_Escape)
    assert not shown.isVisible()
    assert focused() is opener


def test_the_drawer_closes_where_tab_leaves_it_and_at_escape_beside_it(window: MainWindow, qtbot: QtBot):
    window.resize(NARROW - 100, 600)
    opener, shown = window.sidebar.opener, window.conversations.list
    qtbot.waitUntil(opener.isVisible)
    go_to(opener)
    press(Qt.Key.Key_Space)
    window.chat.composer.field.setFocus(Qt.FocusReason.TabFocusReason)
    assert not shown.isVisible()
    go_to(opener)
    press(Qt.Key.Key_Space)
    assert shown.isVisible()
    go_to(opener)
    press(Qt.Key.Key_Escape)
    assert not shown.isVisible()
    assert focused() is opener


# --- dialogs and banners ------------------------------------------------------------------------------------------

OPENERS: dict[str, Callable[[MainWindow], QWidget]] = {
    "settings of a conversation": lambda window: window.chat.header.settings,
    "report": lambda window: window.settings_page.about.report,
    "licences": lambda window: window.settings_page.about.licences,
    "introduction": lambda window: window.settings_page.look.introduction,
}


@pytest.mark.parametrize("name", OPENERS)
def test_escape_closes_a_dialog_and_the_keyboard_is_where_it_was(window: MainWindow, qtbot: QtBot, name: str):
    if QApplication.platformName() == "offscreen":
        pytest.skip("nobody gives the focus back to the window")
    opener = OPENERS[name](window)
    window.show_page(window.chat if window.chat.isAncestorOf(opener) else window.settings_page)
    qtbot.waitUntil(opener.isVisible)
    go_to(opener)
    press(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), QDialog))
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    assert focused() is opener


def test_a_banner_that_is_dismissed_leaves_the_keyboard_in_the_window(window: MainWindow, qtbot: QtBot):
    for sentence in ("One thing.", "Another thing."):
        window.banners.add(sentence)
    while window.banners.shown:
        go_to(window.banners.shown[0].findChildren(QToolButton)[-1])
        press(Qt.Key.Key_Space)
        assert focused().window() is window
        assert focused().isVisible()


# --- what a screen reader is told things are ----------------------------------------------------------------------


def role(widget: QWidget) -> Role:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface.role()


def test_things_are_what_they_look_like(window: MainWindow):
    assert role(window) == Role.Window  # only then a screen reader finds what is in it
    assert {role(button) for button in window.settings_page.section_list.buttons.buttons()} == {Role.RadioButton}
    assert role(window.chat.composer.field) == Role.EditableText
    assert role(window.conversations.list.view) == Role.List


def test_the_sidebar_is_read_from_the_top(window: MainWindow):
    sidebar = QAccessible.queryAccessibleInterface(window.sidebar)
    assert sidebar is not None
    seen = [sidebar.child(number) for number in range(sidebar.childCount())]
    tops = [child.rect().top() for child in seen if child and not child.state().invisible]
    assert tops == sorted(tops)
    assert len(tops) >= 6
