"""A text to take along: it can be read, marked, and copied by a button."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from idlepool.ui.announcing import announce
from idlepool.ui.icon_button import IconButton
from idlepool.ui.showing import show_part

COPIED_MS = 1500


class CopyButton(IconButton):
    """Copies, and says for a moment that it did."""

    def __init__(self, words: str) -> None:
        super().__init__("copy", words)
        self._text = ""
        self._timer = QTimer(self, singleShot=True, interval=COPIED_MS)
        self._timer.timeout.connect(lambda: self.show_symbol("copy"))
        self.clicked.connect(self._copy)

    def set_text(self, text: str) -> None:
        """What is copied."""
        self._text = text
        self.setEnabled(bool(text))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.show_symbol("check")
        announce(self, self.tr("Copied"))
        self._timer.start()


class CopyField(QWidget):
    """`secret`: it is shown as dots until somebody wants to see it."""

    def __init__(self, name: str, copy: str, *, secret: bool = False) -> None:
        super().__init__()
        self.field = QLineEdit(readOnly=True)
        self.field.setAccessibleName(name)
        self.field.setMinimumWidth(26 * self.fontMetrics().averageCharWidth())
        self.copy = CopyButton(copy)
        self.eye = IconButton("eye", self.tr("Show it"))
        self.eye.setCheckable(True)
        show_part(self.eye, secret)
        self.eye.toggled.connect(self._reveal)
        self.setFocusProxy(self.field)
        if secret:
            self.field.setEchoMode(QLineEdit.EchoMode.Password)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self.field, 1)
        line.addWidget(self.eye)
        line.addWidget(self.copy)

    def show_text(self, text: str) -> None:
        """Show a text, or none."""
        if text != self.field.text():
            self.field.setText(text)
            self.field.setCursorPosition(0)
        self.copy.set_text(text)
        self.eye.setEnabled(bool(text))

    def _reveal(self, shown: bool) -> None:
        self.field.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.eye.setAccessibleName(self.tr("Hide it") if shown else self.tr("Show it"))
        self.eye.setToolTip(self.eye.accessibleName())
