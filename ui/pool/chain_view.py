"""The chain as a picture: the layers to scale, below them the PCs in order, and what is on its way between them."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QElapsedTimer, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from idlepool.ui.motion import motion_wanted
from idlepool.ui.painter_state import painter_state, painting
from idlepool.ui.pool.chain import ChainPicture
from idlepool.ui.pool.chain_words import brief_span, layer_words, link_words
from idlepool.ui.pool.stage_card import StageCard
from idlepool.ui.pool.stage_colours import TEXT, stage_colour
from idlepool.ui.theme import colours

FRAME_MS: Final = 50
"""A picture of the pulse: 20 in a second."""
SHORTEST_ROUND_MS: Final = 800.0
"""Steps that are faster than that are drawn as slow as that: the eye follows no more."""

BAR: Final = 24
BAR_GAP: Final = 24
SEEN: Final = 6
"""Pixels of the bar that the smallest part takes, with the gap after it."""
CARD_CHARACTERS: Final = 28
"""Average ones, that a card has room for at least."""
CARD_GAP: Final = 72
"""For the arrow and its figure."""
ROW_GAP: Final = 48
WIDEST_CARD: Final = 320
ARROW: Final = 5
PULSE: Final = 4.0


class ChainView(QWidget):
    """As wide as there is room, as high as it needs."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Chain of the PCs that run the model"))
        self.cards: list[StageCard] = []
        self.picture = ChainPicture("")
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self.update)
        self._ways: list[QPainterPath] = []

    @property
    def moves(self) -> bool:
        """Whether a pulse is to be seen: something works, somebody can see it, and motion is wanted."""
        return self.picture.round_ms > 0 and len(self.cards) > 1 and self.isVisible() and motion_wanted(self)

    def show_picture(self, picture: ChainPicture) -> None:
        """Bring it up to date; cards that stay keep the focus."""
        self.picture = picture
        while len(self.cards) < len(picture.pcs):
            card = StageCard(len(self.cards))
            card.setParent(self)
            card.show()
            self.cards.append(card)
        for card in self.cards[len(picture.pcs) :]:
            card.hide()
            card.deleteLater()
        del self.cards[len(picture.pcs) :]
        for number, (card, pc) in enumerate(zip(self.cards, picture.pcs, strict=True), 1):
            last = number == len(picture.pcs)
            card.show_pc(
                pc, "" if last else picture.pcs[number].name, picture.pcs[0].name if last and number > 1 else ""
            )
        self._arrange()
        self._keep_time()

    # --- where things are --------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the cards anew."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        count = len(self.cards)
        narrowest = CARD_CHARACTERS * self.fontMetrics().averageCharWidth()
        columns = max(1, min(count, (self.width() + CARD_GAP) // (narrowest + CARD_GAP)))
        width = min((self.width() + CARD_GAP) // columns - CARD_GAP, max(WIDEST_CARD, narrowest))
        if columns == 1:
            width = self.width()
        top = BAR + BAR_GAP
        for start in range(0, count, columns):
            row = self.cards[start : start + columns]
            height = max(card.sizeHint().height() for card in row)
            for column, card in enumerate(row):
                card.setGeometry(column * (width + CARD_GAP), top, width, height)
            top += height + ROW_GAP
        self.setFixedHeight(top - ROW_GAP if count else 0)
        self._ways = [_way(self.cards[n].geometry(), self.cards[n + 1].geometry()) for n in range(max(0, count - 1))]
        self.update()

    # --- what is drawn -----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The layers, the arrows with their figures, and the pulse."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.cards:
                self._draw_layers(painter)
                for way, pc in zip(self._ways, self.picture.pcs, strict=False):
                    self._draw_way(painter, way, link_words(pc.link_ms))
                if self._timer.isActive():
                    self._draw_pulse(painter)

    def _draw_layers(self, painter: QPainter) -> None:
        """One bar for the model, to scale."""
        width = self.width()
        ends = bar_ends([pc.last for pc in self.picture.pcs], width)
        clip = QPainterPath()
        clip.addRoundedRect(QRectF(0, 0, width, BAR), 6, 6)
        with painter_state(painter):
            painter.setClipPath(clip)
            for number, pc in enumerate(self.picture.pcs):
                left, right = ends[number - 1] if number else 0, ends[number]
                part = QRect(left, 0, right - left - (2 if right < width else 0), BAR)
                painter.fillRect(part, stage_colour(number))
                words = layer_words(pc)
                if painter.fontMetrics().horizontalAdvance(words) > part.width() - 8:
                    words = brief_span(pc.first, pc.last)
                if painter.fontMetrics().horizontalAdvance(words) <= part.width() - 4:
                    painter.setPen(QColor(TEXT))
                    painter.drawText(part, Qt.AlignmentFlag.AlignCenter, words)

    def _draw_way(self, painter: QPainter, way: QPainterPath, words: str) -> None:
        theme = colours()
        painter.setPen(QPen(QColor(theme.muted), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(way)
        tip, before = way.pointAtPercent(1), way.pointAtPercent(0.98)
        forward = QPointF(0, 1) if abs(tip.x() - before.x()) < abs(tip.y() - before.y()) else QPointF(1, 0)
        side = QPointF(forward.y(), forward.x())
        for sign in (1, -1):
            painter.drawLine(tip, tip - forward * ARROW + side * (sign * ARROW))
        if words:
            middle = way.pointAtPercent(0.5)
            height = painter.fontMetrics().height()
            straight = way.elementCount() == 2 and forward.x() > 0
            place = QRectF(middle.x() - CARD_GAP / 2, middle.y() - height - 2, CARD_GAP, height)
            if not straight:
                place = QRectF(middle.x() + 8, middle.y() - height - 1, 2 * CARD_GAP, height)
            flag = Qt.AlignmentFlag.AlignCenter if straight else Qt.AlignmentFlag.AlignLeft
            painter.setPen(QColor(theme.muted))
            painter.drawText(place, flag, words)

    def _draw_pulse(self, painter: QPainter) -> None:
        """A step on its way: it spends the same time on each link, and passes once a round."""
        period = max(self.picture.round_ms, SHORTEST_ROUND_MS)
        place = self._clock.elapsed() % period / period * len(self._ways)
        way = self._ways[int(place)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().link))
        painter.drawEllipse(way.pointAtPercent(place % 1), PULSE, PULSE)

    # --- when it moves -----------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Move again."""
        super().showEvent(event)
        self._keep_time()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest."""
        super().hideEvent(event)
        self._keep_time()

    def _keep_time(self) -> None:
        if self.moves and not self._timer.isActive():
            self._clock.start()
            self._timer.start()
        elif not self.moves and self._timer.isActive():
            self._timer.stop()
            self.update()


def bar_ends(lasts: Sequence[int], width: int) -> list[int]:
    """Where each part of a bar ends, to scale, that stands for layers up to each of `lasts`; all are seen."""
    ends = [0]
    for last in lasts:
        ends.append(max(round(width * last / lasts[-1]), ends[-1] + SEEN))
    for place in range(len(lasts)):
        ends[-1 - place] = min(ends[-1 - place], width - place * SEEN)
    return ends[1:]


def _way(card: QRect, following: QRect) -> QPainterPath:
    """From a card to the next one: straight where they stand side by side or below one another, else with two bends."""
    if card.top() == following.top():
        middle = card.center().y()
        return _path(QPointF(card.right() + 4, middle), QPointF(following.left() - 4, middle))
    above, below = QPointF(card.center().x(), card.bottom() + 4), QPointF(following.center().x(), following.top() - 4)
    if above.x() == below.x():
        return _path(above, below)
    bend = (above.y() + below.y()) / 2
    return _path(above, QPointF(above.x(), bend), QPointF(below.x(), bend), below)


def _path(first: QPointF, *points: QPointF) -> QPainterPath:
    path = QPainterPath(first)
    for point in points:
        path.lineTo(point)
    return path
