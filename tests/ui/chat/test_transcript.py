"""Scrolling: with the newest text, unless the user reads above."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.bubble import AnswerBubble, Bubble, QuestionBubble
from idlepool.ui.chat.transcript import KEPT, Later, Transcript
from idlepool.ui.theme import choose_theme, theme_news


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    widget = Transcript()
    qtbot.addWidget(widget)
    widget.resize(500, 300)
    widget.show()
    qtbot.waitExposed(widget)
    for number in range(12):
        widget.add_question(f"question {number}")
        answer = widget.add_answer()
        answer.append("Some words of an answer.")
        answer.finish()
    qtbot.waitUntil(lambda: at_the_newest(widget) and widget.verticalScrollBar().maximum() > 300)
    return widget


def at_the_newest(transcript: Transcript) -> bool:
    return transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def grow(transcript: Transcript, qtbot: QtBot) -> None:
    before = transcript.verticalScrollBar().maximum()
    transcript.add_answer().append("word\n\n" * 30)
    qtbot.waitUntil(lambda: transcript.verticalScrollBar().maximum() > before + 300)


def test_it_follows_a_growing_answer(transcript: Transcript, qtbot: QtBot):
    grow(transcript, qtbot)
    assert at_the_newest(transcript)
    assert not transcript.jump.isVisible()


def test_it_stays_where_the_user_reads_and_offers_the_way_back(transcript: Transcript, qtbot: QtBot):
    transcript.verticalScrollBar().setValue(40)
    grow(transcript, qtbot)
    assert transcript.verticalScrollBar().value() == 40
    qtbot.mouseClick(transcript.jump, Qt.MouseButton.LeftButton)
    assert at_the_newest(transcript)
    assert not transcript.jump.isVisible()
    grow(transcript, qtbot)
    assert at_the_newest(transcript)


def test_a_new_question_returns_to_the_newest(transcript: Transcript, qtbot: QtBot):
    transcript.verticalScrollBar().setValue(0)
    transcript.add_question("and now?")
    qtbot.waitUntil(lambda: at_the_newest(transcript))


def test_a_narrower_window_keeps_every_bubble_inside(transcript: Transcript, qtbot: QtBot):
    grow(transcript, qtbot)
    transcript.resize(300, 300)
    qtbot.waitUntil(lambda: all(bubble.width() <= 300 for bubble in transcript.bubbles))
    assert at_the_newest(transcript)


def test_it_is_cut_where_another_branch_begins(transcript: Transcript, qtbot: QtBot):
    transcript.add_notice("of what is removed too")
    transcript.truncate(3)
    assert len(transcript.bubbles) == 3
    answer = transcript.add_answer()
    answer.append("another branch")
    qtbot.waitUntil(lambda: answer.text.toPlainText() == "another branch")
    assert transcript.verticalScrollBar().maximum() < 300


class Messages:
    """A long conversation whose bubbles are built when they are needed."""

    def __init__(self, transcript: Transcript, count: int) -> None:
        self.built: list[int] = []
        for number in range(count):
            transcript.add(Later(partial(self.make, number), 300))

    def make(self, number: int) -> Bubble:
        self.built.append(number)
        if number % 2 == 0:
            return QuestionBubble(f"question {number}")
        bubble = AnswerBubble()
        bubble.append(f"answer {number}\n\n" + "some words\n\n" * (number % 7))
        bubble.finish()
        return bubble


@pytest.fixture
def long_one(qtbot: QtBot) -> tuple[Transcript, Messages]:
    widget = Transcript()
    qtbot.addWidget(widget)
    widget.resize(500, 300)
    widget.show()
    qtbot.waitExposed(widget)
    messages = Messages(widget, 200)
    widget.follow()
    return widget, messages


def seen(transcript: Transcript) -> list[str]:
    """The texts in the view, from top to bottom."""
    view = transcript.viewport().rect()
    places = [(bubble.mapTo(transcript.viewport(), QPoint(0, 0)).y(), bubble) for bubble in transcript.bubbles]
    return [bubble.text.toPlainText() for top, bubble in places if top < view.height() and top + bubble.height() > 0]


def test_a_long_conversation_is_shown_at_its_end_at_once(long_one: tuple[Transcript, Messages]):
    transcript, messages = long_one
    assert at_the_newest(transcript)
    assert seen(transcript)[-1].startswith("answer 199")
    assert 0 < len(messages.built) < 20


def test_what_the_user_scrolls_to_is_there(long_one: tuple[Transcript, Messages], qtbot: QtBot):
    transcript, _ = long_one
    transcript.verticalScrollBar().setValue(0)
    assert seen(transcript)[0] == "question 0"
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    texts = seen(transcript)
    numbers = [int(text.split()[1]) for text in texts]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert not at_the_newest(transcript)


def test_what_is_far_is_dropped_and_comes_again(long_one: tuple[Transcript, Messages], qtbot: QtBot):
    transcript, messages = long_one
    bar = transcript.verticalScrollBar()
    while bar.value() > 0:
        bar.setValue(bar.value() - 250)
        assert seen(transcript)
    qtbot.waitUntil(lambda: len(transcript.bubbles) <= KEPT)
    assert set(messages.built) == set(range(200))
    transcript.follow()
    assert seen(transcript)[-1].startswith("answer 199")


def test_what_is_read_does_not_move_when_bubbles_above_it_turn_out_taller(
    long_one: tuple[Transcript, Messages], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    transcript, _ = long_one
    monkeypatch.setattr("idlepool.ui.chat.transcript.BUDGET_MS", 0)  # also a fast PC builds but what is seen at once
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    reading = next(
        bubble for bubble in transcript.bubbles if bubble.mapTo(transcript.viewport(), QPoint(0, 0)).y() >= 0
    )
    place = reading.mapTo(transcript.viewport(), QPoint(0, 0)).y()
    built = len(transcript.bubbles)
    qtbot.waitUntil(lambda: len(transcript.bubbles) > built)  # those near it are built in the next moments
    qtbot.waitUntil(lambda: not transcript._tend_soon.isActive() and not transcript._arrange_soon.isActive())
    assert reading.mapTo(transcript.viewport(), QPoint(0, 0)).y() == place


def test_the_bubble_of_the_focus_is_not_dropped(long_one: tuple[Transcript, Messages], qtbot: QtBot):
    transcript, _ = long_one
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    reading = transcript.bubbles[len(transcript.bubbles) // 3]
    reading.text.text_views[0].setFocus()
    while bar.value() > 0:
        bar.setValue(bar.value() - 250)
    qtbot.waitUntil(lambda: len(transcript.bubbles) <= KEPT)
    assert reading in transcript.bubbles


def test_neither_while_another_window_is_in_front(long_one: tuple[Transcript, Messages], qtbot: QtBot):
    transcript, _ = long_one
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    reading = transcript.bubbles[len(transcript.bubbles) // 3]
    reading.text.text_views[0].setFocus()
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not transcript.isActiveWindow())
    while transcript.verticalScrollBar().value() > 0:
        transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().value() - 250)
    qtbot.waitUntil(lambda: len(transcript.bubbles) <= KEPT)
    assert reading in transcript.bubbles


def test_any_bubble_can_be_had_at_once(long_one: tuple[Transcript, Messages]):
    transcript, _ = long_one
    assert transcript.bubble_at(41).text.toPlainText().startswith("answer 41")


def test_a_resize_keeps_what_is_read_and_fits_what_is_seen(long_one: tuple[Transcript, Messages], qtbot: QtBot):
    transcript, _ = long_one
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    first = seen(transcript)[1]
    transcript.resize(340, 300)
    assert first in seen(transcript)
    qtbot.waitUntil(lambda: all(bubble.width() <= 340 for bubble in transcript.bubbles))


def test_the_tab_key_goes_through_the_bubbles_in_their_order(long_one: tuple[Transcript, Messages], qtbot: QtBot):
    transcript, _ = long_one
    transcript.verticalScrollBar().setValue(0)
    transcript.verticalScrollBar().setValue(400)  # so that they are built in another order
    transcript.verticalScrollBar().setValue(100)
    views = [view for bubble in transcript.bubbles for view in bubble.text.text_views]
    chain, walker = [], transcript.jump.nextInFocusChain()
    while walker is not transcript.jump:
        chain.append(walker)
        walker = walker.nextInFocusChain()
    assert [widget for widget in chain if widget in views] == views


def test_a_new_theme_is_drawn_with_no_more_than_is_seen_and_the_rest_comes_back(
    long_one: tuple[Transcript, Messages], qtbot: QtBot
):
    transcript, _ = long_one
    for value in range(3000, 0, -250):
        transcript.verticalScrollBar().setValue(value)
    read, many = seen(transcript), len(transcript.bubbles)
    drawn: list[int] = []
    count = theme_news.changing.connect(lambda: drawn.append(len(transcript.bubbles)))  # after the transcript's own
    choose_theme(QApplication.instance(), "dark")
    theme_news.changing.disconnect(count)
    assert len(read) <= drawn[0] < many
    assert seen(transcript) == read
    qtbot.waitUntil(lambda: len(transcript.bubbles) > drawn[0])
    choose_theme(QApplication.instance(), "light")
    assert seen(transcript) == read
