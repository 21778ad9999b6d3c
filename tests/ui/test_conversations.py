"""The list and the chat in the real window: what is done in one is seen in the other, and found after a restart."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from idlepool.ui.history.history import FILE, History
from idlepool.ui.main_window import MainWindow
from idlepool.ui.sidebar import NARROW


def titles(window: MainWindow) -> list[str]:
    model = window.conversations.list.model
    return [str(model.index(number, 0).data()) for number in range(model.rowCount())]


def ask(window: MainWindow, qtbot: QtBot, question: str) -> int:
    window.chat.ask(question)
    qtbot.waitUntil(lambda: "Answering" not in window.chat.state_words)
    return window.chat.session.id


def questions(window: MainWindow) -> list[str]:
    return [message.text for message in window.chat.session.path if message.role == "user"]


def test_what_is_asked_appears_in_the_list_at_once(open_window, qtbot: QtBot):
    window = open_window()
    assert window.conversations.list.nothing.isVisible()
    window.chat.ask("hold a rainbow")
    qtbot.waitUntil(lambda: "hold a rainbow" in titles(window))
    listed = window.conversations.list
    qtbot.waitUntil(lambda: listed.view.drawn.answering == frozenset({window.chat.session.id}))
    assert listed.view.drawn.shown == window.chat.session.id


def test_conversations_are_gone_between_by_the_list(open_window, qtbot: QtBot):
    window = open_window()
    first = ask(window, qtbot, "first")
    window.conversations.list.fresh.click()
    assert questions(window) == []
    ask(window, qtbot, "second")
    assert titles(window) == ["Today", "second", "first"]
    window.conversations.list.chosen.emit(first)
    assert questions(window) == ["first"]
    assert window.conversations.list.view.drawn.shown == first
    assert window.focusWidget() is window.chat.composer.field


def test_the_shown_one_can_be_deleted_and_brought_back(open_window, qtbot: QtBot):
    window = open_window()
    number = ask(window, qtbot, "keep me")
    listed = window.conversations.list
    listed.view.delete_wanted.emit(number)
    assert questions(window) == []
    listed.undo.button.click()
    assert questions(window) == ["keep me"]


def test_ctrl_f_searches_from_every_page(open_window, qtbot: QtBot):
    window = open_window()
    ask(window, qtbot, "a needle")
    window.show_page(1)
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    listed = window.conversations.list
    qtbot.waitUntil(listed.field.hasFocus)
    qtbot.keyClicks(listed.field, "NEEDLE")
    qtbot.waitUntil(lambda: titles(window) == ["a needle"])
    assert any(piece.found for piece in listed.model.index(0, 0).data(Qt.ItemDataRole.UserRole).snippet)


def test_in_a_narrow_window_the_search_opens_the_list_and_choosing_closes_it(open_window, qtbot: QtBot):
    window = open_window()
    number = ask(window, qtbot, "a needle")
    window.resize(NARROW - 100, 600)
    listed = window.conversations.list
    assert not listed.isVisible()
    assert window.chat.header.fresh.isVisible()
    window.search()
    assert listed.field.hasFocus()
    listed.chosen.emit(number)
    assert not listed.isVisible()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody move a folder with open files")
def test_a_disk_that_is_unplugged_is_told_until_it_is_back_and_nothing_is_lost(
    open_window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("idlepool.ui.conversations.RETRY_MS", 50)
    folder, away = tmp_path / "disk", tmp_path / "away"
    window = open_window(folder=folder)
    before = ask(window, qtbot, "before")
    folder.rename(away)
    meanwhile = ask(window, qtbot, "while it is away")
    assert ["conversations.db cannot be opened" in banner.sentence for banner in window.banners.shown] == [True]
    assert meanwhile == before
    assert questions(window) == ["before", "while it is away"]
    window.remember()
    assert not folder.exists(), "what is written to an empty folder in its place is out of sight once it is back"
    window.conversations.list.fresh.click()
    ask(window, qtbot, "a new one")
    assert "a new one" in titles(window)
    away.rename(folder)
    qtbot.waitUntil(lambda: window.banners.shown == [])
    window.conversations.end()
    again = History(folder)
    kept = [[message.text for message in again.path(entry.id)] for entry in again.conversations(limit=9)]
    assert kept == [["a new one", "A NEW ONE"], ["before", "BEFORE", "while it is away", "WHILE IT IS AWAY"]]


def test_a_file_that_cannot_be_used_is_told_at_the_start_and_loses_nothing(tmp_path: Path, open_window, qtbot: QtBot):
    (tmp_path / FILE).mkdir()
    window = open_window(folder=tmp_path)
    assert FILE in window.banners.shown[0].sentence
    number = ask(window, qtbot, "said in spite of it")
    (tmp_path / FILE).rmdir()
    assert window.history.retry()
    assert window.banners.shown == []
    window.conversations.end()
    assert History(tmp_path).path(number)[0].text == "said in spite of it"


def test_what_was_deleted_is_erased_at_the_end(tmp_path: Path, open_window, qtbot: QtBot):
    window = open_window(folder=tmp_path)
    gone, kept = ask(window, qtbot, "gone"), 0
    window.conversations.list.fresh.click()
    kept = ask(window, qtbot, "kept")
    window.conversations.list.delete(gone)
    window.conversations.end()
    again = History(tmp_path)
    assert [entry.id for entry in again.conversations(limit=9)] == [kept]
    with pytest.raises(LookupError):
        again.open(gone)
    assert (tmp_path / FILE).exists()


def test_what_became_of_a_file_gives_its_place_to_the_next_and_to_nothing_else(open_window, qtbot: QtBot):
    window = open_window()
    window.banners.add("Something else.")
    for sentence in ("1 conversation exported to a.md.", "1 conversation imported."):
        window.conversations.list.told.emit(sentence)
        assert [banner.sentence for banner in window.banners.shown] == ["Something else.", sentence]
    window.banners.remove(window.banners.shown[1])
    window.conversations.list.told.emit("1 conversation imported.")
    assert len(window.banners.shown) == 2
