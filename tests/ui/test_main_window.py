"""The main window around its pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from idlepool.engine.events import NodeReady
from idlepool.ui.bridge import Bridge
from idlepool.ui.main_window import MainWindow
from idlepool.ui.preferences import Preferences
from idlepool.ui.shortcut_list import ShortcutList
from idlepool.ui.shortcuts import SHORTCUTS


def test_closing_hides_the_window_and_tells(open_window, qtbot: QtBot):
    window = open_window()
    with qtbot.waitSignal(window.closed):
        window.closeEvent(QCloseEvent())


def test_it_keeps_what_the_node_told_last_for_all_pages(open_window, qtbot: QtBot):
    state = open_window("--pcs", "3").state
    qtbot.waitUntil(lambda: len(state.peers) == 3)
    assert state.ready
    assert [model.name for model in state.models] == ["starter"]
    assert state.here
    assert state.here.name == "idle-1"


@pytest.mark.parametrize(
    ("keys", "page"),
    [("Ctrl+2", "pool_page"), ("Ctrl+3", "models_page"), ("Ctrl+4", "settings_page"), ("Ctrl+,", "settings_page")],
)
def test_keys_lead_to_each_page_and_back(open_window, qtbot: QtBot, keys: str, page: str):
    window = open_window()
    press(window, keys)
    assert window.pages.currentWidget() is getattr(window, page)
    press(window, "Ctrl+1")
    assert window.pages.currentWidget() is window.chat


def test_a_page_is_there_when_somebody_goes_to_it_before_the_node_is(qtbot: QtBot, node_command: list[str]):
    window = MainWindow(Bridge(node_command))
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    for number, page in enumerate(("chat", "pool_page", "models_page", "settings_page")):
        press(window, f"Ctrl+{number + 1}")
        assert window.pages.currentWidget() is getattr(window, page)
        assert window.sidebar.buttons.checkedId() == number
    assert window.settings_page.section_list.isVisible()
    assert window.pages.count() == 4


def test_pages_that_nobody_went_to_hear_the_first_word_of_the_node(qtbot: QtBot, node_command: list[str]):
    window, heard = MainWindow(bridge := Bridge(node_command)), []
    qtbot.addWidget(window)
    window.completed.connect(lambda: bridge.received.connect(heard.append))
    window.show()
    bridge.start()
    qtbot.waitUntil(lambda: bool(heard))
    assert isinstance(heard[0], NodeReady)
    bridge.stop()


@pytest.mark.parametrize("page", ["chat", "pool_page", "models_page", "settings_page"])
def test_a_conversation_is_begun_from_every_page(open_window, qtbot: QtBot, page: str):
    window = open_window()
    window.chat.ask("hello")
    qtbot.waitUntil(lambda: window.chat.session.answering is None)
    window.show_page(getattr(window, page))
    press(window, "Ctrl+N")
    assert window.pages.currentWidget() is window.chat
    assert window.chat.session.id == 0
    assert window.chat.welcome.isVisible()


def test_f1_lists_all_keys(open_window, qtbot: QtBot):
    window = open_window()
    press(window, "F1")
    qtbot.waitUntil(lambda: window.findChild(ShortcutList) is not None)
    press(window.findChild(ShortcutList), "Esc")
    qtbot.waitUntil(lambda: window.findChild(ShortcutList) is None)


def test_keys_hide_and_quit(open_window, qtbot: QtBot):
    window = open_window()
    with qtbot.waitSignal(window.requests.quit_requested):
        press(window, "Ctrl+Q")
    with qtbot.waitSignal(window.closed):
        press(window, "Ctrl+W")
    assert not window.isVisible()


def test_every_key_of_the_table_is_bound_and_no_other(open_window):
    window = open_window()
    keys = [shortcut.keys() for shortcut in window.findChildren(QShortcut)]
    bound = {key.toString() for several in keys for key in several}
    listed = {key.toString() for shortcut in SHORTCUTS for key in shortcut.sequences}
    by_widget = {key.toString() for shortcut in SHORTCUTS if shortcut.by_widget for key in shortcut.sequences}
    assert bound - listed == set()
    assert listed - bound - by_widget == set()


def test_the_window_comes_back_as_it_was_left(qtbot: QtBot, node_command: list[str], tmp_path: Path):
    first = shown(qtbot, node_command, tmp_path)
    first.setGeometry(40, 60, 700, 560)
    first.show_page(first.pool_page)
    kept = first.history.create(model="starter")
    first.history.add_message(kept.id, None, "user", "Hello")
    first.chat.open_conversation(kept.id)
    first.close()
    first.conversations.end()
    second = shown(qtbot, node_command, tmp_path)
    assert second.size().toTuple() == (700, 560)
    assert second.pages.currentWidget() is second.pool_page
    assert second.chat.session.id == kept.id
    second.conversations.end()


def test_the_conversation_is_in_sight_again_where_the_window_did_not_end_in_order(
    qtbot: QtBot, node_command: list[str], tmp_path: Path
):
    first = shown(qtbot, node_command, tmp_path)
    kept = first.history.create(model="starter")
    first.history.add_message(kept.id, None, "user", "Hello")
    first.chat.open_conversation(kept.id)
    first.history.close()  # and nothing else that an orderly end does
    second = shown(qtbot, node_command, tmp_path)
    assert second.chat.session.id == kept.id
    second.conversations.end()


@pytest.mark.parametrize(
    "damaged", ["", "{", '{"geometry": "zz", "page": 77, "last_conversation": 123456}', '{"page": "x"}']
)
def test_what_it_remembers_may_be_damaged(qtbot: QtBot, node_command: list[str], tmp_path: Path, damaged: str):
    (tmp_path / "window.json").write_text(damaged)
    window = shown(qtbot, node_command, tmp_path)
    assert window.pages.currentWidget() is window.chat
    put_aside = "zz" not in damaged
    assert ("window.json.broken" in " ".join(banner.sentence for banner in window.banners.shown)) is put_aside
    window.conversations.end()


def shown(qtbot: QtBot, node_command: list[str], folder: Path) -> MainWindow:
    window = MainWindow(Bridge(node_command), preferences=Preferences(folder))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


def press(widget: QWidget, keys: str) -> None:
    QTest.keySequence(widget, QKeySequence(keys))
