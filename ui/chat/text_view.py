"""A text in a bubble that can be selected: as tall as it needs to be, and harmless whatever a model wrote."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
import math
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QFocusEvent,
    QImage,
    QPaintEvent,
    QPalette,
    QPen,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from idlepool.ui.painter_state import painting

LINK_SCHEMES: Final = ("http", "https", "mailto")

ANYWHERE: Final = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_EMPTY_PICTURE: Final = QImage(1, 1, QImage.Format.Format_Mono)


class TextView(QTextBrowser):
    """Shows one document, which is laid out for `limit` pixels; the widget is no larger than the document."""

    def __init__(self) -> None:
        super().__init__()
        self.limit = 0
        """Most pixels that the widget may be wide; 0: not known yet."""
        self._ringed = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The layout depends on the limit only: a widget that grows with its text would lay it out again and again.
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setOpenLinks(False)
        self.viewport().setAutoFillBackground(False)
        self.anchorClicked.connect(_open_outside)

    def new_document(self) -> QTextDocument:
        """An empty document in this widget's font. A document that is shown is laid out again with every change of a
        format: fill this one first, then show it."""
        document = QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(self.font())
        option = QTextOption()
        option.setWrapMode(self.wordWrapMode())
        document.setDefaultTextOption(option)
        return document

    def show_document(self, document: QTextDocument) -> None:
        """Replace what is shown."""
        if self.limit:
            document.setTextWidth(self.layout_width)
        replaced = self.document()
        ours = replaced.parent() is self  # the one that Qt made itself, Qt deletes
        self.setDocument(document)
        if ours:
            replaced.deleteLater()
        self.take_size()

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        if limit != self.limit:
            self.limit = limit
            self.setLineWrapColumnOrWidth(self.layout_width)
            self.take_size()

    @property
    def layout_width(self) -> int:
        """Pixels that the lines may take."""
        return self.limit

    def take_size(self) -> None:
        """Be as large as the document."""
        if self.limit:
            document = self.document()
            width = min(self.limit, math.ceil(document.idealWidth()) + 1)
            self.setFixedSize(width, math.ceil(document.size().height()))

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """An empty picture: a text that a model wrote must not read files or make this PC call a server.

        Returning nothing would not do: Qt then looks for a file of that name itself.
        """
        return _EMPTY_PICTURE

    @property
    def selected_text(self) -> str:
        """The selected part of the text."""
        return self.textCursor().selection().toPlainText()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Remember whether the focus came by the keyboard: only then it has to be shown."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self._ringed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, and a ring around it where the keyboard is."""
        super().paintEvent(event)
        if self._ringed and self.hasFocus():
            with painting(self.viewport()) as painter:
                painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Text), 1, Qt.PenStyle.DotLine))
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways, and leave the rest to the transcript."""
        turned = event.angleDelta()
        if abs(turned.x()) > abs(turned.y()):
            super().wheelEvent(event)
        else:
            event.ignore()


def _open_outside(link: QUrl) -> None:
    if link.scheme() in LINK_SCHEMES:
        QDesktopServices.openUrl(link)
