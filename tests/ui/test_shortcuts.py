"""The one table of keys: each is bound once, and the README shows the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.shortcut_list import ShortcutList
from idlepool.ui.shortcuts import SHORTCUTS, as_markdown, bind, keys_of

README = Path(__file__).parents[2] / "README.md"


def test_no_keys_mean_two_things():
    keys = Counter(sequence.toString() for shortcut in SHORTCUTS for sequence in shortcut.sequences)
    assert "" not in keys
    assert {key: count for key, count in keys.items() if count > 1} == {}
    assert len({shortcut.name for shortcut in SHORTCUTS}) == len(SHORTCUTS)


def test_all_keys_of_an_entry_act(qtbot: QtBot):
    window = QWidget()
    qtbot.addWidget(window)
    acted: list[bool] = []
    assert len(bind(window, "settings page", lambda: acted.append(True)).keys()) == 2
    assert keys_of("settings page") == "Ctrl+4 / Ctrl+,"
    with qtbot.waitActive(window):
        window.show()
    qtbot.keyClick(window, "4", modifier=Qt.KeyboardModifier.ControlModifier)
    assert acted == [True]


def test_the_key_that_sends_has_one_name_everywhere(open_window):
    assert (keys_of("send"), keys_of("new line")) == ("Enter", "Shift+Enter")
    assert "| Shift+Enter | Begin a new line |" in as_markdown()
    assert open_window().chat.composer.button.toolTip() == "Send (Enter)"


def test_the_list_shows_every_entry(qtbot: QtBot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    shown = [label.text() for label in ShortcutList(window).findChildren(QLabel)]
    assert [shortcut.words for shortcut in SHORTCUTS if shortcut.words not in shown] == []
    assert [shortcut.shown() for shortcut in SHORTCUTS if shortcut.shown() not in shown] == []


def test_the_readme_shows_the_same_table():
    readme = README.read_text("utf-8")
    if "| Keys |" not in readme:
        pytest.skip("the README has no table of shortcuts")
    assert as_markdown() in readme
