"""Files that are dragged over the chat page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from idlepool.ui.chat.chat_layout import ChatLayout

COPY, LEFT, NONE = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(qtbot) -> ChatLayout:
    layout = ChatLayout()
    qtbot.addWidget(layout)
    layout.resize(600, 480)
    layout.show()
    qtbot.waitExposed(layout)
    return layout


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def words(text: str) -> QMimeData:
    data = QMimeData()
    data.setText(text)
    return data


def drag_over(target: QWidget, data: QMimeData) -> None:
    QApplication.sendEvent(target, QDragEnterEvent(QPoint(9, 9), COPY, data, LEFT, NONE))


def test_where_files_may_be_dropped_is_said_until_they_are_gone(page: ChatLayout, tmp_path: Path):
    drag_over(page, files(tmp_path))
    assert page.drop_hint.isVisible()
    assert "Drop text files here" in page.drop_hint.text()
    QApplication.sendEvent(page, QDragLeaveEvent())  # as Qt does when the hint takes over
    drag_over(page.drop_hint, files(tmp_path))
    assert page.drop_hint.isVisible()
    QApplication.sendEvent(page.drop_hint, QDragLeaveEvent())
    assert not page.drop_hint.isVisible()


def test_files_that_enter_over_the_message_are_for_the_page_too(page: ChatLayout, tmp_path: Path):
    drag_over(page.composer.field.viewport(), files(tmp_path))
    assert page.drop_hint.isVisible()


@pytest.mark.parametrize("at", ["page", "hint"])
def test_dropped_files_go_into_the_message(page: ChatLayout, tmp_path: Path, at: str):
    given: list[list[Path]] = []
    page.composer.files_given.connect(given.append)
    drag_over(page, files(tmp_path / "a.txt"))
    data = files(tmp_path / "a.txt")
    target: QWidget = page
    if at == "hint":
        target = page.drop_hint
        drag_over(target, data)
    QApplication.sendEvent(target, QDropEvent(QPointF(9, 9), COPY, data, LEFT, NONE))
    assert given == [[tmp_path / "a.txt"]]
    assert not page.drop_hint.isVisible()


def test_dragged_words_are_for_the_message_alone(page: ChatLayout):
    drag_over(page, words("hello"))
    assert not page.drop_hint.isVisible()
