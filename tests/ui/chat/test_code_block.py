"""Code in a bubble: copied as it was written, highlighted without a pause, as wide as it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.code_block import CodeBlock
from idlepool.ui.chat.code_colours import code_colours
from idlepool.ui.chat.highlighting import marks
from idlepool.ui.chat.parts import Code
from idlepool.ui.theme import DARK, LIGHT, Colours, draw_in

WIDTH = 400


@pytest.fixture
def block(qtbot: QtBot) -> CodeBlock:
    widget = CodeBlock()
    qtbot.addWidget(widget)
    widget.fit(WIDTH)
    return widget


def colour_of(block: CodeBlock, word: str) -> str:
    """The colour that a word is drawn in; empty: that of the text."""
    document = block.lines.document()
    cursor = document.find(word)
    line = document.findBlock(cursor.selectionStart())
    place = cursor.selectionStart() - line.position()
    formats = line.layout().formats()
    found = next((each for each in formats if each.start <= place < each.start + each.length), None)
    return found.format.foreground().color().name() if found else ""


def test_it_says_its_language_and_copies_what_was_written(block: CodeBlock, qtbot: QtBot):
    block.show_part(Code("one = 1\n\n    two = 2", "python"))
    assert block.language.text() == "python"
    block.show()
    qtbot.mouseClick(block.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "one = 1\n\n    two = 2"
    assert block.copy.text() == "Copied"
    qtbot.waitUntil(lambda: block.copy.text() == "Copy")


def test_it_is_copied_by_the_keyboard(block: CodeBlock, qtbot: QtBot):
    block.show_part(Code("one", "python"))
    block.show()
    block.copy.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(block.copy, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == "one"
    assert "python" in block.copy.accessibleName()
    assert "python" in block.lines.accessibleName()


def test_words_get_their_colours(block: CodeBlock, qtbot: QtBot):
    block.show_part(Code('🎉 = 1\ndef spread(): # why\n    """Over\n    lines."""\n', "python"))
    qtbot.waitUntil(lambda: colour_of(block, "def") == code_colours()["keyword"])
    assert colour_of(block, "# why") == code_colours()["comment"]
    assert colour_of(block, "Over") == colour_of(block, "lines.") == code_colours()["text"]
    assert colour_of(block, "():") == ""


def test_a_letter_beyond_the_basic_plane_moves_no_colour(block: CodeBlock, qtbot: QtBot):
    block.show_part(Code('x = "🎉🎉" + None', "python"))
    qtbot.waitUntil(lambda: colour_of(block, "None") == code_colours()["keyword"])
    assert colour_of(block, "+") == ""


def test_open_code_grows_and_is_highlighted_meanwhile(block: CodeBlock, qtbot: QtBot):
    text = "def one():\n    return 1\n"
    for length in range(1, len(text) + 1):
        block.show_part(Code(text[:length], "python", closed=False))
    assert block.lines.toPlainText() == text
    height = block.lines.height()
    qtbot.waitUntil(lambda: colour_of(block, "return") == code_colours()["keyword"])
    assert block.lines.height() == height


@pytest.mark.parametrize("language", ["", "no such language"])
def test_what_nobody_knows_stays_as_it_is(block: CodeBlock, language: str):
    block.show_part(Code("def", language))
    assert list(marks("def", language)) == []
    assert block.language.text() == (language or "Code")


def test_long_lines_scroll_sideways_and_nothing_scrolls_up_and_down(block: CodeBlock, qtbot: QtBot):
    block.show_part(Code("x" * 300 + "\n" * 40 + "y"))
    block.show()
    qtbot.waitUntil(lambda: block.lines.horizontalScrollBar().maximum() > 0)
    assert block.lines.width() <= block.width() == WIDTH
    assert block.lines.verticalScrollBar().maximum() == 0
    assert block.lines.horizontalScrollBar().value() == 0
    assert block.lines.selected_text == ""

    def turn(x: int, y: int) -> bool:
        none = Qt.KeyboardModifier.NoModifier
        turned = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(x, y), Qt.MouseButton.NoButton, none,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(block.lines.viewport(), turned)
        return turned.isAccepted()

    assert not turn(0, -120), "the transcript scrolls"
    assert turn(-120, 0)
    assert block.lines.horizontalScrollBar().value() > 0


def test_another_theme_recolours_the_code(block: CodeBlock, qtbot: QtBot, qapp: QApplication):
    draw_in(qapp, Qt.ColorScheme.Light)
    block.show_part(Code("def f(): ...", "python"))
    qtbot.waitUntil(lambda: colour_of(block, "def") == code_colours(LIGHT)["keyword"])
    draw_in(qapp, Qt.ColorScheme.Dark)
    QApplication.sendEvent(block.lines, QEvent(QEvent.Type.PaletteChange))
    dark = colour_of(block, "def")
    draw_in(qapp, Qt.ColorScheme.Light)
    assert dark == code_colours(DARK)["keyword"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_can_be_read(theme: Colours):
    for kind, colour in code_colours(theme).items():
        assert contrast(colour, theme.code) >= 4.5, kind


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, "contrast ratio"."""

    def luminance(name: str) -> float:
        shares = (QColor(name).redF(), QColor(name).greenF(), QColor(name).blueF())
        linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
