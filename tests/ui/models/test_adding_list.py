"""The models on their way here, as a user meets them: how far, why not, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from seen import button, buttons, words_in

from idlepool.engine.commands import AddModel


def test_the_queue_tells_how_far_each_model_is(open_models, qtbot: QtBot):
    page = open_models("queue")
    qtbot.waitUntil(lambda: "SmolLM2 135M Instruct" in words_in(page.adding))
    coder, starter, paused, failed = page.adding.shown
    assert "Fetching · 1.2 of 4.7 GB · 23 MB/s · about 3 min left" in words_in(coder)
    assert buttons(coder) == ["Pause", "Cancel"]
    assert "SmolLM2 135M Instruct Waits for its turn" in words_in(starter), "by the name it was offered under"
    assert "Paused; what came is kept · 3.0 of 12 GB" in words_in(paused)
    assert buttons(paused) == ["Resume", "Cancel"]
    assert "18,300 MB are needed and 6,120 MB are free. Free some space" in words_in(failed)
    assert buttons(failed) == ["Try again", "Remove"]


def test_a_model_is_paused_resumed_and_cancelled_by_keyboard(open_models, qtbot: QtBot):
    page = open_models("queue")
    page.window().activateWindow()
    row = page.adding.shown[0]
    button(row, "Pause").setFocus()
    qtbot.keyClick(row.pause, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "Paused" in words_in(row))
    assert QApplication.focusWidget() is row.resume
    qtbot.keyClick(row.resume, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "Waits for its turn" in words_in(row))
    assert QApplication.focusWidget() is row.pause
    row.cancel.setFocus()
    qtbot.keyClick(row.cancel, Qt.Key.Key_Space)
    box = row.findChild(QMessageBox)
    assert "The 1.2 GB that have come would go from the disk." in box.informativeText()
    button(box, "Keep them").click()
    assert row in page.adding.shown
    row.cancel.click()
    boxes = [found for found in row.findChildren(QMessageBox) if found.isVisible()]
    button(boxes[0], "Remove them").click()
    qtbot.waitUntil(lambda: len(page.adding.shown) == 3)
    assert "Coder" not in words_in(page.adding)


def test_what_lost_nothing_is_cancelled_at_once_and_the_others_stay(open_models, qtbot: QtBot):
    page = open_models("queue")
    coder, starter, *_ = page.adding.shown
    button(coder, "Pause").setFocus()
    button(starter, "Cancel").click()
    qtbot.waitUntil(lambda: len(page.adding.shown) == 3)
    assert page.adding.shown[0] is coder
    assert QApplication.focusWidget() is coder.pause, "a row that stays keeps the focus"


def test_a_source_that_stands_still_is_told_with_the_time(open_models, qtbot: QtBot):
    page = open_models("stalled")
    short, long = page.adding.shown
    assert "Fetching · 1.2 of 4.7 GB · nothing has come for 40 s" in words_in(short)
    assert "nothing has come for 7 min; it is tried again and again" in words_in(long)


def test_what_was_here_already_is_told(open_models, qtbot: QtBot):
    page = open_models()
    page.add.wanted.emit(AddModel("/data/again"))
    qtbot.waitUntil(lambda: page.notice.text() == "starter was here already.")
