"""Writing a message."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from idlepool.ui.composer import Composer

ENTER, SHIFT = Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    widget = Composer()
    qtbot.addWidget(widget)
    widget.resize(400, 60)
    widget.set_ready(True)
    widget.show()
    return widget


def test_enter_sends_and_shift_enter_begins_a_line(composer: Composer, qtbot: QtBot):
    qtbot.keyClicks(composer.field, "one")
    qtbot.keyClick(composer.field, ENTER, SHIFT)
    qtbot.keyClicks(composer.field, "two")
    with qtbot.waitSignal(composer.submitted) as sent:
        qtbot.keyClick(composer.field, ENTER)
    assert sent.args == ["one\ntwo"]
    assert composer.field.toPlainText() == ""


def test_blank_messages_are_not_sent(composer: Composer, qtbot: QtBot):
    qtbot.keyClicks(composer.field, "   ")
    with qtbot.assertNotEmitted(composer.submitted):
        qtbot.keyClick(composer.field, ENTER)
    assert not composer.button.isEnabled()


@pytest.mark.parametrize("hindrance", ["not ready", "answering"])
def test_what_cannot_be_sent_now_is_kept(composer: Composer, qtbot: QtBot, hindrance: str):
    composer.set_ready(hindrance != "not ready")
    composer.set_answering(hindrance == "answering")
    qtbot.keyClicks(composer.field, "a thought")
    with qtbot.assertNotEmitted(composer.submitted):
        qtbot.keyClick(composer.field, ENTER)
    assert composer.field.toPlainText() == "a thought"


def test_the_field_grows_to_six_lines_and_then_scrolls(composer: Composer):
    heights = []
    for lines in range(1, 9):
        composer.field.setPlainText("\n".join(["line"] * lines))
        heights.append(composer.field.height())
    assert heights[:6] == sorted(set(heights[:6]))
    assert heights[5] == heights[6] == heights[7]
    composer.field.clear()
    assert composer.field.height() == heights[0]


def test_wrapped_lines_count(composer: Composer):
    one_line = composer.field.height()
    composer.field.setPlainText("word " * 40)
    assert composer.field.height() > 2 * one_line
