"""The lines of a block of code: they grow at their end, are highlighted in their own time, and scroll sideways."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QColor, QFontDatabase, QResizeEvent, QShowEvent, QTextCharFormat, QTextCursor, QTextLayout

from idlepool.ui.chat.code_colours import code_colours
from idlepool.ui.chat.highlighting import Highlighting, Mark
from idlepool.ui.chat.parts import Code
from idlepool.ui.chat.text_view import TextView
from idlepool.ui.theme import colours

GROWING_REST_MS: Final = 700
"""Code that grows is highlighted no more often than this."""

FONT_SHARE: Final = 0.95
"""Of the text around it: letters of a fixed width look larger."""

MARGIN: Final = 12
TOP: Final = 4

_COUNTED_TWICE: Final = re.compile("[\U00010000-\U0010ffff]")


class CodeLines(TextView):
    """Shows one `Code` part, unwrapped."""

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setLineWrapMode(TextView.LineWrapMode.NoWrap)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.font().pointSizeF() * FONT_SHARE)
        self.setFont(font)
        self._code = Code("")
        self._look = colours()
        self._marks: Sequence[Mark] = ()
        self._highlighting = Highlighting(self)
        self._highlighting.read.connect(self._show_marks)
        self._highlight_soon = QTimer(self, singleShot=True, interval=GROWING_REST_MS)
        self._highlight_soon.timeout.connect(self._highlight)
        document = self.new_document()
        frame = document.rootFrame().frameFormat()
        frame.setMargin(MARGIN)
        frame.setTopMargin(TOP)
        document.rootFrame().setFrameFormat(frame)
        self.show_document(document)

    def show_code(self, code: Code) -> None:
        """Replace the code; where it only grew, what is there stays."""
        shown, self._code = self._code, code
        grown = code.text.startswith(shown.text)
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not grown:
            cursor.movePosition(QTextCursor.MoveOperation.Start, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(code.text[len(shown.text) :] if grown else code.text)
        if not grown or not shown.text:  # the widget's own cursor went along, and scrolled to the end of a long line
            self.setTextCursor(QTextCursor(self.document()))
            self.horizontalScrollBar().setValue(0)
        self.take_size()
        if not code.closed:
            if not self._highlight_soon.isActive() and not self._highlighting.busy:
                self._highlight_soon.start()
        elif code != shown:
            self._highlight()

    @property
    def layout_width(self) -> int:
        """Lines are as long as they are."""
        return -1

    def take_size(self) -> None:
        """Be as tall as the code, and as wide as the block allows."""
        if self.limit:
            size = self.document().size()
            bar = self.horizontalScrollBar().sizeHint().height() if size.width() > self.limit else 0
            self.setFixedSize(self.limit, math.ceil(size.height()) + bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """At another width begin at the left edge again: Qt scrolls to where the cursor might have been."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.horizontalScrollBar().setValue(0)

    def showEvent(self, event: QShowEvent) -> None:
        """The same when it is shown first."""
        super().showEvent(event)
        self.horizontalScrollBar().setValue(0)

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._look != colours():
            self._show_marks(self._marks)

    def _highlight(self) -> None:
        self._highlight_soon.stop()
        self._highlighting.begin(_in_units(self._code.text) + "\n", self._code.language)  # some rules end at a newline

    def _show_marks(self, marks: Sequence[Mark]) -> None:
        """Colour the lines without changing the document: nothing of it is laid out again but what is marked."""
        self._marks = marks
        self._look = colours()
        formats = {kind: _coloured(colour) for kind, colour in code_colours().items()}
        ranges: dict[int, list[QTextLayout.FormatRange]] = defaultdict(list)
        text = _in_units(self._code.text)
        starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
        for mark in marks:
            place = mark.start
            while place < mark.start + mark.length:  # a text or a comment may go over several lines
                line = bisect_right(starts, place) - 1
                line_end = starts[line + 1] if line + 1 < len(starts) else len(text) + 1
                end = min(mark.start + mark.length, line_end)
                ranges[line].append(_range(place - starts[line], end - place, formats[mark.kind]))
                place = end
        document = self.document()
        for line in range(document.blockCount()):
            document.findBlockByNumber(line).layout().setFormats(ranges[line])
        document.markContentsDirty(0, document.characterCount())


def _in_units(text: str) -> str:
    """With two letters for each that Qt counts twice."""
    return _COUNTED_TWICE.sub("\ufffd\ufffd", text)


def _coloured(colour: str) -> QTextCharFormat:
    shape = QTextCharFormat()
    shape.setForeground(QColor(colour))
    return shape


def _range(start: int, length: int, shape: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, shape
    return made
