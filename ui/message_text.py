"""The text of one message: Markdown or plain, as tall and as wide as it needs to be, selectable, with live links."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import math
from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextOption,
    QTextTable,
    QTextTableFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from idlepool.ui.theme import colours

MARKDOWN: Final = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
"""NoHTML by itself would turn tables off."""

LINK_SCHEMES: Final = ("http", "https", "mailto")
LINE_HEIGHT_PERCENT: Final = 124


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
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(_open_outside)

    def show_text(self, source: str) -> None:
        """Replace the text."""
        self._source = source
        self._render()

    def fit(self, limit: int) -> None:
        """Take the size of the content, at most `limit` pixels wide."""
        if limit != self._limit:
            self._limit = limit
            self._resize_to_content()

    def loadResource(self, kind: int, name: QUrl | str) -> None:
        """Nothing: a text that a model wrote must not read files or make this PC call a server."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the transcript."""
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """Draw again in the colours of a new theme, or with a new font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self._source:
            self._render()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a ground behind each block of code, then the text."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().code))
        for ground in self._code_grounds():
            painter.drawRoundedRect(ground, 8, 8)
        painter.end()
        super().paintEvent(event)

    def _render(self) -> None:
        document = self.document()
        if self._markdown:
            document.setMarkdown(self._source, MARKDOWN)
            _polish(document, self.fontMetrics().height())
        else:
            document.setPlainText(self._source)
        self._resize_to_content()

    def _resize_to_content(self) -> None:
        if not self._limit:
            return
        document = self.document()
        document.setTextWidth(self._limit)
        width = min(self._limit, math.ceil(document.idealWidth()) + 1)
        document.setTextWidth(width)
        self.setFixedSize(width, math.ceil(document.size().height()))

    def _code_grounds(self) -> list[QRectF]:
        """One rectangle for each run of code lines."""
        layout = self.document().documentLayout()
        grounds: list[QRectF] = []
        previous_was_code = False
        block = self.document().begin()
        while block.isValid():
            is_code = _is_code(block)
            if is_code:
                line = layout.blockBoundingRect(block)
                line.setLeft(block.blockFormat().leftMargin() - _CODE_PADDING)
                line.setRight(self.viewport().width())
                line.adjust(0, -_CODE_PADDING, 0, _CODE_PADDING)
                if previous_was_code:
                    line = grounds.pop().united(line)
                grounds.append(line)
            previous_was_code = is_code
            block = block.next()
        return grounds


_CODE_PADDING: Final = 10


def _open_outside(link: QUrl) -> None:
    if link.scheme() in LINK_SCHEMES:
        QDesktopServices.openUrl(link)


def _is_code(block: QTextBlock) -> bool:
    properties = QTextFormat.Property
    code = block.blockFormat()
    return code.hasProperty(properties.BlockCodeFence) or code.hasProperty(properties.BlockCodeLanguage)


def _polish(document: QTextDocument, line_px: int) -> None:
    """Give what the Markdown reader made the spacing and sizes of the window; `line_px` is the height of a line."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        cursor.mergeBlockFormat(_block_format(block, line_px))
        if block.blockFormat().headingLevel():
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(_heading_format(block.blockFormat().headingLevel()))
        block = block.next()
    cursor.endEditBlock()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _polish_table(frame, line_px)


def _block_format(block: QTextBlock, line_px: int) -> QTextBlockFormat:
    shape = QTextBlockFormat()
    shape.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    first, last = not block.previous().isValid(), not block.next().isValid()
    in_cell = QTextCursor(block).currentTable() is not None
    gap = 0.0 if in_cell else line_px * (0.2 if block.textList() else 0.45)
    if _is_code(block):
        opens, closes = not _is_code(block.previous()), not _is_code(block.next())
        shape.setNonBreakableLines(False)
        shape.setLeftMargin(_CODE_PADDING)
        shape.setRightMargin(_CODE_PADDING)
        shape.setTopMargin(gap + _CODE_PADDING if opens else 0)
        shape.setBottomMargin(gap + _CODE_PADDING if closes else 0)
        return shape
    if block.blockFormat().headingLevel() and not first:
        shape.setTopMargin(gap * 2)
    else:
        shape.setTopMargin(0 if first else gap)
    shape.setBottomMargin(0 if last else gap)
    return shape


def _heading_format(level: int) -> QTextCharFormat:
    shape = QTextCharFormat()
    shape.setProperty(QTextFormat.Property.FontSizeAdjustment, 1 if level <= 2 else 0)
    return shape


def _polish_table(table: QTextTable, line_px: int) -> None:
    shape = QTextTableFormat(table.format().toTableFormat())
    shape.setBorderCollapse(True)
    shape.setBorder(1)
    shape.setBorderBrush(QColor(colours().border))
    shape.setCellPadding(line_px * 0.35)
    shape.setCellSpacing(0)
    shape.setTopMargin(line_px * 0.4)
    shape.setBottomMargin(line_px * 0.4)
    table.setFormat(shape)
