"""Markdown in a bubble: rendered, within its width, and harmless whatever a model writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage, QTextTable
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.code_block import CodeBlock
from idlepool.ui.chat.message_text import MessageText
from idlepool.ui.chat.prose_view import ProseView
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
    frames = [frame for view in text.text_views for frame in view.document().rootFrame().childFrames()]
    assert any(isinstance(frame, QTextTable) for frame in frames)


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
    text.text_views[0].anchorClicked.emit(QUrl(link))
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
    for view in text.text_views:
        assert view.document().size().height() <= view.height() <= text.height()
        assert view.document().idealWidth() <= view.width() or view.horizontalScrollBar().maximum() > 0


def test_a_short_text_takes_no_more_than_it_needs(text: MessageText):
    text.show_text("Hi")
    assert text.width() < WIDTH / 4


def test_code_deep_in_a_list_and_quotations_are_set_apart(text: MessageText):
    text.show_text("before\n\n- one:\n  - two:\n    ```python\n    one\n    two\n    ```\n\nafter\n\n> quoted\n")
    (view,) = text.views
    assert isinstance(view, ProseView)
    grounds, bars = view.code_grounds(), view.quote_bars()
    assert len(grounds) == len(bars) == 1
    assert grounds[0].height() > 2 * text.fontMetrics().height()
    assert bars[0].top() > grounds[0].bottom()


def test_a_list_with_code_keeps_its_numbers(text: MessageText):
    text.show_text("3. three\n   ```\n   x\n   ```\n4. four\n5. five")
    last = text.text_views[-1].document()
    items = [block for block in (last.findBlockByNumber(number) for number in range(2)) if block.textList()]
    assert [block.textList().itemText(block) for block in items] == ["4.", "5."]


def test_a_table_breaks_no_word_but_scrolls(text: MessageText, qtbot: QtBot):
    head = "| " + " | ".join(["Donaudampfschiff"] * 6) + " |\n|" + "---|" * 6
    text.show_text(head)
    (view,) = text.text_views
    qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() > 0)
    assert view.width() <= WIDTH
    assert view.document().size().height() < 4 * view.fontMetrics().lineSpacing()


def test_an_unfinished_block_of_code_is_drawn_while_it_grows(text: MessageText):
    source = "Here:\n\n```python\nprint(1)\n"
    for length in range(len(source)):
        text.show_text(source[:length])
    text.show_text(source)
    assert "print(1)" in text.toPlainText()
    assert [type(view) for view in text.views] == [ProseView, CodeBlock]


def test_the_keyboard_can_be_seen_and_a_click_rings_nothing(text: MessageText, qtbot: QtBot):
    text.show_text("Some words")
    (view,) = text.text_views
    text.activateWindow()
    qtbot.waitUntil(text.isActiveWindow)
    view.clearFocus()
    calm = view.grab().toImage()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: view.grab().toImage() != calm)
    view.clearFocus()
    view.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(lambda: view.grab().toImage() == calm)


def test_another_theme_recolours_the_links(text: MessageText, qapp: QApplication):
    draw_in(qapp, Qt.ColorScheme.Light)
    text.show_text("[a link](https://example.org)")

    def link_colour() -> str:
        return text.text_views[0].document().begin().begin().fragment().charFormat().foreground().color().name()

    light = link_colour()
    draw_in(qapp, Qt.ColorScheme.Dark)
    dark = link_colour()
    draw_in(qapp, Qt.ColorScheme.Light)
    assert light != dark
