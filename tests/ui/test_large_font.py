"""A large font of the system: rows stand below one another sooner, and nothing is out of sight to the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.main_window import MainWindow
from idlepool.ui.page import Page


@pytest.fixture(params=[9, 14, 18])
def points(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[int]:
    before = qapp.font()
    font = qapp.font()
    font.setPointSizeF(request.param)
    qapp.setFont(font)
    yield request.param
    qapp.setFont(before)


def test_all_of_every_page_is_in_sight(points: int, open_window: Callable[..., MainWindow], qtbot: QtBot):
    window = open_window("--states", "--play", "pool", "queue", "large", "settings", "in-use", "api")
    window.resize(900, 600)
    for number in range(window.pages.count()):
        window.show_page(number)
        page = window.pages.widget(number)
        qtbot.waitUntil(page.isVisible)
        for area in (page, *page.findChildren(Page)):
            if isinstance(area, Page):
                qtbot.waitUntil(lambda area=area: area.widget().width() <= area.viewport().width())
        outside = [part for part in parts(page) if part.mapTo(window, QPoint(part.width(), 0)).x() > window.width()]
        assert not outside, [f"{type(part).__name__} {part.accessibleName()}" for part in outside]


def parts(page: QWidget) -> list[QWidget]:
    """What can be used or read."""
    return [
        part
        for part in page.findChildren(QWidget)
        if part.isVisible() and (part.focusPolicy() or isinstance(part, QLabel))
    ]
