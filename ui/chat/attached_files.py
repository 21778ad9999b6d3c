"""The files that go with the message that is being written: a row for each, with a button that takes it out again."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from idlepool.ui.chat.attachments import Attachment
from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.icon_button import IconButton
from idlepool.ui.numbers import whole
from idlepool.ui.theme import plain_tooltip, styled

ROWS_SEEN: Final = 4.5
"""The half one says that there are more, to which one scrolls: the conversation keeps its room."""


class AttachedFiles(QScrollArea):
    """Hidden while there is none."""

    changed = Signal()
    taken_out = Signal()
    """By its button, which is about to go."""

    def __init__(self) -> None:
        super().__init__()
        self._files: list[Attachment] = []
        styled(self, "files").setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        inside = styled(QWidget(), "fileRows")
        self.setWidget(inside)
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.hide()

    @property
    def files(self) -> tuple[Attachment, ...]:
        """In the order in which they came."""
        return tuple(self._files)

    def add(self, *files: Attachment) -> None:
        """Put files in; one of the same name is replaced."""
        for file in files:
            self._take_out(file.name)
            self._files.append(file)
            self._column.addWidget(self._row(file))
        self._show()

    def clear(self) -> None:
        """Take all out."""
        for file in self.files:
            self._take_out(file.name)
        self._show()

    def sizeHint(self) -> QSize:
        """As high as its rows, within limits."""
        hint = self._column.sizeHint()
        row = self._column.itemAt(0)
        if row is not None and self._column.count() > ROWS_SEEN:
            hint.setHeight(round(ROWS_SEEN * (row.sizeHint().height() + self._column.spacing())))
        return hint

    def minimumSizeHint(self) -> QSize:
        """No row is squeezed."""
        return QSize(0, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """A row came or went, or has another font."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)

    def _row(self, file: Attachment) -> QFrame:
        row = styled(QFrame(), "chip")
        name = ElidedLabel()
        name.show_text(file.name)
        size = styled(QLabel(self.tr("about {n} tokens").format(n=whole(file.tokens))), "muted")
        remove = IconButton("close", self.tr("Take {name} out of the message").format(name=file.name))
        remove.setToolTip(plain_tooltip(remove.accessibleName()))
        remove.clicked.connect(lambda: self._remove(file.name))
        layout = QHBoxLayout(row)
        layout.setContentsMargins(10, 1, 2, 1)
        layout.setSpacing(6)
        layout.addWidget(name, 1)
        layout.addWidget(size)
        layout.addWidget(remove)
        return row

    def _remove(self, name: str) -> None:
        self.taken_out.emit()
        self._take_out(name)
        self._show()

    def _take_out(self, name: str) -> None:
        for at, file in enumerate(self._files):
            if file.name == name:
                del self._files[at]
                if (item := self._column.takeAt(at)) and (row := item.widget()):
                    row.hide()
                    row.deleteLater()
                return

    def _show(self) -> None:
        self.updateGeometry()
        self.setVisible(bool(self._files))
        self.changed.emit()
