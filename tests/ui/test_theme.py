"""Contrast of the colours (WCAG 2.2, 1.4.3), and text from other PCs in tooltips."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtGui import QColor, QTextDocument

from idlepool.ui.theme import DARK, LIGHT, Colours, plain_tooltip

PAIRS = [
    ("text", "window"),
    ("text", "surface"),
    ("text", "hover"),
    ("text", "code"),
    ("muted", "window"),
    ("muted", "surface"),
    ("link", "surface"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("error", "error_ground"),
    ("notice", "notice_ground"),
    ("good", "surface"),
    ("busy", "surface"),
    ("error", "surface"),
]


def luminance(colour: str) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue, _ = QColor(colour).getRgbF()
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(theme: Colours, text: str, ground: str):
    colours = dataclasses.asdict(theme)
    darker, lighter = sorted((luminance(colours[text]), luminance(colours[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_a_name_in_a_tooltip_is_never_read_as_html():
    document = QTextDocument()
    document.setHtml(plain_tooltip("<img src='//elsewhere/x.png'>PC\nnext"))
    assert document.toPlainText() == "<img src='//elsewhere/x.png'>PC\nnext"
