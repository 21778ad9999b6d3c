"""What stands where on the chat page: the header, the conversation or the welcome, the composer."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from idlepool.ui.chat.composer import Composer
from idlepool.ui.chat.context_notice import ContextNotice
from idlepool.ui.chat.drop_hint import DropHint
from idlepool.ui.chat.header import Header
from idlepool.ui.chat.message_field import files_in
from idlepool.ui.chat.pipeline_line import PipelineLine
from idlepool.ui.chat.transcript import MARGIN, Transcript
from idlepool.ui.chat.welcome import Welcome
from idlepool.ui.models.load_view import LoadView
from idlepool.ui.theme import column_width, styled

MOST_LOADING: Final = 4
"""PCs whose progress is shown at once: the conversation keeps its room."""


class ChatLayout(QWidget):
    """The parts of the page, and where files may be dropped: everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.header = Header()
        self.welcome = Welcome()
        self.transcript = Transcript()
        self.context_notice = ContextNotice()
        self.load_view = LoadView(most=MOST_LOADING)
        self.composer = Composer()
        self.pipeline_line = PipelineLine()
        self._middle = QStackedWidget()
        self._middle.addWidget(self.welcome)
        self._middle.addWidget(self.transcript)
        footer = styled(QFrame(), "footer")
        self._footer = QVBoxLayout(footer)
        self._footer.setSpacing(8)
        self._footer.addWidget(self.load_view)
        self._footer.addWidget(self.context_notice)
        self._footer.addWidget(self.composer)
        self._footer.addWidget(self.pipeline_line)
        window = QVBoxLayout(self)
        window.setContentsMargins(0, 0, 0, 0)
        window.setSpacing(0)
        window.addWidget(self.header)
        window.addWidget(self._middle, 1)
        window.addWidget(footer)
        self.drop_hint = DropHint(self)
        self.drop_hint.dropped.connect(self.composer.files_given)
        self.setAcceptDrops(True)
        self.composer.setFocus()

    def show_begun(self, begun: bool) -> None:
        """Show the conversation, or the welcome where nothing was said yet."""
        self._middle.setCurrentWidget(self.transcript if begun else self.welcome)

    def show_fill(self, used: int, context: int) -> None:
        """Show how much of what the model can hold the conversation is; `context` 0: not known."""
        self.composer.meter.show_fill(used, context)
        self.context_notice.show_fill(used, context)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the composer as wide as the conversation."""
        super().resizeEvent(event)
        width = column_width(self, self.width() - 2 * MARGIN)
        side = (self.width() - width) // 2
        self.context_notice.fit(width)
        self._footer.setContentsMargins(side, 4, side, 10)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may come in: say so, by what takes them."""
        if files_in(event.mimeData()):
            event.acceptProposedAction()
            self.drop_hint.appear()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        """They went elsewhere, or on to the hint, which appears again then."""
        self.drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """They were dropped before the hint took over."""
        self.drop_hint.dropEvent(event)
