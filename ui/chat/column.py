"""The widget that scrolls in the transcript: it tells when a bubble changes, and leads the tab key through them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QWidget

from idlepool.ui.chat.bubble import Bubble
from idlepool.ui.chat.message_text import MessageText


class Column(QWidget):
    """It has no layout: the transcript gives the bubbles their places."""

    changed = Signal()
    """A bubble wants another size."""

    def __init__(self) -> None:
        super().__init__()
        self._chained: list[QWidget] = []

    def event(self, event: QEvent) -> bool:
        """Qt posts this where a child without a layout around it changed what it needs."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.changed.emit()
        return super().event(event)

    def chain(self, before: QWidget, bubbles: Sequence[Bubble]) -> None:
        """Let the tab key go from `before` through the bubbles in their order, in whatever order they were built."""
        stops = [before]
        for bubble in bubbles:
            for control in bubble.controls:
                stops += control.controls if isinstance(control, MessageText) else (control,)
        if stops != self._chained:
            self._chained = stops
            for one, following in pairwise(stops):
                QWidget.setTabOrder(one, following)


def size_of(widget: QWidget) -> QSize:
    """What a bubble or a notice needs now; nothing while it is hidden."""
    if widget.isHidden():
        return QSize(0, 0)
    if layout := widget.layout():
        layout.activate()
    return widget.sizeHint().expandedTo(widget.minimumSize()).boundedTo(widget.maximumSize())
