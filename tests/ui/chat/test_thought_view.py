"""Thoughts are folded, say how long they took, unfold by click and keyboard, and stay out of what is copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.message_text import MessageText
from idlepool.ui.chat.thought_view import ThoughtView

THOUGHT = "<think>\nIs it **Tokyo**?\n\n"
WHOLE = THOUGHT + "Yes.\n</think>\n\nIt is Tokyo."


@pytest.fixture
def text(qtbot: QtBot) -> MessageText:
    widget = MessageText(markdown=True)
    qtbot.addWidget(widget)
    widget.fit(400)
    widget.show()
    return widget


def thoughts(text: MessageText) -> ThoughtView:
    return next(view for view in text.views if isinstance(view, ThoughtView))


def test_they_are_folded_while_they_come_and_afterwards(text: MessageText):
    text.show_text(THOUGHT)
    assert thoughts(text).toggle.text() == "Thinking …"
    assert text.toPlainText() == ""
    text.show_text(WHOLE)
    assert thoughts(text).toggle.text() == "Thought for 1 s"
    assert text.toPlainText() == "It is Tokyo."


def test_of_thoughts_that_nobody_saw_come_the_time_is_not_known(text: MessageText):
    text.show_text(WHOLE)
    assert thoughts(text).toggle.text() == "Thoughts"


def test_they_unfold_and_fold_by_click_and_by_keyboard(text: MessageText, qtbot: QtBot):
    text.show_text(WHOLE)
    toggle, height = thoughts(text).toggle, text.height()
    qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    assert text.toPlainText().splitlines() == ["Is it Tokyo?", "Yes.", "It is Tokyo."]
    assert text.height() > height
    assert text.height() >= text.views[-1].geometry().bottom()
    assert "Hide" in toggle.accessibleName()
    toggle.setFocus()
    qtbot.keyClick(toggle, Qt.Key.Key_Space)
    assert text.toPlainText() == "It is Tokyo."
    assert text.height() == height


def test_unfolded_thoughts_go_on(text: MessageText, qtbot: QtBot):
    text.show_text(THOUGHT)
    qtbot.mouseClick(thoughts(text).toggle, Qt.MouseButton.LeftButton)
    height = text.height()
    text.show_text(THOUGHT + "And\n\nmore\n\nand more")
    assert "and more" in text.toPlainText()
    assert text.height() > height


def test_an_answer_of_thoughts_only_has_a_size(text: MessageText):
    text.show_text("<think>")
    assert text.height() >= thoughts(text).toggle.sizeHint().height()
