"""A large font of the system: rows stand below one another sooner, and no words and no controls are out of sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.main_window import MainWindow

PAGES = ("chat", "pool_page", "models_page", "settings_page")


@pytest.fixture(params=[9, 14, 17])
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
    for name in PAGES:
        page = getattr(window, name)
        window.show_page(page)
        qtbot.waitUntil(page.isVisible)
        if page is window.pool_page:
            page.links.button.click()
            qtbot.waitUntil(page.links.table.isVisible)
        qtbot.wait(200)  # for what the node tells of the page, and the layout
        assert not [f"{name}: {described(part)}" for part in parts(page) if is_outside(part, window) or is_cut(part)]


def parts(page: QWidget) -> list[QWidget]:
    """What can be used or read."""
    seen = [part for part in page.findChildren(QWidget) if part.isVisible()]
    return [part for part in seen if part.focusPolicy() or isinstance(part, QLabel)]


def described(part: QWidget) -> str:
    text = part.text() if isinstance(part, QLabel | QPushButton) else part.accessibleName()
    return f"{type(part).__name__} “{text}”"


def is_outside(part: QWidget, window: MainWindow) -> bool:
    return part.mapTo(window, QPoint(part.width(), 0)).x() > window.width()


def is_cut(part: QWidget) -> bool:
    """Whether words are out of sight. A label that says with … that there is more is not meant."""
    if isinstance(part, ElidedLabel) or not isinstance(part, QLabel | QPushButton):
        return False
    wraps = isinstance(part, QLabel) and part.wordWrap()
    return not wraps and part.width() < part.minimumSizeHint().width()
