"""Scrolling: with the newest text, unless the user reads above."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from idlepool.ui.transcript import Transcript


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
