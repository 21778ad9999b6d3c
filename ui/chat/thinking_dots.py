"""Three dots that take turns, until the first word of an answer comes."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QWidget

from idlepool.ui.announcing import announce
from idlepool.ui.motion import motion_wanted
from idlepool.ui.painter_state import painting


class ThinkingDots(QWidget):
    """Three dots that take turns, until the first word comes."""

    PHASES: Final = 3
    PHASE_MS: Final = 320

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._phase = 0
        self._timer = QTimer(self, interval=self.PHASE_MS)
        self._timer.timeout.connect(self._advance)

    def sizeHint(self) -> QSize:
        """Three dots in a line of text."""
        line = self.fontMetrics().height()
        return QSize(2 * line, line + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dots, the one whose turn it is in full strength."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.palette().color(QPalette.ColorRole.PlaceholderText))
            dot = round(self.fontMetrics().height() * 0.4)
            for index in range(self.PHASES):
                painter.setOpacity(1.0 if index == self._phase or not self._timer.isActive() else 0.35)
                painter.drawEllipse(index * (dot + 4), (self.height() - dot) // 2, dot, dot)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to count."""
        super().showEvent(event)
        announce(self, self.accessibleName())
        if motion_wanted(self):
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody sees the dots."""
        super().hideEvent(event)
        self._timer.stop()

    def _advance(self) -> None:
        self._phase = (self._phase + 1) % self.PHASES
        self.update()
