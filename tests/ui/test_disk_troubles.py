"""The disk fails while the window is open: it says so once, goes on, and all is there at the next start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from small_disk import fill, small_disk

from idlepool.engine.pool.child_process import python_module
from idlepool.ui import conversations
from idlepool.ui.bridge import Bridge
from idlepool.ui.history.history import History
from idlepool.ui.main_window import MainWindow
from idlepool.ui.preferences import Preferences

LONG = "split " + "all of this into many small pieces " * 60
REAL_NODE_MS = 120_000
"""For a node with the engine to import, on a busy machine."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "RETRY_MS", 100)


def told(window: MainWindow) -> list[str]:
    return [banner.sentence for banner in window.banners.shown]


def said(window: MainWindow) -> list[str]:
    return [message.text for message in window.chat.session.path]


def close(window: MainWindow) -> None:
    """As at the end of the program."""
    window.revival.stop()
    window.remember()
    window.hide()
    window.state.bridge.stop()
    window.conversations.end()


def ask(window: MainWindow, qtbot: QtBot, question: str) -> None:
    window.chat.ask(question)
    qtbot.waitUntil(lambda: said(window)[-1:] == [question.upper()] and window.chat.session.answering is None)


def test_the_disk_fills_while_an_answer_comes(tmp_path: Path, open_window, qtbot: QtBot):
    with small_disk(tmp_path / "disk", "2m") as disk:
        window = open_window(folder=disk)
        ask(window, qtbot, "before")
        window.chat.ask(LONG)
        qtbot.waitUntil(lambda: bool((coming := window.chat.session.answering) and coming.text))
        fill(disk)
        qtbot.waitUntil(lambda: bool(told(window)))
        assert window.chat.session.answering is not None, "it goes on"
        qtbot.waitUntil(lambda: window.chat.session.answering is None)
        ask(window, qtbot, "and after")
        window.chat.composer.field.setPlainText("half a thought")
        window.chat.keep()
        assert told(window) == ["The disk is full: conversations are only kept in memory until there is room on it."]
        (disk / "filler").unlink()
        qtbot.waitUntil(lambda: told(window) == [])
        close(window)

        again = open_window(folder=disk)
        assert said(again) == ["before", "BEFORE", LONG, LONG.upper(), "and after", "AND AFTER"]
        assert again.chat.composer.field.toPlainText() == "half a thought"
        assert told(again) == []
        close(again)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody move a folder with an open file")
def test_the_disk_is_unplugged_and_comes_back(tmp_path: Path, open_window, qtbot: QtBot):
    disk, away = tmp_path / "disk", tmp_path / "away"
    window = open_window(folder=disk)
    ask(window, qtbot, "before")
    disk.rename(away)
    ask(window, qtbot, "meanwhile")
    assert told(window) == [
        f"{disk / 'conversations.db'} cannot be opened: conversations are only kept in memory until it can."
    ]
    away.rename(disk)
    qtbot.waitUntil(lambda: told(window) == [])
    close(window)
    again = open_window(folder=disk)
    assert said(again) == ["before", "BEFORE", "meanwhile", "MEANWHILE"]
    close(again)


@pytest.fixture
def read_only(tmp_path: Path, qtbot: QtBot) -> Iterator[Path]:
    """A data folder with a conversation, on a disk that takes nothing any more."""
    with small_disk(tmp_path / "disk", "4m") as disk:
        preferences, history = Preferences(disk), History(disk)
        conversation = history.create()
        history.add_message(conversation.id, None, "user", "kept")
        history.close()
        preferences.chosen.last_conversation = conversation.id
        preferences.save()
        remount(disk, "ro")
        yield disk


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


def test_a_data_folder_that_cannot_be_written_is_one_trouble(read_only: Path, qtbot: QtBot):
    options = ["--home", str(read_only), "--port", "0", "--key-file", "--listen", "127.0.0.1"]
    bridge = Bridge(python_module("idlepool.app", "node", "--control", "--attach", *options))
    window = MainWindow(bridge, preferences=Preferences(read_only))
    window.revival._refused_ms = ()  # only the disk brings it back
    qtbot.addWidget(window)
    window.show()
    try:
        with qtbot.waitSignal(window.revival.died, timeout=REAL_NODE_MS):
            bridge.start()
        (banner,) = window.banners.shown
        assert banner.sentence == f"{read_only} could not be written: Read-only file system."
        assert "allow Idlepool to write there. Until then nothing is answered, and what you write" in (
            banner.accessibleName()
        )
        assert said(window) == ["kept"]
        window.chat.composer.field.setPlainText("written meanwhile")
        window.chat.keep()
        remount(read_only, "rw")
        qtbot.waitUntil(lambda: window.state.ready is not None, timeout=REAL_NODE_MS)
        qtbot.waitUntil(lambda: told(window) == [])
    finally:
        close(window)
    again = History(read_only)
    assert [again.open(entry.id).draft for entry in again.conversations(limit=9)] == ["written meanwhile"]
    again.close()
