"""What a screen reader is given to say while the focus is elsewhere: answers as they come, troubles, what was done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.message_tools import Act
from idlepool.ui.chat.spoken_answer import SpokenAnswer
from idlepool.ui.main_window import MainWindow
from idlepool.ui.pool.pairing_dialog import PairingDialog

POLITE, URGENT = QAccessible.AnnouncementPoliteness.Polite, QAccessible.AnnouncementPoliteness.Assertive


class Listener:
    """Hears what Qt hands on to the screen reader."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, QAccessible.AnnouncementPoliteness]] = []

    def __call__(self, event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            self.heard.append((event.message(), event.politeness()))

    @property
    def words(self) -> list[str]:
        return [words for words, _ in self.heard]


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    listener = Listener()
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", listener)
    return listener


@pytest.fixture
def window(open_window: Callable[..., MainWindow], qtbot: QtBot, listener: Listener) -> MainWindow:
    window = open_window()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    listener.heard.clear()
    return window


def ask(window: MainWindow, qtbot: QtBot, question: str) -> None:
    window.chat.ask(question)
    qtbot.waitUntil(lambda: window.chat.session.answering is None)


# --- answers ------------------------------------------------------------------------------------------------------


def test_an_answer_is_said_once_and_in_its_order(window: MainWindow, qtbot: QtBot, listener: Listener):
    ask(window, qtbot, "first line\n\nsecond *line*\n\nand the last one")
    assert listener.words[0] == "Thinking"
    said = "\n".join(listener.words[1:]).split("\n")
    assert said == ["FIRST LINE", "SECOND LINE", "AND THE LAST ONE"]
    assert {politeness for _, politeness in listener.heard} == {POLITE}


def test_an_answer_is_said_while_it_grows(window: MainWindow, qtbot: QtBot, listener: Listener):
    window.chat.ask("hold on\n\nfor a moment\n\nand more")
    qtbot.waitUntil(lambda: "FOR A MOMENT" in "\n".join(listener.words))
    assert "AND MORE" not in "\n".join(listener.words)  # that may not be all of it
    window.chat.stop()
    qtbot.waitUntil(lambda: listener.words[-1] == "AND MORE\nStopped")


def test_why_an_answer_broke_off_is_said(window: MainWindow, qtbot: QtBot, listener: Listener):
    window.chat.ask("fail please")
    qtbot.waitUntil(lambda: "idle-2, which held layers 10 to 19, is gone" in listener.words[-1])


def test_what_is_waited_for_is_said(window: MainWindow, qtbot: QtBot, listener: Listener):
    window.chat.ask("queue behind the others")
    qtbot.waitUntil(lambda: listener.words[-1:] == ["Number 2 in line"])


def test_what_was_said_is_not_said_again_where_an_answer_goes_on(window: MainWindow, qtbot: QtBot, listener: Listener):
    ask(window, qtbot, "fail\n\nat the end")
    listener.heard.clear()
    answer = window.chat.transcript.bubbles[-1]
    answer.wanted.emit(Act.GO_ON)
    qtbot.waitUntil(lambda: window.chat.session.answering is None)
    assert listener.words == ["Thinking", "AT THE END AND MORE"]


def test_old_answers_are_not_said_where_a_conversation_is_opened(window: MainWindow, qtbot: QtBot, listener: Listener):
    ask(window, qtbot, "something")
    conversation = window.chat.session.id
    window.begin_conversation()
    listener.heard.clear()
    window.chat.open_conversation(conversation)
    QTest.qWait(100)
    assert listener.words == []


def test_lines_that_still_grow_wait(listener: Listener, window: MainWindow):
    spoken = SpokenAnswer(window)
    spoken.begin()
    for text in ("a", "a b", "a b\nc", "a b\nc d\n", "a b\nc d\n\ne"):
        spoken.grow(text)
    assert listener.words == ["a b", "c d"]
    spoken.end("a b\nc d\n\ne f", "Stopped")
    assert listener.words == ["a b", "c d", "e f\nStopped"]


# --- what happens elsewhere ---------------------------------------------------------------------------------------


def test_a_trouble_is_said_at_once(window: MainWindow, listener: Listener):
    window.banners.add("The disk is full.", "Free some space.")
    assert listener.heard == [("The disk is full. Free some space.", URGENT)]


def test_a_file_that_does_not_come_in_is_said_at_once(window: MainWindow, listener: Listener, tmp_path: Path):
    window.chat.attach([tmp_path / "missing.txt"])
    ((words, politeness),) = listener.heard
    assert "missing.txt cannot be read" in words
    assert politeness == URGENT


def test_that_a_text_was_copied_is_said(window: MainWindow, qtbot: QtBot, listener: Listener):
    ask(window, qtbot, "something")
    answer = window.chat.transcript.bubbles[-1]
    answer.reveal_tools(True)
    answer.tools.buttons[Act.COPY].click()
    assert listener.words[-1] == "Copied"


def test_how_many_conversations_were_found_is_said(window: MainWindow, qtbot: QtBot, listener: Listener):
    ask(window, qtbot, "rainbows, please")
    window.begin_conversation()
    ask(window, qtbot, "more rainbows, please")
    field = window.conversations.list.field
    for words, told in (("rainbows", "2 conversations found."), ("more", "1 conversation found.")):
        field.setText(words)
        field.search_now()
        assert listener.words[-1] == told
    field.setText("zebra")
    field.search_now()
    assert listener.words[-1] == "Nothing found for “zebra”."


def test_what_was_deleted_is_said(window: MainWindow, qtbot: QtBot, listener: Listener):
    ask(window, qtbot, "rainbows, please")
    window.conversations.list.delete(window.chat.session.id)
    assert listener.words[-1] == "Deleted: rainbows, please"


def test_the_code_and_the_words_to_compare_are_said(
    open_window: Callable[..., MainWindow], qtbot: QtBot, listener: Listener
):
    window = open_window("--pairs", "idle-1", "--pairing", "done")
    dialog = PairingDialog(window.state.bridge, window)
    dialog.bring_up()
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog.start.show_code.click()
    qtbot.waitUntil(lambda: dialog.done_page.isVisible())
    assert "Code: K 7 M P , 3 X Q 9" in listener.words
    assert listener.words[-1].startswith("Paired with lagoon. Words to compare: acorn, tiger, piano, lemon.")


def test_nobody_who_works_in_another_program_is_interrupted(window: MainWindow, qtbot: QtBot, listener: Listener):
    window.setWindowState(Qt.WindowState.WindowMinimized)
    window.hide()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    window.banners.add("The disk is full.")
    assert listener.heard == []
