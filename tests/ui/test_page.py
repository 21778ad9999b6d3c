"""The pages beside the chat: one column, in the middle of a wide window and full of a narrow one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.page import MARGIN, WIDTH, Page


class Example(Page):
    def __init__(self) -> None:
        super().__init__()
        self.action = QPushButton("Do it")
        self.begin("A page", QLabel("of its kind"), self.action)
        self.part = QWidget(minimumHeight=40)
        self.name = self.add_section("A section", self.part)
        self.column.addStretch(1)


@pytest.fixture
def page(qtbot: QtBot) -> Example:
    page = Example()
    qtbot.addWidget(page)
    page.resize(1400, 500)
    page.show()
    qtbot.waitExposed(page)
    return page


def test_a_wide_page_has_its_column_in_the_middle(qtbot: QtBot, page: Example) -> None:
    qtbot.waitUntil(lambda: page.part.width() == WIDTH)
    left = page.part.mapTo(page, QPoint()).x()
    assert abs(left - (page.viewport().width() - WIDTH) // 2) <= 1
    assert page.name.mapTo(page, QPoint()).x() == left


def test_a_narrow_page_has_the_button_below_its_words(qtbot: QtBot, page: Example) -> None:
    assert page.action.mapTo(page, QPoint()).y() == MARGIN
    with qtbot.waitSignal(page.narrow_changed) as told:
        page.resize(400, 500)
    assert told.args == [True]
    qtbot.waitUntil(lambda: page.part.width() > 350)
    assert page.action.mapTo(page, QPoint()).y() > MARGIN
    assert page.part.mapTo(page, QPoint(page.part.width(), 0)).x() <= page.viewport().width()
    assert page.horizontalScrollBar().maximum() == 0
