"""What is selected goes over all parts of a message, and is copied as plain text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.message_text import MessageText
from idlepool.ui.chat.text_view import TextView

SOURCE = "First **words**.\n\n```python\none = 1\n```\n\nLast words."


@pytest.fixture
def text(qtbot: QtBot) -> MessageText:
    widget = MessageText(markdown=True)
    qtbot.addWidget(widget)
    widget.fit(400)
    widget.show_text(SOURCE)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def drag(begin: TextView, end: TextView, to: QPoint) -> None:
    """From the first letter of one text."""
    QTest.mousePress(begin.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, begin.height() // 2))
    place = begin.viewport().mapFromGlobal(end.viewport().mapToGlobal(to))
    QTest.mouseMove(begin.viewport(), place)


def copied(view: TextView, qtbot: QtBot) -> str:
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


def test_all_of_it_is_selected_and_copied_without_marks(text: MessageText, qtbot: QtBot):
    view = text.text_views[0]
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert copied(view, qtbot) == "First words.\none = 1\nLast words."


def test_a_drag_goes_over_the_parts_between(text: MessageText, qtbot: QtBot):
    first, code, last = text.text_views
    drag(first, last, QPoint(last.width() - 1, last.height() // 2))
    assert [view.selected_text for view in (first, code, last)] == ["First words.", "one = 1", "Last words."]
    assert copied(first, qtbot) == "First words.\none = 1\nLast words."


def test_a_drag_upwards_too(text: MessageText, qtbot: QtBot):
    first, code, last = text.text_views
    QTest.mousePress(last.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(last.width() - 1, last.height() // 2))
    QTest.mouseMove(last.viewport(), last.viewport().mapFromGlobal(code.viewport().mapToGlobal(QPoint(0, 2))))
    assert (first.selected_text, code.selected_text, last.selected_text) == ("", "one = 1", "Last words.")


def test_a_click_elsewhere_begins_anew(text: MessageText, qtbot: QtBot):
    first, _, last = text.text_views
    drag(first, last, QPoint(last.width() - 1, last.height() // 2))
    QTest.mouseRelease(first.viewport(), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(last.viewport(), Qt.MouseButton.LeftButton)
    assert all(view.selected_text == "" for view in text.text_views)


def test_the_menu_copies_all_that_is_selected(text: MessageText, qtbot: QtBot):
    first = text.text_views[0]
    for view in text.text_views:
        view.selectAll()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(2, 2), first.viewport().mapToGlobal(QPoint(2, 2)))
    QApplication.sendEvent(first.viewport(), asked)
    menu = first.findChild(QMenu)
    assert menu is not None
    copy, select_all = menu.actions()
    copy.trigger()
    menu.close()
    assert (copy.text(), select_all.text()) == ("Copy", "Select all")
    assert QGuiApplication.clipboard().text() == "First words.\none = 1\nLast words."
