"""What lies over the chat page while files are dragged across it: a frame that says where they will go."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QWidget

from idlepool.ui.chat.message_field import files_in
from idlepool.ui.theme import styled

EDGE: Final = 4
"""So little that no word below it is cut."""


class DropHint(QLabel):
    """Hidden until `appear`. It takes the drag over from what lies below it, and goes with it."""

    dropped = Signal(list)
    """The paths of the files."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(self.tr("Drop text files here to put them into the message"), page)
        self._page = page
        styled(self, "drop")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setAcceptDrops(True)
        self.hide()

    def appear(self) -> None:
        """Lie over the whole page."""
        self.setGeometry(self._page.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE))
        self.show()
        self.raise_()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """The page below gave the drag on, and hid this: its own drag ended by that."""
        if files_in(event.mimeData()):
            event.acceptProposedAction()
            self.appear()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        """The files went elsewhere."""
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """The files stay."""
        self.hide()
        event.acceptProposedAction()
        self.dropped.emit(files_in(event.mimeData()))
