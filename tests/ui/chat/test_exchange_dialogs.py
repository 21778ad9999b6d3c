"""Conversations are exported and imported: the file's name, what is told, and a window that lives meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.conversation_list import ConversationList
from idlepool.ui.history.history import History
from idlepool.ui.history.values import Message, Tree

PATIENCE_MS = 60_000


@pytest.fixture
def history() -> History:
    return History(None)


@pytest.fixture
def listed(history: History, qtbot: QtBot) -> ConversationList:
    for question, answer in (
        ("lentil soup", "Wash them."),
        ("blue sky", "Rayleigh scattering."),
        ("日本語", "東京です。"),
    ):
        conversation = history.create()
        asked = history.add_message(conversation.id, None, "user", question)
        history.add_message(conversation.id, asked.id, "assistant", answer)
    shown = ConversationList(history)
    qtbot.addWidget(shown)
    shown.resize(240, 600)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def rows(listed: ConversationList) -> list[str]:
    return [str(listed.model.index(number, 0).data()) for number in range(listed.model.rowCount())]


def all_of(history: History) -> list[int]:
    return [entry.id for entry in history.conversations(limit=9_999)]


def many(history: History, count: int) -> None:
    asked = Message(1, 0, None, "user", "a word of the day " * 20, "done", "", None, "", 0)
    history.add_trees([Tree(f"talk {number}", (asked,)) for number in range(count)])


def save_as(dialog: QFileDialog, path: Path) -> None:
    dialog.fileSelected.emit(str(path))
    dialog.close()


def test_one_is_exported_and_comes_back(listed: ConversationList, history: History, qtbot: QtBot, tmp_path: Path):
    number = all_of(history)[1]
    listed.view.export_wanted.emit(number)
    dialog = listed.findChild(QFileDialog)
    assert "blue sky" in dialog.selectedFiles()[0]
    with qtbot.waitSignal(listed.told) as told:
        save_as(dialog, tmp_path / "sky.md")
    assert "sky.md" in told.args[0]
    assert "Rayleigh scattering." in (tmp_path / "sky.md").read_text("utf-8")
    with qtbot.waitSignals([listed.told, listed.chosen]):
        listed.files.read(tmp_path / "sky.md")
    assert rows(listed).count("blue sky") == 2


def test_all_are_exported_at_once(listed: ConversationList, history: History, qtbot: QtBot, tmp_path: Path):
    export = next(action for action in listed.menu().actions() if action.text() == "Export all …")
    export.trigger()
    with qtbot.waitSignal(listed.told):
        save_as(listed.findChild(QFileDialog), tmp_path / "all.json")
    fresh = ConversationList(History(None))
    qtbot.addWidget(fresh)
    assert not next(action for action in fresh.menu().actions() if action.text() == "Export all …").isEnabled()
    with qtbot.waitSignal(fresh.told):
        fresh.files.read(tmp_path / "all.json")
    assert rows(fresh) == rows(listed)


def test_the_window_lives_while_very_many_are_exported_and_imported(
    listed: ConversationList, history: History, qtbot: QtBot, tmp_path: Path
):
    many(history, 3_000)
    numbers, path = all_of(history), tmp_path / "all.json"
    shown: set[int] = set()
    beat = QTimer(interval=0)  # other work of the window
    beat.timeout.connect(lambda: shown.add(listed.files.bar.bar.value()))
    beat.start()
    with qtbot.waitSignal(listed.told, timeout=PATIENCE_MS):
        listed.files.write(numbers, path)
    assert len([value for value in shown if 0 < value < 3_003]) > 3
    shown.clear()
    with qtbot.waitSignal(listed.told, timeout=PATIENCE_MS):
        listed.files.read(path)
    assert len([value for value in shown if 0 < value < 3_003]) > 3
    assert len(all_of(history)) == 2 * 3_003


def test_an_export_says_how_far_it_is_and_is_given_up(
    listed: ConversationList, history: History, qtbot: QtBot, tmp_path: Path
):
    many(history, 3_000)
    numbers = all_of(history)
    listed.files.write(numbers * 100, tmp_path / "all.json")
    qtbot.waitUntil(listed.files.bar.isVisible)
    assert "all.json" in listed.files.bar.words.text()
    assert not any(action.isEnabled() for action in listed.menu().actions())
    with qtbot.waitSignal(listed.told) as told:
        listed.view.export_wanted.emit(numbers[0])
    assert "Wait for its end" in told.args[0]
    qtbot.mouseClick(listed.files.bar.button, Qt.MouseButton.LeftButton)
    assert not listed.files.bar.isVisible()
    assert not list(tmp_path.iterdir())
    assert all(action.isEnabled() for action in listed.menu().actions())


@pytest.mark.parametrize(
    ("title", "proposed"),
    [
        ("What is new in 3.5?", "What is new in 3.5.md"),
        ("a/b: c", "a b c.md"),
        ("ü" * 200, "ü" * 60 + ".md"),
        ("...", "conversation.md"),
    ],
)
def test_a_file_name_is_proposed_that_every_system_takes(
    listed: ConversationList, history: History, qtbot: QtBot, title: str, proposed: str
):
    number = all_of(history)[1]
    history.rename(number, title)
    listed.reload()
    listed.view.export_wanted.emit(number)
    dialog = listed.findChild(QFileDialog)
    assert Path(dialog.selectedFiles()[0]).name == proposed
    dialog.close()


@pytest.mark.parametrize("name", ["missing.md", "folder"])
def test_what_cannot_be_read_is_told(listed: ConversationList, qtbot: QtBot, tmp_path: Path, name: str):
    (tmp_path / "folder").mkdir()
    with qtbot.waitSignal(listed.told) as told:
        listed.files.read(tmp_path / name)
    assert name in told.args[0]
    assert told.args[0].endswith(".")


def test_what_cannot_be_written_is_told(listed: ConversationList, qtbot: QtBot, tmp_path: Path):
    with qtbot.waitSignal(listed.told) as told:
        listed.files.write([1], tmp_path / "no folder" / "x.md")
    assert "could not be written" in told.args[0]


def test_rubbish_is_refused_in_a_sentence(listed: ConversationList, qtbot: QtBot, tmp_path: Path):
    (tmp_path / "x.json").write_text("{}")
    with qtbot.waitSignal(listed.told) as told:
        listed.files.read(tmp_path / "x.json")
    assert "holds no conversations" in told.args[0]
