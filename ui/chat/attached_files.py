"""The files that go with the message that is being written: a row for each, with a button that takes it out again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from idlepool.ui.chat.attachments import Attachment
from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.icon_button import IconButton
from idlepool.ui.numbers import whole
from idlepool.ui.theme import plain_tooltip, styled


class AttachedFiles(QWidget):
    """Hidden while there is none."""

    changed = Signal()
    taken_out = Signal()
    """By its button, which is about to go."""

    def __init__(self) -> None:
        super().__init__()
        self._files: list[Attachment] = []
        self._column = QVBoxLayout(self)
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
        self.setVisible(bool(self._files))
        self.changed.emit()
