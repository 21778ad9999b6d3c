"""The window as a user meets it, served by the scripted node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from idlepool.engine.events import AddModel
from idlepool.ui.banner import Banner
from idlepool.ui.chat.bubble import AnswerBubble
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.main_window import SMALLEST

LEFT = Qt.MouseButton.LeftButton


def texts(window: ChatPage) -> list[str]:
    return [bubble.text.toPlainText() for bubble in window.transcript.bubbles]


def visible_words(widget: QWidget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def last_answer(window: ChatPage) -> AnswerBubble:
    bubble = window.transcript.bubbles[-1]
    assert isinstance(bubble, AnswerBubble)
    return bubble


def button(widget: QWidget, text: str) -> QPushButton:
    return next(found for found in widget.findChildren(QPushButton) if found.text() == text and found.isVisible())


def type_and_send(window: ChatPage, qtbot: QtBot, message: str) -> None:
    qtbot.keyClicks(window.composer.field, message)
    qtbot.keyClick(window.composer.field, Qt.Key.Key_Return)


def ask(window: ChatPage, qtbot: QtBot, question: str) -> None:
    """Ask and wait until the answer ended, and what was added to the window for that is drawn."""
    window.ask(question)
    qtbot.waitUntil(lambda: "Answering" not in window.state_words)
    QApplication.processEvents()


def told(window: ChatPage, qtbot: QtBot) -> Any:
    """What the node is told with the next question."""
    ask(window, qtbot, "told")
    return json.loads(last_answer(window).source)


def test_a_message_is_echoed_at_once_and_answered(open_page, qtbot: QtBot):
    window = open_page()
    type_and_send(window, qtbot, "Hello pool")
    assert texts(window)[0] == "Hello pool"
    assert window.composer.field.toPlainText() == ""
    qtbot.waitUntil(lambda: texts(window) == ["Hello pool", "HELLO POOL"])
    assert window.pipeline_line.text == (
        "idle-1: layers 0–9 (CPU) → idle-2: layers 10–19 (CPU) → idle-3: layers 20–29 (CPU)   ·   23.4 tokens/s"
    )
    assert window.header.pool.text() == "3 PCs"


def test_dots_show_until_the_first_word(open_page, qtbot: QtBot):
    window = open_page()
    window.ask("prepare")
    qtbot.waitUntil(lambda: "Preparing" in window.pipeline_line.text)
    assert last_answer(window)._dots.isVisible()
    assert "idle-2: layers 10–19 (fetching 40 %)" in window.pipeline_line.text
    window.stop()
    assert not last_answer(window)._dots.isVisible()


def test_while_a_model_is_loaded_each_pc_is_seen_at_work(open_page, qtbot: QtBot):
    window = open_page("--pcs", "6")
    assert not window.load_view.isVisible()
    window.ask("prepare")
    qtbot.waitUntil(window.load_view.isVisible)
    assert "0 of 6 PCs are ready" in window.load_view.title.text()
    shown = [line for line in window.load_view.lines if line.name.isVisible()]
    assert [line.name.text() for line in shown] == ["idle-1", "idle-2", "idle-3", "idle-4"]
    assert "fetches its layers" in shown[1].doing.text()
    window.new_conversation()
    assert not window.load_view.isVisible()


def test_every_question_brings_the_whole_conversation(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "first")
    sent = told(window, qtbot)
    assert [(message["role"], message["content"]) for message in sent["messages"]] == [
        ("user", "first"),
        ("assistant", "FIRST"),
        ("user", "told"),
    ]
    again = told(window, qtbot)
    assert again["conversation"] == sent["conversation"]
    assert again["request"] > sent["request"]


def test_a_new_conversation_forgets_the_old_one(open_page, qtbot: QtBot):
    window = open_page()
    before = told(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert texts(window) == []
    assert window.welcome.isVisible()
    after = told(window, qtbot)
    assert after["conversation"] != before["conversation"]
    assert len(after["messages"]) == 1


@pytest.mark.parametrize("how", ["button", "escape"])
def test_a_stopped_answer_keeps_its_text_and_is_marked(open_page, qtbot: QtBot, how: str):
    window = open_page()
    window.ask("hold this thought")
    qtbot.waitUntil(lambda: texts(window)[-1] == "HOLD THIS THOUGHT")
    assert window.composer.button.text() == "Stop"
    if how == "button":
        qtbot.mouseClick(window.composer.button, LEFT)
    else:
        qtbot.keyClick(window.composer.field, Qt.Key.Key_Escape)
    assert window.composer.button.text() == "Send"
    assert texts(window)[-1] == "HOLD THIS THOUGHT"
    assert "Stopped" in visible_words(last_answer(window))
    contents = [message["content"] for message in told(window, qtbot)["messages"]]
    assert contents == ["hold this thought", "HOLD THIS THOUGHT", "told"]


def test_late_text_of_a_stopped_answer_goes_nowhere(open_page, qtbot: QtBot):
    window = open_page()
    window.ask("split this into many small pieces that take their time to come")
    qtbot.waitUntil(lambda: len(texts(window)[-1]) > 5)
    window.stop()
    stopped = texts(window)[-1]
    ask(window, qtbot, "next")
    assert texts(window)[1] == stopped
    assert texts(window)[-1] == "NEXT"


def test_a_failed_answer_keeps_its_text_says_why_and_can_be_asked_again(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "fail now")
    failed = last_answer(window)
    assert failed.text.toPlainText() == "FAIL NOW"
    assert "idle-2, which held layers 10 to 19, is gone." in visible_words(failed)
    assert "idle-2" in window.pipeline_line.text
    qtbot.mouseClick(button(failed, "Ask again"), LEFT)
    qtbot.waitUntil(lambda: "Answering" not in window.state_words)
    assert texts(window) == ["fail now", "FAIL NOW"]
    assert last_answer(window) is not failed
    assert "2 / 2" in visible_words(last_answer(window))


def test_a_failed_answer_is_gone_on_with_in_the_same_bubble(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "fail now")
    failed = last_answer(window)
    qtbot.mouseClick(button(failed, "Go on"), LEFT)
    qtbot.waitUntil(lambda: "Answering" not in window.state_words)
    assert texts(window) == ["fail now", "FAIL NOW AND MORE"]
    assert "is gone" not in visible_words(failed)
    assert told(window, qtbot)["messages"][1] == {"role": "assistant", "content": "FAIL NOW AND MORE"}


def test_what_an_answer_waits_for_is_shown_until_it_goes_on(open_page, qtbot: QtBot):
    window = open_page()
    window.ask("pause here")
    answer = last_answer(window)
    qtbot.waitUntil(lambda: "is gone" in visible_words(answer))
    assert answer.text.toPlainText() == "PAUSE HERE"
    answer.append(" and on")
    qtbot.waitUntil(lambda: "is gone" not in visible_words(answer))
    assert answer.text.toPlainText() == "PAUSE HERE and on"
    window.stop()


def test_asking_again_does_not_tell_the_model_of_the_failure(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "fail now")
    window.ask_again()
    qtbot.waitUntil(lambda: "Answering" not in window.state_words)
    contents = [message["content"] for message in told(window, qtbot)["messages"]]
    assert contents == ["fail now", "FAIL NOW", "told"]


def test_an_answer_that_reached_its_length_says_so(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "long story")
    assert "Longest length reached" in visible_words(last_answer(window))


def test_a_place_in_line_is_shown_until_the_answer_is_over(open_page, qtbot: QtBot):
    window = open_page()
    window.ask("queue")
    qtbot.waitUntil(lambda: "Number 2 in line" in visible_words(last_answer(window)))
    window.stop()
    assert "in line" not in visible_words(last_answer(window))


def test_a_conversation_that_is_nearly_full_is_told_before_the_next_question(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "hello")
    assert not window.context_notice.isVisible()
    ask(window, qtbot, "full")
    assert "7,003 of the 8,192 tokens" in visible_words(window.context_notice)
    assert told(window, qtbot)["overflow"] == "slide"
    ask(window, qtbot, "full")
    window.context_notice.slide.click()
    assert told(window, qtbot).get("overflow", "reject") == "reject"
    window.new_conversation()
    assert not window.context_notice.isVisible()


def test_what_the_model_does_not_see_is_told_once_above_the_answer(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "slide")
    ask(window, qtbot, "slide")
    words = visible_words(window.transcript)
    assert words.count("no longer sees the oldest 6 messages") == 1
    assert "8,600 tokens, and 8,192 is all it can hold" in words
    window.new_conversation()
    ask(window, qtbot, "hello")
    assert "no longer sees" not in visible_words(window.transcript)


def test_an_answer_that_filled_the_model_says_so_in_numbers(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "end")
    assert "8,000 of the conversation and 192 of this answer" in visible_words(last_answer(window))


def test_accepted_drafts_are_among_the_details_of_the_speed(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "hello")
    assert "5 of 8 guessed tokens were right" in window.pipeline_line._speed.toolTip()


def test_the_seed_of_a_chat_is_not_one_that_was_given(open_page, qtbot: QtBot):
    window = open_page()
    first, second = told(window, qtbot), told(window, qtbot)
    assert first["reproducible"] is second["reproducible"] is False
    assert first["sampling"]["seed"] != second["sampling"]["seed"]


def test_the_death_of_the_node_loses_nothing(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "first")
    qtbot.keyClicks(window.composer.field, "a draft")
    ask(window, qtbot, "die please")
    assert last_answer(window).text.toPlainText() == "DIE PLEASE"
    assert "ended unexpectedly" in visible_words(last_answer(window))
    qtbot.waitUntil(lambda: window.header.pool.text() == "3 PCs")
    assert "started again" in visible_words(window.window().banners)
    assert window.composer.field.toPlainText() == "a draft"
    assert [message["content"] for message in told(window, qtbot)["messages"]][:3] == ["first", "FIRST", "die please"]


def test_the_death_of_the_node_leads_to_a_report_without_what_was_said(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "die of curiosity")
    qtbot.mouseClick(button(window.window().banners, "Details"), LEFT)
    view = next(view for view in window.window().findChildren(QPlainTextEdit) if view.isReadOnly())
    assert "openvino" in view.toPlainText()
    assert "curiosity" not in view.toPlainText().lower()


def test_the_first_model_is_one_click_away(open_page, qtbot: QtBot):
    window = open_page("--no-model")
    assert "No model is here yet" in visible_words(window.welcome)
    qtbot.keyClicks(window.composer.field, "too early")
    assert not window.composer.button.isEnabled()
    qtbot.mouseClick(button(window.welcome, "Get the starter model (93 MB)"), LEFT)
    qtbot.waitUntil(lambda: window.header.model == "starter")
    assert window.composer.button.isEnabled()
    assert "Ask your pool of PCs" in visible_words(window.welcome)


def test_a_download_shows_its_step_and_megabytes(open_page, qtbot: QtBot):
    window = open_page("--no-model", "--download", "hang")
    qtbot.mouseClick(window.welcome.first_model.button, LEFT)
    qtbot.waitUntil(lambda: window.welcome.first_model.step.text() == "Fetching: 41 of 93 MB")
    assert window.welcome.first_model.bar.value() == 41_000


def test_a_failed_download_can_be_tried_again(open_page, qtbot: QtBot):
    window = open_page("--no-model", "--download", "fail")
    qtbot.mouseClick(window.welcome.first_model.button, LEFT)
    qtbot.waitUntil(lambda: "no route to host. Check the connection." in visible_words(window.welcome))
    assert window.welcome.first_model.button.isVisible()
    assert not window.window().banners.isVisible()
    assert [model.sentence for model in window.window().state.adding]  # which its row on the models page shows


def test_a_model_that_cannot_be_added_beside_others_is_told_in_its_row_alone(open_page, qtbot: QtBot):
    window = open_page("--download", "fail")
    window.window().state.bridge.send(AddModel("starter"))
    window.ask("break")  # another trouble, which comes after it
    qtbot.waitUntil(lambda: [banner.sentence for banner in window.window().banners.shown] != [])
    assert [banner.sentence for banner in window.window().banners.shown] == ["The disk of idle-2 is full."]


def test_a_banner_is_dismissed_and_the_same_one_is_not_shown_twice(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "break")
    ask(window, qtbot, "break")
    qtbot.waitUntil(lambda: len(window.window().banners.findChildren(Banner)) == 1)
    assert len(window.window().banners.shown) == 1
    qtbot.mouseClick(next(iter(window.window().banners.shown[0].findChildren(QAbstractButton))), LEFT)
    assert not window.window().banners.isVisible()


def test_an_example_is_asked(open_page, qtbot: QtBot):
    window = open_page()
    qtbot.mouseClick(window.welcome.examples[0], LEFT)
    qtbot.waitUntil(lambda: texts(window) == ["What is the capital of Japan?", "WHAT IS THE CAPITAL OF JAPAN?"])


def test_one_pc_alone_is_said_so(open_page):
    assert open_page("--pcs", "1").header.pool.text() == "This PC only"


def test_pcs_that_are_away_are_told_in_the_head_and_all_states_on_demand(open_page, qtbot: QtBot):
    window = open_page("--states")
    qtbot.waitUntil(lambda: window.header.pool.text() == "6 of 10 PCs")
    assert window.header.pool.accessibleName() == "PCs of this pool: 6 of 10 PCs"
    assert "lagoon: silent" in window.header.pool.toolTip()
    assert "3f9a1c7e" not in window.header.pool.toolTip()


def test_another_pc_that_answers_is_named_below_the_answer(open_page, qtbot: QtBot):
    window = open_page("--states")
    ask(window, qtbot, "join")
    assert "Answered by attic" in visible_words(last_answer(window))
    assert window.pipeline_line.text.startswith("attic answers")
    ask(window, qtbot, "hello")
    assert "Answered by" not in visible_words(last_answer(window))
    assert window.pipeline_line.text.startswith("idle-1: layers")


def test_a_stopped_answer_still_names_who_gave_it(open_page, qtbot: QtBot):
    window = open_page("--states")
    window.ask("hold and join")
    qtbot.waitUntil(lambda: "Answered by attic" in visible_words(last_answer(window)))
    window.stop()
    assert "Stopped · Answered by attic" in visible_words(last_answer(window))


def test_a_model_that_only_another_pc_runs_can_be_asked(open_page, qtbot: QtBot):
    window = open_page("--states", "--no-model")
    qtbot.waitUntil(lambda: window.header.model == "qwen3-4b")
    assert window.header.models.currentText() == "qwen3-4b (on attic)"
    assert "Ask your pool of PCs" in visible_words(window.welcome)
    assert told(window, qtbot)["model"] == "qwen3-4b"


def test_a_notice_is_shown_once_and_not_at_the_next_start(open_window, qtbot: QtBot, tmp_path: Path):
    first = open_window(folder=tmp_path)
    ask(first.chat, qtbot, "notice")
    assert "The private key of this PC lies in a file." in visible_words(first.window().banners)
    ask(first.chat, qtbot, "notice")
    assert len(first.window().banners.shown) == 1
    first.window().banners.shown[0].findChildren(QAbstractButton)[0].click()
    second = open_window(folder=tmp_path)
    ask(second.chat, qtbot, "notice")
    assert not second.window().banners.isVisible()


def test_a_trouble_is_told_each_time(open_window, qtbot: QtBot):
    for _ in range(2):
        window = open_window()
        ask(window.chat, qtbot, "break")
        assert window.window().banners.isVisible()


def test_the_window_can_be_as_small_as_promised(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "fail " + "word " * 40)
    window.window().resize(*SMALLEST)
    assert (window.window().width(), window.window().height()) == SMALLEST
    for bubble in window.transcript.bubbles:
        assert bubble.x() + bubble.width() <= window.transcript.viewport().width()


def test_every_control_has_a_name_and_is_reached_by_tab(open_page, qtbot: QtBot):
    window = open_page()
    ask(window, qtbot, "fail")
    controls = {
        control
        for kind in (QAbstractButton, QComboBox, QPlainTextEdit, QTextBrowser)
        for control in window.findChildren(kind)
        if control.isVisible() and control.isEnabled()
    }
    assert len(controls) >= 6
    for control in controls:
        name = control.accessibleName() or (control.text() if isinstance(control, QAbstractButton) else "")
        assert name, control
    assert window.window().focusWidget() is window.composer.field
    chain, walker = [window.composer.field], window.composer.field.nextInFocusChain()
    while walker is not window.composer.field:
        chain.append(walker)
        walker = walker.nextInFocusChain()
    assert controls <= set(chain)
    order = [control for control in chain if control in controls]
    bubbles = [bubble.text.text_views[0] for bubble in window.transcript.bubbles]
    assert order.index(window.header.models) < order.index(bubbles[0]) < order.index(bubbles[1])


def test_a_file_that_is_dropped_goes_into_the_message_and_its_name_into_the_bubble(
    open_page, qtbot: QtBot, tmp_path: Path
):
    window = open_page()
    (tmp_path / "notes.txt").write_text("the notes of this week")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    window.attach([tmp_path / "notes.txt", tmp_path / "picture.png"])
    assert "notes.txt" in visible_words(window.composer)
    assert "picture.png is no text file" in visible_words(window.composer)
    type_and_send(window, qtbot, "told")
    qtbot.waitUntil(lambda: "Answering" not in window.state_words)
    assert "the notes of this week" in json.loads(last_answer(window).source)["messages"][0]["content"]
    assert "notes.txt" in visible_words(window.transcript.bubbles[0])
    assert "the notes of this week" not in window.transcript.bubbles[0].text.toPlainText()


def test_a_file_that_the_model_cannot_hold_is_refused(open_page, tmp_path: Path):
    window = open_page()
    (tmp_path / "long.txt").write_text("word " * 6000)
    window.attach([tmp_path / "long.txt"])
    assert "long.txt is too long: it has about 10,000 tokens, and there is room for about 7,168" in visible_words(
        window.composer
    )
