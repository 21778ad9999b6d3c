"""The text of one message: Markdown or plain, as tall and as wide as it needs to be, selectable, with live links."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import math
from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from idlepool.ui.markdown_style import CODE_PADDING, QUOTE_INDENT, is_code, name_pictures, polish, quote_level
from idlepool.ui.theme import colours

MARKDOWN: Final = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
"""NoHTML by itself would turn tables off."""

LINK_SCHEMES: Final = ("http", "https", "mailto")

_WRAP_ANYWHERE: Final = QTextOption()
_WRAP_ANYWHERE.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
_EMPTY_PICTURE: Final = QImage(1, 1, QImage.Format.Format_Mono)


class MessageText(QTextBrowser):
    """Shows one text. It has no scroll bars: `fit` gives it the size of its content."""

    def __init__(self, *, markdown: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._markdown = markdown
        self._source = ""
        self._limit = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.viewport().setAutoFillBackground(False)
        self.anchorClicked.connect(_open_outside)

    def show_text(self, source: str) -> None:
        """Replace the text."""
        self._source = source
        self._render()

    def fit(self, limit: int) -> None:
        """Take the size of the content, at most `limit` pixels wide."""
        if limit != self._limit:
            self._limit = limit
            self._resize_to(self.document())

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """An empty picture: a text that a model wrote must not read files or make this PC call a server.

        Returning nothing would not do: Qt then looks for a file of that name itself.
        """
        return _EMPTY_PICTURE

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the transcript."""
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """Draw again in the colours of a new theme, or with a new font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self._source:
            self._render()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a ground behind each run of code and a bar beside each quotation, then the text."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().code))
        for ground in self._code_grounds():
            painter.drawRoundedRect(ground, 8, 8)
        painter.setBrush(QColor(colours().border))
        for bar in self._quote_bars():
            painter.drawRect(bar)
        painter.end()
        super().paintEvent(event)

    def _render(self) -> None:
        # A document in a widget is laid out again with every change of a format: this one is finished before.
        document = QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(self.font())
        document.setDefaultTextOption(_WRAP_ANYWHERE)
        if self._markdown:
            document.setMarkdown(self._source, MARKDOWN)
            if "![" in self._source:
                name_pictures(document)
            polish(document, self.fontMetrics().height())
        else:
            document.setPlainText(self._source)
        self._resize_to(document)
        self.setDocument(document)

    def _resize_to(self, document: QTextDocument) -> None:
        if not self._limit:
            return
        document.setTextWidth(self._limit)
        width = min(self._limit, math.ceil(document.idealWidth()) + 1)
        document.setTextWidth(width)
        self.setFixedSize(width, math.ceil(document.size().height()))

    def _code_grounds(self) -> list[QRectF]:
        """One rectangle for each run of code lines."""
        grounds: list[QRectF] = []
        for block in self._blocks():
            if is_code(block):
                line = self._place_of(block)
                line.setLeft(block.blockFormat().leftMargin() - CODE_PADDING)
                line.adjust(0, -CODE_PADDING, 0, CODE_PADDING)
                grounds.append(grounds.pop().united(line) if is_code(block.previous()) else line)
        return grounds

    def _quote_bars(self) -> list[QRectF]:
        """One bar for each quoted block and level."""
        bars: list[QRectF] = []
        for block in self._blocks():
            place = self._place_of(block)
            for level in range(quote_level(block)):
                bars.append(QRectF(level * QUOTE_INDENT, place.top(), 3, place.height()))
        return bars

    def _blocks(self) -> list[QTextBlock]:
        document = self.document()
        return [document.findBlockByNumber(number) for number in range(document.blockCount())]

    def _place_of(self, block: QTextBlock) -> QRectF:
        """Where a block stands, from edge to edge."""
        place = self.document().documentLayout().blockBoundingRect(block)
        place.setRight(self.viewport().width())
        return place


def _open_outside(link: QUrl) -> None:
    if link.scheme() in LINK_SCHEMES:
        QDesktopServices.openUrl(link)
