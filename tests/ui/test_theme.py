"""Contrast of the colours (WCAG 2.2, 1.4.3), and text from other PCs in tooltips."""

from __future__ import annotations

import dataclasses

import pytest
from contrast import contrast
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QInputDialog, QPushButton
from pytestqt.qtbot import QtBot

from idlepool.ui.theme import DARK, LIGHT, Colours, choose_theme, colours, plain_tooltip

PAIRS = [
    ("text", "window"),
    ("text", "surface"),
    ("text", "hover"),
    ("text", "code"),
    ("muted", "window"),
    ("muted", "surface"),
    ("muted", "hover"),
    ("muted", "code"),
    ("link", "window"),
    ("link", "surface"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("error", "error_ground"),
    ("notice", "notice_ground"),
    ("good", "surface"),
    ("busy", "surface"),
    ("error", "surface"),
    ("good", "window"),
    ("busy", "window"),
    ("error", "window"),
    ("error", "error_ground"),
]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(theme: Colours, text: str, ground: str):
    named = dataclasses.asdict(theme)
    assert contrast(named[text], named[ground]) >= 4.5


SHAPES = [
    ("control", "surface"),
    ("control", "window"),
    ("control", "hover"),
    ("muted", "surface"),
    ("link", "surface"),
    ("link", "window"),
    ("good", "surface"),
    ("good", "window"),
    ("busy", "surface"),
    ("busy", "window"),
    ("error", "surface"),
    ("error", "window"),
    ("on_accent", "control"),
    ("text", "accent"),
]
"""Focus, switches, marks and bars on their grounds: WCAG 2.2, 1.4.11."""


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_controls_can_be_told_from_their_ground(theme: Colours, shape: str, ground: str):
    colours = dataclasses.asdict(theme)
    assert contrast(colours[shape], colours[ground]) >= 3


def test_what_is_chosen_holds_whatever_the_system_says(qapp: QApplication):
    try:
        for choice, theme in (("dark", DARK), ("light", LIGHT), ("dark", DARK)):
            choose_theme(qapp, choice)
            assert colours() is theme
            assert theme.surface in qapp.styleSheet()
            qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)  # the system changes at sunrise
            assert colours() is theme
    finally:
        choose_theme(qapp, "system")
    assert colours() is (DARK if qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT)


def test_a_name_in_a_tooltip_is_never_read_as_html():
    document = QTextDocument()
    document.setHtml(plain_tooltip("<img src='//elsewhere/x.png'>PC\nnext"))
    assert document.toPlainText() == "<img src='//elsewhere/x.png'>PC\nnext"


def test_buttons_of_dialogs_have_no_icons(qtbot: QtBot) -> None:
    dialog = QInputDialog()
    qtbot.addWidget(dialog)
    dialog.setLabelText("Name")
    dialog.show()
    buttons = dialog.findChildren(QPushButton)
    assert len(buttons) == 2
    assert all(button.icon().isNull() for button in buttons)
