"""A conversation that is too long to be drawn as a whole: what is done to a message that is far is not forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.bubble import AnswerBubble, Bubble
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.chat.message_tools import Act
from idlepool.ui.history.history import History
from idlepool.ui.main_window import MainWindow

TURNS = 60
NEEDLE = 11
"""The turn whose answer is searched for."""


@pytest.fixture
def window(tmp_path: Path, open_window, qtbot: QtBot) -> MainWindow:
    history = History(tmp_path)
    conversation = history.create(model="starter")
    parent = None
    for turn in range(TURNS):
        asked = history.add_message(conversation.id, parent, "user", f"question {turn}")
        text = f"answer {turn}: " + ("a needle in the hay. " if turn == NEEDLE else "some words of hay. ") * 20
        parent = history.add_message(conversation.id, asked.id, "assistant", text, model="starter").id
    history.close()
    window = open_window(folder=tmp_path)
    window.chat.open_conversation(conversation.id)
    return window


def bubble_of(chat: ChatPage, text: str) -> Bubble | None:
    bubbles = (bubble for bubble in chat.transcript.bubbles if bubble.text.toPlainText().startswith(text))
    return next(bubbles, None)


def go_far_from(chat: ChatPage, text: str, qtbot: QtBot) -> None:
    """Scroll through the conversation until a bubble was dropped."""
    bar = chat.transcript.verticalScrollBar()
    while bubble_of(chat, text) is not None:
        at_end = bar.value() == bar.maximum()
        bar.setValue(0 if at_end else bar.value() + 400)
        qtbot.wait(1)


def test_a_message_that_was_found_is_in_sight_and_marked(window: MainWindow, qtbot: QtBot):
    chat, listed = window.chat, window.conversations.list
    assert bubble_of(chat, f"answer {NEEDLE}:") is None
    listed.field.setText("needle")
    qtbot.waitUntil(lambda: listed.model.words == "needle")
    qtbot.keyClick(listed.view, Qt.Key.Key_Return)
    found = bubble_of(chat, f"answer {NEEDLE}:")
    assert found is not None
    qtbot.wait(100)  # those around it are built, and turn out taller or lower than guessed
    assert 0 <= found.mapTo(chat.transcript.viewport(), QPoint(0, 0)).y() < chat.transcript.viewport().height() // 2
    assert found.frame.property("found")
    assert chat.transcript.jump.isVisible()
    qtbot.waitUntil(lambda: not found.frame.property("found"))


def test_unfolded_details_stay_so_when_their_answer_was_far(window: MainWindow, qtbot: QtBot):
    chat = window.chat
    chat.transcript.verticalScrollBar().setValue(0)
    answer = bubble_of(chat, "answer 0:")
    assert isinstance(answer, AnswerBubble)
    answer.reveal_tools(True)
    answer.tools.buttons[Act.DETAILS].click()
    assert "Model: starter" in answer._details.text()
    go_far_from(chat, "answer 0:", qtbot)
    chat.transcript.verticalScrollBar().setValue(0)
    again = bubble_of(chat, "answer 0:")
    assert isinstance(again, AnswerBubble)
    assert "Model: starter" in again._details.text()
    again.reveal_tools(True)
    assert again.tools.buttons[Act.DETAILS].isChecked()
    again.tools.buttons[Act.DETAILS].click()
    assert again._details.text() == ""


def test_the_question_that_is_edited_is_marked_also_when_it_was_far(window: MainWindow, qtbot: QtBot):
    chat = window.chat
    chat.transcript.verticalScrollBar().setValue(0)
    question = bubble_of(chat, "question 0")
    assert question is not None
    question.wanted.emit(Act.EDIT)
    assert question.frame.property("edited")
    go_far_from(chat, "question 0", qtbot)
    chat.transcript.verticalScrollBar().setValue(0)
    question = bubble_of(chat, "question 0")
    assert question is not None
    assert question.frame.property("edited")
    chat.give_up()
    assert not question.frame.property("edited")
