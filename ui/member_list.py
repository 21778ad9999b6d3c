"""The PCs that are paired with this one, each with a button that removes it."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from idlepool.engine.pairing_events import MemberInfo
from idlepool.ui.theme import plain_tooltip, styled


class MemberList(QWidget):
    """Rows of names, by what the roster says; who is here now is told beside them."""

    remove_requested = Signal(object)
    """A MemberInfo. Nobody was asked yet."""

    leave_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = styled(QLabel(self.tr("Paired PCs")), "headline")
        self.nobody = styled(QLabel(self.tr("No other PC is paired with this one yet."), wordWrap=True), "muted")
        self.leave = QPushButton(self.tr("Leave the pool"))
        self.leave.clicked.connect(self.leave_requested)
        self._shown: list[QWidget] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setAlignment(Qt.AlignmentFlag.AlignTop)
        inside = styled(QWidget(), "column")
        inside.setLayout(self._rows)
        self._area = QScrollArea(widgetResizable=True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(inside)
        head = QHBoxLayout()
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.leave)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self.nobody)
        column.addWidget(self._area, 1)
        column.addStretch()
        self.show_members((), frozenset())

    def show_members(self, members: tuple[MemberInfo, ...], present: frozenset[str]) -> None:
        """Show all but this PC; `present` are the ids of those that are here now."""
        for row in self._shown:
            self._rows.removeWidget(row)
            row.deleteLater()
        others = sorted((member for member in members if not member.here), key=lambda member: member.name.casefold())
        self._shown = [self._row(member, here_now=member.node in present) for member in others]
        for row in self._shown:
            self._rows.addWidget(row)
        self.nobody.setVisible(not others)
        self.leave.setVisible(bool(others))
        self._area.setVisible(bool(others))

    def _row(self, member: MemberInfo, *, here_now: bool) -> QWidget:
        row = styled(QFrame(), "member")
        name = ElidedLabel(member.name)
        state = styled(QLabel(self.tr("here now") if here_now else self.tr("away")), "good" if here_now else "muted")
        remove = QPushButton(self.tr("Remove …"))
        remove.setAccessibleName(self.tr("Remove {name} from the pool").format(name=member.name))
        remove.clicked.connect(lambda: self.remove_requested.emit(member))
        line = QHBoxLayout(row)
        line.setContentsMargins(12, 6, 6, 6)
        line.addWidget(name, 1)
        line.addWidget(state)
        line.addWidget(remove)
        return row


class ElidedLabel(QLabel):
    """Plain text in one line, cut where there is no room for it; the tooltip has it all."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setToolTip(plain_tooltip(text))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much as fits."""
        fitting = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        QPainter(self).drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, fitting)
