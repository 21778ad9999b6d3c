"""A small ring that fills as the conversation nears what the model can hold."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from idlepool.engine.events import NEARLY_FULL
from idlepool.ui.numbers import whole
from idlepool.ui.painter_state import painting
from idlepool.ui.theme import colours

SIDE: Final = 18
LINE: Final = 3
SIXTEENTHS: Final = 16
"""Of a degree: what Qt counts arcs in."""


class ContextMeter(QWidget):
    """Hidden until a first answer told how long the conversation is."""

    def __init__(self) -> None:
        super().__init__()
        self.share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Length of the conversation"))
        self.hide()

    def show_fill(self, used: int, context: int) -> None:
        """Show that the conversation has `used` of the `context` tokens that the model can hold; 0: not known."""
        self.share = min(1.0, used / context) if context else 0.0
        words = self.tr("{used} of {context} tokens: so much of what the model can hold is this conversation").format(
            used=whole(used), context=whole(context)
        )
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.setVisible(context > 0)
        self.update()

    def sizeHint(self) -> QSize:
        """A little more than an icon."""
        return QSize(SIDE + 4, SIDE + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ring, and over it as much of an arc as is used, from the top."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ring = QRectF(0, 0, SIDE - LINE, SIDE - LINE)
            ring.moveCenter(QRectF(self.rect()).center())
            full = colours().busy if self.share >= NEARLY_FULL else colours().link
            for colour, share in ((colours().border, 1.0), (full, self.share)):
                painter.setPen(QPen(QColor(colour), LINE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
                painter.drawArc(ring, 90 * SIXTEENTHS, -round(360 * SIXTEENTHS * share))
