"""Where a message is written: grows to six lines, Enter sends, Shift+Enter begins a line, Send turns into Stop."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import math
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from idlepool.ui.theme import styled

MOST_LINES: Final = 6
EDGE: Final = 1
MARGIN: Final = 4


class Composer(QFrame):
    """The message field with its button. Emits what was written; the field is emptied when it was sent."""

    submitted = Signal(str)
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._ready = False
        self._answering = False
        self.field = MessageField()
        self.field.setAccessibleName(self.tr("Message"))
        self.field.setPlaceholderText(self.tr("Write a message"))
        self.field.submitted.connect(self._submit)
        self.field.textChanged.connect(self._update_button)
        self.field.focused.connect(self._mark)
        self.button = styled(QPushButton(), "primary")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the cursor in the message
        self.button.clicked.connect(self._press)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self.setFocusProxy(self.field)
        self._update_button()

    def set_ready(self, ready: bool) -> None:
        """Whether a message could be answered now. Writing is always possible."""
        self._ready = ready
        self._update_button()

    def set_answering(self, answering: bool) -> None:
        """Whether an answer is being streamed: the button stops it."""
        self._answering = answering
        self._update_button()

    def _press(self) -> None:
        if self._answering:
            self.stop_requested.emit()
        else:
            self._submit()

    def _submit(self) -> None:
        text = self.field.toPlainText().strip()
        if text and self._ready and not self._answering:
            self.field.clear()
            self.submitted.emit(text)

    def _update_button(self) -> None:
        written = bool(self.field.toPlainText().strip())
        self.button.setText(self.tr("Stop") if self._answering else self.tr("Send"))
        self.button.setToolTip(self.tr("Stop the answer (Esc)") if self._answering else self.tr("Send (Enter)"))
        self.button.setAccessibleName(self.tr("Stop the answer") if self._answering else self.tr("Send the message"))
        self.button.setEnabled(self._answering or (self._ready and written))

    def _mark(self, focused: bool) -> None:
        self.setProperty("active", focused)
        self.style().unpolish(self)
        self.style().polish(self)


class MessageField(QPlainTextEdit):
    """The text of the message; as tall as what is written, within limits."""

    submitted = Signal()
    focused = Signal(bool)

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
        """Enter sends; with Shift it begins a new line."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

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
