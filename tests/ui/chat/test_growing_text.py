"""A text that grows ends up as one that is shown at once, and what is finished of it is not laid out again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.message_text import MessageText
from idlepool.ui.chat.prose_view import ProseView

WIDTH = 480
BLOCKS = (
    "Some **words** over\ntwo lines.",
    "## A heading",
    "- one\n- two\n\n  - three",
    "1. one\n   ```python\n   nested = 1\n   ```\n2. two",
    "> quoted",
    "```python\ndef f(): ...\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "word " * 220,
    "***",
)
documents = st.lists(st.sampled_from(BLOCKS), max_size=6).map("\n\n".join)


def picture(text: MessageText) -> list[tuple[str, QRect, list[str]]]:
    """What a user sees of it: where each part is, and what it says in which shape."""
    return [
        (
            type(view).__name__,
            view.geometry(),
            [each.toMarkdown() for each in text.text_views if view.isAncestorOf(each)],
        )
        for view in text.views
    ]


@pytest.fixture(scope="module")
def room() -> Iterator[QWidget]:
    """Texts have a parent in the window too: Qt ends them, and not Python wherever it happens to tidy up."""
    widget = QWidget()
    yield widget
    widget.close()


def shown(room: QWidget) -> MessageText:
    text = MessageText(markdown=True, parent=room)
    text.fit(WIDTH)
    return text


@given(document=documents, cuts=st.lists(st.integers(0, 1200), max_size=8))
@settings(max_examples=40, deadline=None)
def test_it_looks_as_if_it_had_been_shown_at_once(room: QWidget, document: str, cuts: list[int]):
    grown, whole = shown(room), shown(room)
    for cut in sorted(cuts):
        grown.show_text(document[:cut])
    grown.show_text(document)
    whole.show_text(document)
    assert picture(grown) == picture(whole)
    assert grown.size() == whole.size()
    assert grown.toPlainText() == whole.toPlainText()
    for text in (grown, whole):
        text.deleteLater()


def test_what_is_finished_keeps_its_document(room: QWidget):
    text = shown(room)
    begun = "word " * 220 + "\n\n```python\none = 1\n```\n\nAnd then"
    text.show_text(begun)
    documents = [view.document() for view in text.text_views]
    for words in range(1, 40):
        text.show_text(begun + " more" * words)
    assert [view.document() for view in text.text_views][:-1] == documents[:-1]


def test_parts_that_turn_out_to_be_something_else_leave_nothing_behind(room: QWidget, qtbot: QtBot):
    text = shown(room)
    room.show()
    text.show()
    source = "| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n"
    for length in range(len(source)):
        text.show_text(source[:length])
    text.show_text("plain")
    qtbot.waitUntil(lambda: len(text.findChildren(ProseView)) == 1)
    assert text.toPlainText() == "plain"
    assert text.size() == text.views[0].size()
