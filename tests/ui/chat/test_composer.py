"""Writing a message."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QFrame, QToolButton
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.attachments import Attachment, split
from idlepool.ui.chat.composer import Composer

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


def test_files_go_with_the_message_and_can_be_taken_out(composer: Composer, qtbot: QtBot):
    notes, figures = Attachment("notes.txt", "the notes"), Attachment("figures.csv", "1,2")
    composer.attach(notes)
    composer.attach(figures)
    composer.attach(Attachment("notes.txt", "newer notes"))
    button(composer, "Take figures.csv out of the message").click()
    qtbot.keyClicks(composer.field, "Look at this")
    with qtbot.waitSignal(composer.submitted) as sent:
        qtbot.keyClick(composer.field, ENTER)
    assert split(sent.args[0]) == ("Look at this", (Attachment("notes.txt", "newer notes"),))
    assert not composer.files.isVisible()


def test_a_file_alone_can_be_sent(composer: Composer):
    composer.attach(Attachment("notes.txt", "the notes"))
    assert composer.button.isEnabled()


def test_files_that_are_pasted_are_given_on_and_are_no_text(composer: Composer, qtbot: QtBot, tmp_path: Path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    with qtbot.waitSignal(composer.files_given) as given:
        composer.field.insertFromMimeData(data)
    assert given.args == [[tmp_path / "a.txt"]]
    assert composer.field.toPlainText() == ""


def test_a_draft_comes_back_with_its_files(composer: Composer):
    composer.field.setPlainText("half a thought")
    composer.attach(Attachment("notes.txt", "the notes"))
    draft = composer.draft
    composer.write("")
    assert composer.message == ""
    composer.write(draft)
    assert composer.field.toPlainText() == "half a thought"
    assert [file.name for file in composer.files.files] == ["notes.txt"]


def test_what_was_being_written_waits_while_an_earlier_message_is_edited(composer: Composer):
    composer.write("a draft")
    composer.edit("an earlier message")
    assert (composer.message, composer.draft) == ("an earlier message", "a draft")
    composer.end_edit()
    assert composer.message == "a draft"
    assert not composer.edit_strip.isVisible()


def test_a_refusal_stays_until_something_is_written(composer: Composer, qtbot: QtBot):
    composer.refuse("picture.png is no text file.")
    assert composer.refusal.isVisible()
    qtbot.keyClicks(composer.field, "a")
    assert not composer.refusal.isVisible()


def button(composer: Composer, name: str) -> QToolButton:
    return next(tool for tool in composer.findChildren(QToolButton) if tool.accessibleName() == name)


def test_many_files_are_scrolled_and_none_is_squeezed(composer: Composer, qtbot: QtBot):
    composer.attach(Attachment("1.txt", "text"))
    row = composer.files.findChildren(QFrame, "chip")[0]
    qtbot.waitUntil(lambda: row.height() >= row.sizeHint().height())
    height = composer.sizeHint().height()
    for number in range(2, 41):
        composer.attach(Attachment(f"{number}.txt", "text"))
    composer.resize(400, composer.sizeHint().height())
    rows = composer.files.findChildren(QFrame, "chip")
    assert len(rows) == 40
    qtbot.waitUntil(lambda: composer.files.verticalScrollBar().maximum() > 30 * row.sizeHint().height())
    assert all(each.height() >= each.sizeHint().height() for each in rows)
    assert composer.sizeHint().height() < height + 5 * row.sizeHint().height()
    composer.files.clear()
    assert not composer.files.isVisible()


def test_of_many_refusals_the_first_are_told_and_the_rest_counted(composer: Composer):
    composer.refuse(*(f"{number} is no text file." for number in range(9)))
    lines = composer.refusal.text().splitlines()
    assert lines[:3] == ["0 is no text file.", "1 is no text file.", "2 is no text file."]
    assert lines[3:] == ["6 more files could not be put in either."]
    composer.refuse()
    assert not composer.refusal.isVisible()
