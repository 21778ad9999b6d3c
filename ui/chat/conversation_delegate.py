"""How a row of the conversation list is drawn: a heading, a title with its marks, or a title with the words found."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from idlepool.ui.chat.conversation_model import ROW, Index, entry_of
from idlepool.ui.history.sections import Section
from idlepool.ui.history.values import Found, Piece
from idlepool.ui.icon_button import symbol
from idlepool.ui.painter_state import painter_state
from idlepool.ui.theme import colours

SPACE: Final = 8
SYMBOL: Final = 16
RADIUS: Final = 6
BEFORE_FOUND: Final = 16
"""Characters of a snippet in front of the first word that was found."""


class ConversationDelegate(QStyledItemDelegate):
    """`shown` is the conversation in sight, `answering` are those in which an answer is being written."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.shown = 0
        self.answering: frozenset[int] = frozenset()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its lines, on the grid of 8 pixels."""
        line = option.fontMetrics.height()
        row = index.data(ROW)
        if isinstance(row, Section):
            return QSize(0, line + 2 * SPACE)
        lines = 3 if isinstance(row, Found) and row.message is not None else 1
        return QSize(0, lines * line + 2 * SPACE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a row; no style of the system knows these."""
        row = index.data(ROW)
        with painter_state(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if isinstance(row, Section):
                self._draw_heading(painter, option, str(index.data()))
            else:
                self._draw_ground(painter, option, shown=entry_of(row, self.shown) is not None)
                self._draw_title(painter, option, index)
                if isinstance(row, Found) and row.message is not None:
                    _draw_snippet(painter, option, row.snippet)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A field in the place of the title."""
        editor = QLineEdit(parent)
        editor.setObjectName("inPlace")
        editor.setAccessibleName(self.tr("New title"))
        editor.setMaxLength(200)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Over the whole first line."""
        height = option.fontMetrics.height() + 2 * SPACE
        editor.setGeometry(QRect(option.rect.topLeft(), QSize(option.rect.width(), height)))

    def _draw_heading(self, painter: QPainter, option: QStyleOptionViewItem, text: str) -> None:
        painter.setPen(QColor(colours().muted))
        painter.setFont(_font(option, bold=True, scale=0.9))
        where = option.rect.adjusted(SPACE, SPACE, -SPACE, -SPACE // 2)
        painter.drawText(where, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)

    def _draw_ground(self, painter: QPainter, option: QStyleOptionViewItem, *, shown: bool) -> None:
        where = option.rect.toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        if shown or _under_mouse(option) or _chosen(option):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours().hover))
            painter.drawRoundedRect(where, RADIUS, RADIUS)
        if _chosen(option) and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(colours().accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(where, RADIUS, RADIUS)

    def _draw_title(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = entry_of(index.data(ROW))
        assert entry is not None
        first = _first_line(option)
        marks = [("more", colours().muted)] if _under_mouse(option) or _chosen(option) else []
        marks += [("pin", colours().muted)] if entry.pinned else []
        ratio = painter.device().devicePixelRatio()
        right = first.right() + 1
        for name, colour in marks:
            right -= SYMBOL
            top = first.center().y() - SYMBOL // 2 + 1
            painter.drawPixmap(right, top, symbol(name, colour, SYMBOL, ratio))
            right -= SPACE // 2
        if entry.id in self.answering:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours().good))
            painter.drawEllipse(QPointF(right - 4, first.center().y() + 1), 3.5, 3.5)
            right -= 2 * SPACE
        font = _font(option, bold=entry.id == self.shown)
        painter.setFont(font)
        painter.setPen(QColor(colours().text))
        first.setRight(right)
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, first.width())
        row = index.data(ROW)
        in_title = isinstance(row, Found) and row.message is None
        _draw_lines(painter, first, QTextLayout(text, font), _marks(row.snippet) if in_title else [])


def more_rect(row: QRect) -> QRect:
    """Where the three dots of a row are, with room for a finger."""
    return QRect(row.right() - SYMBOL - 2 * SPACE, row.top(), SYMBOL + 2 * SPACE, 2 * SYMBOL + SPACE)


def _first_line(option: QStyleOptionViewItem) -> QRect:
    where = option.rect.adjusted(SPACE, SPACE, -SPACE, 0)
    where.setHeight(option.fontMetrics.height())
    return where


def _draw_snippet(painter: QPainter, option: QStyleOptionViewItem, pieces: Sequence[Piece]) -> None:
    shown = _from_the_first_found(pieces)
    text = "".join(piece.text for piece in shown)
    where = option.rect.adjusted(SPACE, SPACE + option.fontMetrics.height(), -SPACE, -SPACE)
    painter.setPen(QColor(colours().muted))
    _draw_lines(painter, where, QTextLayout(text, _font(option, scale=0.9)), _marks(shown), most=2)


def _draw_lines(
    painter: QPainter, where: QRect, layout: QTextLayout, marks: list[QTextLayout.FormatRange], *, most: int = 1
) -> None:
    layout.setFormats(marks)
    layout.beginLayout()
    top = 0.0
    for _ in range(most):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(where.width())
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()
    layout.draw(painter, QPointF(where.topLeft()))


def _from_the_first_found(pieces: Sequence[Piece]) -> list[Piece]:
    if not pieces or pieces[0].found or len(pieces[0].text) <= BEFORE_FOUND:
        return list(pieces)
    begin = pieces[0].text[-BEFORE_FOUND:]
    return [Piece(f"…{begin.partition(' ')[2] or begin}", False), *pieces[1:]]


def _marks(pieces: Sequence[Piece]) -> list[QTextLayout.FormatRange]:
    mark = QTextCharFormat()
    mark.setFontWeight(QFont.Weight.DemiBold)
    mark.setForeground(QColor(colours().link))
    ranges, start = [], 0
    for piece in pieces:
        units = len(piece.text.encode("utf-16-le")) // 2  # as Qt counts
        if piece.found:
            found = QTextLayout.FormatRange()
            found.start, found.length, found.format = start, units, mark
            ranges.append(found)
        start += units
    return ranges


def _font(option: QStyleOptionViewItem, *, bold: bool = False, scale: float = 1.0) -> QFont:
    font = QFont(option.font)
    font.setPointSizeF(font.pointSizeF() * scale)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def _under_mouse(option: QStyleOptionViewItem) -> bool:
    return bool(option.state & QStyle.StateFlag.State_MouseOver)


def _chosen(option: QStyleOptionViewItem) -> bool:
    return bool(option.state & QStyle.StateFlag.State_Selected)
