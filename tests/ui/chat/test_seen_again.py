"""What a user did to a message is still so after it was far from what is seen, and drawn anew."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from idlepool.ui.banner import Banners
from idlepool.ui.bridge import Bridge
from idlepool.ui.chat.bubble import AnswerBubble
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.chat.thought_view import ThoughtView
from idlepool.ui.history.history import History
from idlepool.ui.node_state import NodeState
from idlepool.ui.preferences import Preferences

THOUGHTFUL = "<think>\nIs it **Tokyo**?\n</think>\n\nIt is Tokyo."


@pytest.fixture
def page(qtbot: QtBot) -> ChatPage:
    """A long conversation of thoughtful answers; no node is needed to read it."""
    history = History(None)
    conversation, parent = history.create(), None
    for number in range(40):
        parent = history.add_message(conversation.id, parent, "user", f"question {number}").id
        parent = history.add_message(conversation.id, parent, "assistant", THOUGHTFUL).id
    shown = ChatPage(NodeState(Bridge([])), Banners(Preferences(None)), history)
    qtbot.addWidget(shown)
    shown.resize(700, 500)
    shown.show()
    qtbot.waitExposed(shown)
    shown.open_conversation(conversation.id)
    return shown


def answer_at(page: ChatPage, number: int) -> AnswerBubble:
    """Scroll there."""
    bubble = page.transcript.go_to(number)
    assert isinstance(bubble, AnswerBubble)
    return bubble


def thoughts(bubble: AnswerBubble) -> ThoughtView:
    return next(view for view in bubble.text.views if isinstance(view, ThoughtView))


def go_far_away(page: ChatPage, qtbot: QtBot, bubble: AnswerBubble) -> None:
    page.transcript.follow()
    for number in range(79, 40, -3):
        page.transcript.go_to(number)
    qtbot.waitUntil(lambda: bubble not in page.transcript.bubbles)


def test_unfolded_thoughts_stay_unfolded(page: ChatPage, qtbot: QtBot):
    first = answer_at(page, 1)
    qtbot.mouseClick(thoughts(first).toggle, Qt.MouseButton.LeftButton)
    go_far_away(page, qtbot, first)
    again = answer_at(page, 1)
    assert again is not first
    assert "Is it Tokyo?" in again.text.toPlainText()
    assert thoughts(again).toggle.isChecked()
    assert not thoughts(answer_at(page, 3)).toggle.isChecked()
    qtbot.mouseClick(thoughts(again).toggle, Qt.MouseButton.LeftButton)
    go_far_away(page, qtbot, again)
    assert "Is it Tokyo?" not in answer_at(page, 1).text.toPlainText()


def test_they_stay_so_where_another_conversation_was_shown_meanwhile(page: ChatPage, qtbot: QtBot):
    shown = page.session.id
    qtbot.mouseClick(thoughts(answer_at(page, 79)).toggle, Qt.MouseButton.LeftButton)
    page.new_conversation()
    page.open_conversation(shown)
    assert "Is it Tokyo?" in answer_at(page, 79).text.toPlainText()


def test_for_how_long_it_was_thought_is_still_known(page: ChatPage, qtbot: QtBot):
    answer = answer_at(page, 1)
    answer.text.show_text("<think>\nHm")
    answer.text.show_text(THOUGHTFUL)  # it was seen coming
    assert thoughts(answer).toggle.text() == "Thought for 1 s"
    go_far_away(page, qtbot, answer)
    assert thoughts(answer_at(page, 1)).toggle.text() == "Thought for 1 s"
