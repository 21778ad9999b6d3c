"""A conversation of several answers, branches and pauses, kept as it goes; served by the scripted node."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.bubble import AnswerBubble, Bubble
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.chat.message_tools import Act
from idlepool.ui.history.values import ChatSettings


def bubbles(page: ChatPage) -> list[str]:
    """What was said, as the model said it."""
    return [bubble.plain for bubble in page.transcript.bubbles]


def shows(page: ChatPage, qtbot: QtBot, *said: str) -> None:
    """Wait until this is what was said: what is not in sight is built a little later."""
    qtbot.waitUntil(lambda: bubbles(page) == list(said))


def words(bubble: Bubble) -> str:
    return " ".join(label.text() for label in bubble.findChildren(QLabel) if label.isVisible())


def button(widget: QWidget, text: str) -> QPushButton:
    return next(found for found in widget.findChildren(QPushButton) if found.text() == text and found.isVisible())


def settled(page: ChatPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.session.answering_in)


def ask(page: ChatPage, qtbot: QtBot, question: str) -> None:
    page.ask(question)
    settled(page, qtbot)


def press(bubble: Bubble, act: Act) -> None:
    bubble.reveal_tools(True)
    assert bubble.tools.buttons[act].isVisible()
    bubble.tools.buttons[act].click()


def kept(page: ChatPage) -> list[tuple[str, str]]:
    """What another look into the history finds of the shown conversation."""
    return [(message.text, message.state) for message in page.session.history.path(page.session.id)]


def told(page: ChatPage, qtbot: QtBot) -> list[str]:
    """What the model is told with the next question."""
    ask(page, qtbot, "told")
    answer = page.transcript.bubbles[-1]
    return [message["content"] for message in json.loads(answer.plain)["messages"]]


def test_another_answer_is_a_version_to_page_through(open_page, qtbot: QtBot):
    page = open_page()
    ask(page, qtbot, "hello")
    ask(page, qtbot, "bye")
    page.ask_again()
    settled(page, qtbot)
    answer = page.transcript.bubbles[-1]
    assert "2 / 2" in words(answer)
    assert not answer.tools.buttons[Act.NEXT].isEnabled()
    second = answer.message
    press(answer, Act.PREVIOUS)
    first = page.transcript.bubbles[-1]
    qtbot.waitUntil(lambda: "1 / 2" in words(first))
    assert first.message < second
    press(first, Act.NEXT)
    assert page.transcript.bubbles[-1].message == second
    shows(page, qtbot, "hello", "HELLO", "bye", "BYE")


def test_an_edited_question_begins_a_branch_and_the_old_one_stays(open_page, qtbot: QtBot):
    page = open_page()
    for question in ("one", "two", "three"):
        ask(page, qtbot, question)
    page.composer.write("a draft")
    press(page.transcript.bubbles[2], Act.EDIT)
    assert page.composer.field.toPlainText() == "two"
    qtbot.keyClicks(page.composer.field, " b")
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Return)
    settled(page, qtbot)
    assert bubbles(page) == ["one", "ONE", "two b", "TWO B"]
    assert page.composer.field.toPlainText() == "a draft"
    assert "2 / 2" in words(page.transcript.bubbles[2])
    assert told(page, qtbot) == ["one", "ONE", "two b", "TWO B", "told"]
    press(page.transcript.bubbles[2], Act.PREVIOUS)
    shows(page, qtbot, "one", "ONE", "two", "TWO", "three", "THREE")


def test_editing_is_given_up_with_escape_and_begun_with_the_up_key(open_page, qtbot: QtBot):
    page = open_page()
    ask(page, qtbot, "hello")
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Up)
    assert page.composer.editing
    assert page.composer.field.toPlainText() == "hello"
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Escape)
    assert not page.composer.editing
    assert page.composer.field.toPlainText() == ""


def test_a_stopped_answer_can_be_gone_on_with(open_page, qtbot: QtBot):
    page = open_page()
    page.ask("hold on")
    qtbot.waitUntil(lambda: bubbles(page)[-1] == "HOLD ON")
    page.stop()
    assert kept(page)[-1] == ("HOLD ON", "stopped")
    press(page.transcript.bubbles[-1], Act.GO_ON)
    settled(page, qtbot)
    assert bubbles(page) == ["hold on", "HOLD ON AND MORE"]
    assert kept(page)[-1] == ("HOLD ON AND MORE", "done")
    assert Act.GO_ON not in [act for act, tool in page.transcript.bubbles[-1].tools.buttons.items() if tool.isVisible()]


def test_a_whole_answer_offers_no_going_on(open_page, qtbot: QtBot):
    page = open_page()
    ask(page, qtbot, "hello")
    answer = page.transcript.bubbles[-1]
    answer.reveal_tools(True)
    assert not answer.tools.buttons[Act.GO_ON].isVisible()
    assert answer.tools.buttons[Act.AGAIN].isVisible()


def test_an_answer_goes_on_while_another_conversation_is_shown(open_page, qtbot: QtBot):
    page = open_page()
    page.ask("hold this")
    qtbot.waitUntil(lambda: bubbles(page)[-1] == "HOLD THIS")
    left = page.session.id
    page.new_conversation()
    assert page.session.answering_in == {left}
    assert page.composer.button.text() == "Send"
    page.ask("hello")
    qtbot.waitUntil(lambda: page.session.answering is None)
    assert bubbles(page) == ["hello", "HELLO"]
    page.open_conversation(left)
    shows(page, qtbot, "hold this", "HOLD THIS")
    assert page.composer.button.text() == "Stop"
    page.stop()
    assert page.session.answering_in == frozenset()
    assert kept(page)[-1] == ("HOLD THIS", "stopped")


def test_an_answer_that_ends_elsewhere_is_found_whole(open_page, qtbot: QtBot):
    page = open_page()
    page.ask("split this answer into pieces")
    left = page.session.id
    page.new_conversation()
    settled(page, qtbot)
    page.open_conversation(left)
    assert bubbles(page) == ["split this answer into pieces", "SPLIT THIS ANSWER INTO PIECES"]


def test_an_answer_is_written_while_it_comes(open_page, qtbot: QtBot):
    page = open_page()
    page.ask("hold this thought")
    qtbot.waitUntil(lambda: kept(page)[-1] == ("HOLD THIS THOUGHT", "partial"))
    page.stop()


def test_drafts_are_kept_for_each_conversation(open_page, qtbot: QtBot):
    page = open_page()
    ask(page, qtbot, "hello")
    first = page.session.id
    qtbot.keyClicks(page.composer.field, "half a thought")
    page.new_conversation()
    assert page.composer.field.toPlainText() == ""
    qtbot.keyClicks(page.composer.field, "another")
    qtbot.waitUntil(lambda: page.session.id not in (0, first))
    second = page.session.id
    page.open_conversation(first)
    assert page.composer.field.toPlainText() == "half a thought"
    page.open_conversation(second)
    assert page.composer.field.toPlainText() == "another"


def test_the_next_window_shows_all_of_it_again(open_window, tmp_path: Path, qtbot: QtBot):
    first = open_window(folder=tmp_path)
    ask(first.chat, qtbot, "hello")
    first.chat.ask("hold this thought")
    qtbot.waitUntil(lambda: bubbles(first.chat)[-1] == "HOLD THIS THOUGHT")
    first.chat.composer.write("a draft")
    first.remember()
    page = open_window(folder=tmp_path).chat
    shows(page, qtbot, "hello", "HELLO", "hold this thought", "HOLD THIS THOUGHT")
    assert page.composer.field.toPlainText() == "a draft"
    answer = page.transcript.bubbles[-1]
    qtbot.waitUntil(lambda: "broke off when Idlepool ended" in words(answer))
    assert isinstance(answer, AnswerBubble)
    button(answer, "Go on").click()
    settled(page, qtbot)
    assert bubbles(page)[-1] == "HOLD THIS THOUGHT AND MORE"


def test_what_a_dead_node_leaves_is_kept_and_can_be_gone_on_with(open_page, qtbot: QtBot):
    page = open_page()
    ask(page, qtbot, "die here")
    assert kept(page)[-1] == ("DIE HERE", "failed")
    qtbot.waitUntil(lambda: page.node.can_answer)
    button(page.transcript.bubbles[-1], "Go on").click()
    settled(page, qtbot)
    assert bubbles(page) == ["die here", "DIE HERE AND MORE"]


def test_a_retry_of_an_answer_without_a_word_takes_its_place(open_page, qtbot: QtBot):
    page = open_page()
    page.ask("queue")
    qtbot.waitUntil(lambda: "Number 2 in line" in words(page.transcript.bubbles[-1]))
    empty = page.transcript.bubbles[-1].message
    page.stop()
    page.ask_again()
    qtbot.waitUntil(lambda: page.session.answering is not None)
    assert page.transcript.bubbles[-1].message == empty
    page.stop()


def test_details_unfold_and_fold(open_page, qtbot: QtBot):
    page = open_page()
    ask(page, qtbot, "hello")
    answer = page.transcript.bubbles[-1]
    press(answer, Act.DETAILS)
    assert "23.4 tokens/s" in words(answer)
    assert "5 of 8 guessed tokens were right" in words(answer)
    assert "Model: starter" in words(answer)
    press(answer, Act.DETAILS)
    assert "23.4 tokens/s" not in words(answer)


def test_the_length_of_the_conversation_is_measured(open_page, qtbot: QtBot):
    page = open_page()
    assert page.composer.meter.isHidden()
    ask(page, qtbot, "full")
    assert "7,003 of 8,192 tokens" in page.composer.meter.toolTip()
    full = page.session.id
    page.new_conversation()
    assert page.composer.meter.isHidden()
    page.open_conversation(full)
    assert page.context_notice.isVisible()


def test_the_settings_of_a_conversation_are_sent_and_kept(open_page, qtbot: QtBot):
    page = open_page()
    settings = ChatSettings(system_prompt="Be brief.", temperature=0.0, top_k=5, seed=9, max_tokens=64)
    page.session.save_settings(settings)
    ask(page, qtbot, "told")
    sent = json.loads(page.transcript.bubbles[-1].plain)
    assert sent["messages"][0] == {"role": "system", "content": "Be brief."}
    assert (sent["sampling"]["top_k"], sent["sampling"]["seed"], sent["max_tokens"]) == (5, 9, 64)
    assert sent["reproducible"] is True
    first = page.session.id
    page.new_conversation()
    assert page.session.settings == ChatSettings()
    page.open_conversation(first)
    assert page.session.settings == settings


def test_a_conversation_that_is_gone_is_not_opened(open_page):
    page = open_page()
    page.open_conversation(4711)
    assert page.session.id == 0
    assert page.welcome.isVisible()


def test_the_last_answer_is_copied(open_page, qtbot: QtBot, qapp):
    page = open_page()
    ask(page, qtbot, "hello")
    qtbot.keyClick(page.window(), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert qapp.clipboard().text() == "HELLO"


@pytest.mark.parametrize("how", ["pointer", "focus"])
def test_tools_appear_without_moving_anything(open_page, qtbot: QtBot, how: str):
    page = open_page()
    ask(page, qtbot, "hello")
    answer = page.transcript.bubbles[-1]
    qtbot.waitUntil(lambda: answer.height() > 0)
    before = [bubble.geometry() for bubble in page.transcript.bubbles]
    if how == "focus":
        answer.text.text_views[0].setFocus()
    else:
        answer.reveal_tools(True)
    qtbot.waitUntil(lambda: answer.tools.buttons[Act.COPY].isVisible())
    assert [bubble.geometry() for bubble in page.transcript.bubbles] == before


def test_the_tab_key_goes_from_an_answer_to_what_can_be_done_with_it(open_page, qtbot: QtBot):
    page = open_page()
    ask(page, qtbot, "hello")
    answer = page.transcript.bubbles[-1]
    assert isinstance(answer, AnswerBubble)
    answer.text.text_views[0].setFocus()
    qtbot.waitUntil(lambda: answer.tools.buttons[Act.COPY].isVisible())
    for act in (Act.COPY, Act.AGAIN, Act.DETAILS):
        qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_Tab)
        assert page.window().focusWidget() is answer.tools.buttons[act]
    page.composer.field.setFocus()
    qtbot.waitUntil(lambda: not answer.tools.buttons[Act.COPY].isVisible())


def test_a_conversation_comes_with_its_model(open_page, qtbot: QtBot):
    page = open_page("--states")
    qtbot.waitUntil(lambda: page.header.models.count() == 2)
    page.header.prefer("qwen3-4b")
    ask(page, qtbot, "hello")
    first = page.session.id
    page.new_conversation()
    page.header.prefer("starter")
    ask(page, qtbot, "bye")
    page.open_conversation(first)
    assert page.header.model == "qwen3-4b"
