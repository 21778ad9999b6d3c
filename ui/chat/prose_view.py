"""Prose and tables: Markdown, or a text letter by letter as it was written."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextBlock, QTextDocument, QTextOption

from idlepool.ui.chat.markdown_style import (
    CODE_PADDING,
    QUOTE_INDENT,
    is_code,
    name_pictures,
    polish,
    quote_level,
    tint_code_words,
)
from idlepool.ui.chat.parts import Prose, Table
from idlepool.ui.chat.text_view import ANYWHERE, TextView
from idlepool.ui.painter_state import painting
from idlepool.ui.theme import colours

MARKDOWN: Final = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
"""NoHTML by itself would turn tables off."""


class ProseView(TextView):
    """One text. What it shows is set by `show_part` or `show_plain`."""

    def __init__(self, *, first: bool = True) -> None:
        super().__init__()
        self._first = first
        self._part: Prose | Table | None = None
        self._look = (colours(), self.font())

    def show_part(self, part: Prose | Table) -> None:
        """Show Markdown."""
        self._part = part
        # A table breaks no words: where its columns cannot be narrow enough, it scrolls.
        whole_words = isinstance(part, Table)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap if whole_words else ANYWHERE)
        self._render(part.source)

    def show_plain(self, text: str) -> None:
        """Show a text letter by letter."""
        self._look = (colours(), self.font())
        document = self.new_document()
        document.setPlainText(text)
        self.show_document(document)

    def take_size(self) -> None:
        """Be as large as the document; a table that is too wide scrolls."""
        super().take_size()
        scrolls = self.document().size().width() > self.limit > 0
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(policy)
        if scrolls:
            self.setFixedHeight(self.height() + self.horizontalScrollBar().sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Draw again in the colours of a new theme, or with a new font."""
        super().changeEvent(event)
        if event.type() not in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            return
        if self._look == (colours(), self.font()):
            return  # Qt tells of a change also where a widget only got its place in the window
        if self._part:
            self._render(self._part.source)
        else:
            self.show_plain(self.toPlainText())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a ground behind each run of code and a bar beside each quotation, then the text."""
        with painting(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours().code))
            for ground in self.code_grounds():
                painter.drawRoundedRect(ground, 8, 8)
            painter.setBrush(QColor(colours().border))
            for bar in self.quote_bars():
                painter.drawRect(bar)
        super().paintEvent(event)

    def code_grounds(self) -> list[QRectF]:
        """One rectangle for each run of code lines (in a list or a quotation)."""
        grounds: list[QRectF] = []
        for block in self._blocks():
            if is_code(block):
                line = self._place_of(block)
                shape = block.blockFormat()
                line.setLeft(shape.indent() * self.document().indentWidth() + shape.leftMargin() - CODE_PADDING)
                line.adjust(0, -CODE_PADDING, 0, CODE_PADDING)
                grounds.append(grounds.pop().united(line) if is_code(block.previous()) else line)
        return grounds

    def quote_bars(self) -> list[QRectF]:
        """One bar for each quoted block and level."""
        bars: list[QRectF] = []
        for block in self._blocks():
            place = self._place_of(block)
            for level in range(quote_level(block)):
                bars.append(QRectF(level * QUOTE_INDENT, place.top(), 3, place.height()))
        return bars

    def _render(self, source: str) -> None:
        self._look = (colours(), self.font())
        document = self.new_document()
        document.setMarkdown(source, MARKDOWN)
        if "![" in source:
            name_pictures(document)
        if "`" in source:
            tint_code_words(document)
        polish(document, self.fontMetrics().height(), first=self._first)
        self.show_document(document)

    def _blocks(self) -> list[QTextBlock]:
        document = self.document()
        return [document.findBlockByNumber(number) for number in range(document.blockCount())]

    def _place_of(self, block: QTextBlock) -> QRectF:
        """Where a block stands, from edge to edge."""
        place = self.document().documentLayout().blockBoundingRect(block)
        place.setRight(self.viewport().width())
        return place
