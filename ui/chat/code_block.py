"""A block of code: its language, a button that copies it, and its lines, which scroll sideways."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from idlepool.ui.announcing import announce
from idlepool.ui.chat.code_lines import MARGIN, CodeLines
from idlepool.ui.chat.parts import Code
from idlepool.ui.chat.text_view import TextView
from idlepool.ui.theme import styled

COPIED_MS: Final = 1600
"""How long the button says that it did its work."""


class CodeBlock(QFrame):
    """Shows one `Code` part."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("codeBlock")
        self._code = Code("")
        self.language = styled(QLabel(), "muted")
        self.language.setTextFormat(Qt.TextFormat.PlainText)
        self.copy = styled(QToolButton(), "copy")
        self.copy.clicked.connect(self._copy)
        self._copied = QTimer(self, singleShot=True, interval=COPIED_MS)
        self._copied.timeout.connect(self._offer_copy)
        self._offer_copy()
        self.lines = CodeLines()
        head = QHBoxLayout()
        head.setContentsMargins(MARGIN, 4, 4, 0)
        head.addWidget(self.language, 1)
        head.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.lines)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What the tab key stops at, in its order."""
        return self.copy, self.lines

    @property
    def text_views(self) -> tuple[TextView, ...]:
        """What can be selected."""
        return (self.lines,)

    def show_part(self, code: Code) -> None:
        """Show the code; where it only grew, its end is added."""
        self._code = code
        name = code.language or self.tr("Code")
        self.language.setText(name)
        self.copy.setAccessibleName(self.tr("Copy the code ({language})").format(language=name))
        self.lines.setAccessibleName(self.tr("Code: {language}").format(language=name))
        self.lines.show_code(code)

    def fit(self, limit: int) -> None:
        """Be `limit` pixels wide: a ground that grows with its longest line would be restless."""
        self.setFixedWidth(limit)
        self.lines.fit(limit)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._code.text)
        self.copy.setText(self.tr("Copied"))
        announce(self.copy, self.copy.text())
        self._copied.start()

    def _offer_copy(self) -> None:
        self.copy.setText(self.tr("Copy"))
