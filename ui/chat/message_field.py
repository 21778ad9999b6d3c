"""The field in which a message is written: as tall as its text, within limits; files that are dropped are not text."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import math
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QFontMetricsF, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

MOST_LINES: Final = 6
EDGE: Final = 1
MARGIN: Final = 4


def files_in(data: QMimeData) -> list[Path]:
    """The files on this PC that were dropped or pasted."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class MessageField(QPlainTextEdit):
    """The text of the message; as tall as what is written, within limits."""

    submitted = Signal()
    focused = Signal(bool)
    went_up = Signal()
    """From an empty field."""
    files_given = Signal(list)
    """Paths that were dropped or pasted."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(EDGE)
        # Outside the scrolled text: no slice of a seventh line shows below the sixth.
        self.setViewportMargins(0, MARGIN, 0, MARGIN)
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends; with Shift it begins a new line. Up leads from an empty field to what was sent last."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Up and self.document().isEmpty():
            self.went_up.emit()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Text comes in here; files are for the whole page, which says so."""
        if files_in(event.mimeData()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Files too."""
        return bool(files_in(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Text goes in as it is, without its looks; files are given on."""
        if files := files_in(source):
            self.files_given.emit(files)
        else:
            super().insertFromMimeData(source)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame, which shows the focus."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusOutEvent(event)
        self.focused.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps the lines anew."""
        super().resizeEvent(event)
        self._grow()

    def _grow(self) -> None:
        # The document of a QPlainTextEdit measures its height in lines, wrapped ones counted.
        lines = self.document().documentLayout().documentSize().height()
        shown = max(1, min(MOST_LINES, math.ceil(lines)))
        line_px = math.ceil(QFontMetricsF(self.font()).height())
        self.setFixedHeight(shown * line_px + 2 * (EDGE + MARGIN))
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if lines > MOST_LINES else policy.ScrollBarAlwaysOff)
