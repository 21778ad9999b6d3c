"""Banners in the smallest window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from idlepool.ui.main_window import SMALLEST

TROUBLES = (
    ("The rules for lending made no sense; the old file is called lending.json.broken now.", "Choose again."),
    ("/data/idlepool could not be written: No space left on device.", "Free some space there, or allow it."),
)


@pytest.mark.parametrize("page", range(4))
def test_two_troubles_are_not_cut_in_the_smallest_window(open_window, qtbot: QtBot, page: int):
    window = open_window()
    window.resize(*SMALLEST)
    window.show_page(page)
    for sentence, hint in TROUBLES:
        window.banners.add_with_report(sentence, hint)
    labels = window.banners.findChildren(QLabel)
    assert len(labels) == 4
    qtbot.waitUntil(lambda: all(label.height() >= label.heightForWidth(label.width()) for label in labels))
