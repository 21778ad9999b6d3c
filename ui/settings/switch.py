"""A switch: a check box that is drawn as what it is for the eye, and stays one for the keyboard and a screen reader."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from idlepool.ui.painter_state import painting
from idlepool.ui.theme import colours

WIDTH: Final = 40
HEIGHT: Final = 22
RING: Final = 5
"""Pixels around it that show where the focus is."""


class Switch(QCheckBox):
    """On or off, at once; what it is for stands beside it."""

    def sizeHint(self) -> QSize:
        """The track and the ring around it."""
        return QSize(WIDTH + 2 * RING, HEIGHT + 2 * RING)

    def minimumSizeHint(self) -> QSize:
        """It does not shrink."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """All of it can be clicked."""
        return self.rect().contains(pos)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Track, knob, and a ring where it has the focus."""
        theme = colours()
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            track = QRectF(RING, (self.height() - HEIGHT) / 2, WIDTH, HEIGHT)
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme.control), 2))
                painter.drawRoundedRect(track.adjusted(-3.5, -3.5, 3.5, 3.5), HEIGHT / 2 + 3, HEIGHT / 2 + 3)
            on = self.isChecked()
            if not self.isEnabled():
                painter.setOpacity(0.5)
            painter.setPen(QPen(QColor(theme.control if on else theme.muted), 1.5))
            painter.setBrush(QColor(theme.control if on else theme.surface))
            painter.drawRoundedRect(track, HEIGHT / 2, HEIGHT / 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.on_accent if on else theme.muted))
            side = HEIGHT - 8
            left = track.right() - 4 - side if on else track.left() + 4
            painter.drawEllipse(QRectF(left, track.top() + 4, side, side))
