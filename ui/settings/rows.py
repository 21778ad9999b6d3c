"""What the settings are made of: sections with a heading, cards, and rows that name a setting beside its control."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from idlepool.ui.announcing import announce
from idlepool.ui.headings import heading
from idlepool.ui.showing import show_part
from idlepool.ui.theme import styled

NARROW_CHARACTERS: Final = 62
"""A row with less room has its control below its words."""

_CONTROLS = (QAbstractButton, QAbstractSpinBox, QAbstractSlider, QComboBox, QLineEdit)


class SettingRow(QWidget):
    """A setting: its name, what it means, its control; below them what is wrong with what was typed."""

    def __init__(self, title: str, control: QWidget, *, hint: str = "", wide: bool = False) -> None:
        super().__init__()
        self.control = control
        self.title = QLabel(title, wordWrap=True)
        self.title.setBuddy(control)
        self.hint = styled(QLabel(hint, wordWrap=True), "muted")
        show_part(self.hint, bool(hint))
        self.decides = styled(QLabel(self.tr("Decides now")), "badge")
        self.problem = styled(QLabel(wordWrap=True), "problem")
        self.decides.hide()
        self.problem.hide()
        for label in (self.title, self.hint, self.problem):
            label.setTextFormat(Qt.TextFormat.PlainText)
        if isinstance(control, _CONTROLS):
            words = control.text() if isinstance(control, QPushButton) else ""
            named = f"{words}: {title}" if words else title
            control.setAccessibleName(control.accessibleName() or named)
            control.setAccessibleDescription(hint)
        self._wide = wide
        self._build()

    def _build(self) -> None:
        name = QVBoxLayout()
        name.setSpacing(2)
        name.addWidget(self.title)
        name.addWidget(self.hint)
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom if self._wide else QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(8 if self._wide else 16)
        self._row.addLayout(name, 1)
        self._row.addWidget(self.decides, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self.control)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        column.addLayout(self._row)
        column.addWidget(self.problem)

    def tell(self, problem: str) -> None:
        """Say what is wrong with the input, or nothing."""
        if problem != self.problem.text():
            announce(self.problem, problem, urgent=True)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        described = problem or self.hint.text()
        self.control.setAccessibleDescription(described)

    def mark(self, decides: bool) -> None:
        """Mark the rule that decides at the moment."""
        self.decides.setVisible(decides)

    def say(self, hint: str) -> None:
        """Change what it means."""
        self.hint.setText(hint)
        show_part(self.hint, bool(hint))
        self.tell(self.problem.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the control beside the words, or below them where there is no room; a switch always has some."""
        super().resizeEvent(event)
        if self._wide or isinstance(self.control, QCheckBox):
            return
        narrow = event.size().width() < NARROW_CHARACTERS * self.fontMetrics().averageCharWidth()
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._row.direction() != direction:
            self._row.setDirection(direction)
            self._row.setSpacing(8 if narrow else 16)
            beside = Qt.AlignmentFlag.AlignLeft if isinstance(self.control, QAbstractButton) else Qt.AlignmentFlag(0)
            self._row.setAlignment(self.control, beside if narrow else Qt.AlignmentFlag.AlignVCenter)


class Card(QFrame):
    """Rows with lines between them; a row that is hidden takes the line above it along."""

    def __init__(self, *rows: QWidget) -> None:
        super().__init__()
        styled(self, "card")
        self._lines: dict[QWidget, QFrame] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for row in rows:
            self.add(row)

    def add(self, row: QWidget) -> None:
        """Add a row at the end."""
        if self._column.count():
            self._lines[row] = line = styled(QFrame(), "line")
            line.setFixedHeight(1)
            self._column.addWidget(line)
            row.installEventFilter(self)
        self._column.addWidget(row)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow a row that is shown or hidden."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent) and isinstance(watched, QWidget):
            self._lines[watched].setHidden(watched.isHidden())
        return super().eventFilter(watched, event)


class Section(QWidget):
    """A heading, a sentence, and what belongs to it."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self.title = title
        self.heading = heading(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self.column.addWidget(self.heading)
        if text:
            self.column.addWidget(muted(text))

    def add(self, *widgets: QWidget) -> None:
        """Add what belongs to it, from the top."""
        for widget in widgets:
            self.column.addWidget(widget)


def muted(text: str) -> QLabel:
    """A sentence in the colour of explanations."""
    label = styled(QLabel(text, wordWrap=True), "muted")
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
