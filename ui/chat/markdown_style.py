"""Gives what Qt's Markdown reader makes the spacing, sizes and colours of the window."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import (
    QColor,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextTable,
    QTextTableCellFormat,
)

from idlepool.ui.theme import colours

LINE_HEIGHT_PERCENT: Final = 122
CODE_LINE_HEIGHT_PERCENT: Final = 108
CODE_PADDING: Final = 10
QUOTE_INDENT: Final = 14

GAP_SHARE: Final = 0.4
"""Of the height of a line: what lies between two paragraphs."""

_PROPERTY: Final = QTextFormat.Property


def is_code(block: QTextBlock) -> bool:
    """Whether the block is a line of a block of code; an invalid block is none."""
    shape = block.blockFormat()
    return shape.hasProperty(_PROPERTY.BlockCodeFence) or shape.hasProperty(_PROPERTY.BlockCodeLanguage)


def quote_level(block: QTextBlock) -> int:
    """How many quotations the block stands in."""
    return block.blockFormat().intProperty(_PROPERTY.BlockQuoteLevel)


def name_pictures(document: QTextDocument) -> None:
    """Put a link with the picture's description in place of each picture: none is ever loaded."""
    cursor = QTextCursor(document)
    pictures = [fragment for fragment in _fragments(document) if fragment.charFormat().isImageFormat()]
    for fragment in reversed(pictures):
        picture = fragment.charFormat().toImageFormat()
        link = QTextCharFormat()
        link.setAnchor(True)
        link.setAnchorHref(picture.name())
        link.setForeground(QColor(colours().link))
        cursor.setPosition(fragment.position())
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
        name = picture.stringProperty(_PROPERTY.ImageAltText) or picture.name()
        cursor.insertText(name * fragment.length(), link)


def tint_code_words(document: QTextDocument) -> None:
    """Put the ground of code behind words that are code."""
    ground = QTextCharFormat()
    ground.setBackground(QColor(colours().code))
    cursor = QTextCursor(document)
    for fragment in _fragments(document):
        if fragment.charFormat().fontFixedPitch():
            cursor.setPosition(fragment.position())
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(ground)


def _fragments(document: QTextDocument) -> list[QTextFragment]:
    found: list[QTextFragment] = []
    for number in range(document.blockCount()):
        fragments = document.findBlockByNumber(number).begin()
        while not fragments.atEnd():
            found.append(fragments.fragment())
            fragments += 1
    return found


def polish(document: QTextDocument, line_px: int, *, first: bool = True) -> None:
    """Restyle the whole document; `line_px` is the height of a line of its font. `first`: nothing stands above it."""
    document.setIndentWidth(line_px * 1.5)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for number in range(document.blockCount()):
        _polish_block(cursor, document.findBlockByNumber(number), line_px)
    heading = document.begin()
    if not first and heading.blockFormat().headingLevel():
        shape = QTextBlockFormat()
        shape.setTopMargin(heading.blockFormat().topMargin() + line_px * GAP_SHARE)
        cursor.setPosition(0)
        cursor.mergeBlockFormat(shape)
    cursor.endEditBlock()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _polish_table(frame, line_px)


def _polish_block(cursor: QTextCursor, block: QTextBlock, line_px: int) -> None:
    cursor.setPosition(block.position())
    level = block.blockFormat().headingLevel()
    if is_code(block):
        cursor.mergeBlockFormat(_code_format(block, line_px))
    elif cursor.currentTable() is None:
        cursor.mergeBlockFormat(_text_format(block, line_px))
    if level or quote_level(block):
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(_heading_format(level) if level else _quote_format())


def _text_format(block: QTextBlock, line_px: int) -> QTextBlockFormat:
    shape = _line_format(LINE_HEIGHT_PERCENT)
    gap = line_px * (0.15 if block.textList() else GAP_SHARE)
    above = gap * 2 if block.blockFormat().headingLevel() else gap
    # The extra height of a line lies below its text: the first line gets as much above it.
    extra = line_px * (LINE_HEIGHT_PERCENT - 100) / 100
    shape.setTopMargin(above if block.previous().isValid() else extra)
    shape.setBottomMargin(gap if block.next().isValid() else 0)
    if quote_level(block):
        shape.setLeftMargin(QUOTE_INDENT * quote_level(block))
    return shape


def _code_format(block: QTextBlock, line_px: int) -> QTextBlockFormat:
    shape = _line_format(CODE_LINE_HEIGHT_PERCENT)
    edge = line_px * 0.4 + CODE_PADDING
    shape.setNonBreakableLines(False)
    shape.setLeftMargin(CODE_PADDING)
    shape.setRightMargin(CODE_PADDING)
    shape.setTopMargin(0 if is_code(block.previous()) else edge)
    shape.setBottomMargin(0 if is_code(block.next()) else edge)
    return shape


def _line_format(percent: int) -> QTextBlockFormat:
    shape = QTextBlockFormat()
    shape.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return shape


def _heading_format(level: int) -> QTextCharFormat:
    shape = QTextCharFormat()
    shape.setProperty(_PROPERTY.FontSizeAdjustment, 1 if level <= 2 else 0)
    return shape


def _quote_format() -> QTextCharFormat:
    shape = QTextCharFormat()
    shape.setForeground(QColor(colours().muted))
    return shape


def _polish_table(table: QTextTable, line_px: int) -> None:
    """Rows parted by thin lines, no box around them."""
    frame = table.format()
    frame.setBorder(0)
    frame.setCellSpacing(0)
    frame.setTopMargin(line_px * 0.3)
    frame.setBottomMargin(line_px * 0.5)
    table.setFormat(frame)
    for row in range(table.rows()):
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            shape = QTextTableCellFormat(cell.format().toTableCellFormat())
            shape.setTopPadding(line_px * 0.3)
            shape.setBottomPadding(line_px * 0.3)
            shape.setLeftPadding(0 if column == 0 else line_px * 0.6)
            shape.setRightPadding(0 if column == table.columns() - 1 else line_px * 0.6)
            shape.setBottomBorder(0 if row == table.rows() - 1 else 1)
            shape.setBottomBorderBrush(QColor(colours().border))
            shape.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            cell.setFormat(shape)
