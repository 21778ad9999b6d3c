"""Markdown in a bubble: rendered, within its width, and harmless whatever a model writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage, QTextTable
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from idlepool.ui.message_text import MessageText
from idlepool.ui.theme import draw_in

WIDTH = 400


class Browser(QObject):
    """Stands where the system's browser would."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, link: QUrl) -> None:
        self.opened.append(link.toString())


@pytest.fixture
def text(qtbot: QtBot) -> MessageText:
    widget = MessageText(markdown=True)
    qtbot.addWidget(widget)
    widget.fit(WIDTH)
    widget.show()
    return widget


def test_markdown_is_rendered(text: MessageText):
    text.show_text("A **bold** word\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n")
    assert text.toPlainText().splitlines()[0] == "A bold word"
    assert any(isinstance(frame, QTextTable) for frame in text.document().rootFrame().childFrames())


def test_each_of_two_equal_pictures_is_named(text: MessageText):
    text.show_text("![one](https://example.org/a.png)![one](https://example.org/a.png) and words")
    assert text.toPlainText() == "oneone and words"


def test_html_is_shown_as_it_was_written(text: MessageText):
    text.show_text("a <b>bold</b> <img src='x.png'> word")
    assert text.toPlainText() == "a <b>bold</b> <img src='x.png'> word"


def test_no_picture_is_read_from_the_disk(text: MessageText, tmp_path: Path):
    picture = QImage(300, 300, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.red)
    assert picture.save(str(tmp_path / "red.png"))
    text.show_text(f"![a picture]({QUrl.fromLocalFile(str(tmp_path / 'red.png')).toString()})")
    text.grab()
    assert text.height() < 150
    assert text.toPlainText() == "a picture"


@pytest.mark.parametrize(
    ("link", "opened"),
    [("https://example.org/a?b=c", True), ("mailto:a@example.org", True), ("file:///etc/hosts", False), ("x:y", False)],
)
def test_only_links_to_the_web_open_and_they_open_outside(text: MessageText, link: str, opened: bool):
    browser = Browser()
    for scheme in ("https", "mailto", "file", "x"):
        QDesktopServices.setUrlHandler(scheme, browser, "open")
    text.show_text(f"[here]({link})")
    text.anchorClicked.emit(QUrl(link))
    for scheme in ("https", "mailto", "file", "x"):
        QDesktopServices.unsetUrlHandler(scheme)
    assert browser.opened == ([link] if opened else [])
    assert text.toPlainText() == "here"


@pytest.mark.parametrize(
    "source",
    ["word " * 200, "x" * 900, "```\n" + "code " * 90 + "\n```", "- item " + "word " * 90, "漢字" * 300],
    ids=["words", "one long word", "code", "list", "CJK"],
)
def test_everything_fits_the_width(text: MessageText, source: str):
    text.show_text(source)
    assert text.width() <= WIDTH
    assert text.document().idealWidth() <= text.width()
    assert text.document().size().height() <= text.height()


def test_a_short_text_takes_no_more_than_it_needs(text: MessageText):
    text.show_text("Hi")
    assert text.width() < WIDTH / 4


def test_code_and_quotations_are_set_apart(text: MessageText):
    text.show_text("before\n\n```python\none\ntwo\n```\n\nafter\n\n> quoted\n")
    grounds, bars = text._code_grounds(), text._quote_bars()
    assert len(grounds) == len(bars) == 1
    assert grounds[0].height() > 2 * text.fontMetrics().height()
    assert bars[0].top() > grounds[0].bottom()


def test_an_unfinished_block_of_code_is_drawn_while_it_grows(text: MessageText):
    source = "Here:\n\n```python\nprint(1)\n"
    for length in range(len(source)):
        text.show_text(source[:length])
    text.show_text(source)
    assert "print(1)" in text.toPlainText()
    assert len(text._code_grounds()) == 1


def test_another_theme_recolours_the_links(text: MessageText, qapp: QApplication):
    draw_in(qapp, Qt.ColorScheme.Light)
    text.show_text("[a link](https://example.org)")

    def link_colour() -> str:
        return text.document().begin().begin().fragment().charFormat().foreground().color().name()

    light = link_colour()
    draw_in(qapp, Qt.ColorScheme.Dark)
    dark = link_colour()
    draw_in(qapp, Qt.ColorScheme.Light)
    assert light != dark
