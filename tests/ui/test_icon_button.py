"""Buttons that are symbols."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from idlepool.ui.icon_button import DRAWN_IN, FOLDER, IconButton, symbol
from idlepool.ui.theme import DARK, LIGHT, draw_in

SYMBOLS = sorted(FOLDER.glob("symbol-*.svg"))


def strongest(picture: QImage) -> QColor:
    """The colour of the pixel that is drawn most fully: a thin line covers none as a whole."""
    pixels = [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]
    return max(pixels, key=QColor.alpha)


def colours_in(picture: QImage) -> set[str]:
    """Of the pixels that are drawn fully."""
    pixels = [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]
    return {QColor(pixel.rgb()).name() for pixel in pixels if pixel.alpha() == 255}


@pytest.mark.parametrize("file", SYMBOLS, ids=lambda file: file.stem)
def test_a_symbol_is_drawn_in_the_colour_asked_for_and_sharp(qapp: QApplication, file: Path):
    assert DRAWN_IN in file.read_text("ascii")
    picture = symbol(file.stem.removeprefix("symbol-"), "#123456", 16, 2.0)
    assert (picture.width(), picture.devicePixelRatio()) == (32, 2.0)
    assert colours_in(picture.toImage()) == {"#123456"}


def test_a_button_has_a_name_and_takes_the_colours_of_a_new_theme(qapp: QApplication, qtbot: QtBot):
    button = IconButton("copy", "Copy this answer")
    qtbot.addWidget(button)
    button.show()
    assert button.accessibleName() == button.toolTip() == "Copy this answer"
    for scheme, theme in ((Qt.ColorScheme.Dark, DARK), (Qt.ColorScheme.Light, LIGHT)):
        draw_in(qapp, scheme)
        shown = button.icon().pixmap(button.iconSize()).toImage()
        drawn, wanted = strongest(shown), QColor(theme.muted)
        assert max(abs(a - b) for a, b in zip(drawn.getRgb()[:3], wanted.getRgb()[:3], strict=True)) <= 6
