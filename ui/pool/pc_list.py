"""The PCs of the pool and others that were seen: each with its state, why it is so, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.pool.pc_view import PcView
from idlepool.ui.theme import retone, styled


class PcList(QScrollArea):
    """The pool first, then who does not belong to it."""

    remove_requested = Signal(object)
    """A MemberInfo. Nobody was asked yet."""

    pair_requested = Signal(object)
    """A PcView of a PC that is no member."""

    leave_requested = Signal()

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.title = styled(QLabel(self.tr("PCs of this pool")), "headline")
        self.leave = QPushButton(self.tr("Leave the pool"))
        self.leave.clicked.connect(self.leave_requested)
        self.nobody = styled(QLabel(self.tr("No other PC is paired with this one yet."), wordWrap=True), "muted")
        self.others = styled(QLabel(self.tr("Not of this pool")), "headline")
        self.others.setContentsMargins(0, 10, 0, 0)
        self.members = PcRows(self._member_row)
        self.strangers = PcRows(self._stranger_row)
        head = QHBoxLayout()
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.leave)
        inside = styled(QWidget(), "column")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        for widget in (self.members, self.nobody, self.others, self.strangers):
            column.addWidget(widget)
        column.addStretch(1)
        self.setWidget(inside)
        self.show_pcs([], [])

    def show_pcs(self, members: list[PcView], strangers: list[PcView]) -> None:
        """Show these; a row that stays keeps its place for the keyboard and the pointer."""
        self.members.show_pcs(members)
        self.strangers.show_pcs(strangers)
        alone = not any(pc.member and not pc.member.here for pc in members)
        self.nobody.setVisible(alone)
        self.leave.setVisible(not alone)
        self.others.setVisible(bool(strangers))
        self.strangers.setVisible(bool(strangers))
        for button, following in pairwise((self.leave, *self.members.buttons, *self.strangers.buttons)):
            QWidget.setTabOrder(button, following)  # Qt's own order is that in which they were made

    def _member_row(self, pc: PcView) -> PcRow:
        if pc.member is None or pc.member.here:
            return PcRow()
        remove = QPushButton(self.tr("Remove …"))
        remove.setAccessibleName(self.tr("Remove {name} from the pool").format(name=pc.name))
        remove.clicked.connect(lambda: self.remove_requested.emit(pc.member))
        return PcRow(remove)

    def _stranger_row(self, pc: PcView) -> PcRow:
        if not pc.can_pair:
            return PcRow()
        pair = QPushButton(self.tr("Pair …"))
        pair.setAccessibleName(self.tr("Pair with {name}").format(name=pc.name))
        pair.clicked.connect(lambda: self.pair_requested.emit(pc))
        return PcRow(pair)


class PcRows(QWidget):
    """Rows that are made once for each PC and brought up to date after that."""

    def __init__(self, make_row: Callable[[PcView], PcRow]) -> None:
        super().__init__()
        self._make_row = make_row
        self._rows: dict[tuple[str, str, bool], PcRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)

    @property
    def rows(self) -> list[PcRow]:
        """From the top."""
        return list(self._rows.values())

    @property
    def buttons(self) -> list[QPushButton]:
        """Those of the rows, from the top."""
        return [row.button for row in self._rows.values() if row.button]

    def show_pcs(self, pcs: Iterable[PcView]) -> None:
        """Show these, in this order."""
        before, self._rows = self._rows, {}
        for place, pc in enumerate(pcs):
            identity = (pc.key, pc.name, pc.can_pair)  # what the row's button depends on
            row = before.pop(identity) if identity in before else self._make_row(pc)
            self._rows[identity] = row
            row.show_pc(pc)
            if self._column.indexOf(row) != place:
                self._column.insertWidget(place, row)
        for row in before.values():
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._line_up()

    def _line_up(self) -> None:
        """A row without a button leaves room for one where others have one, so that all states end at one line."""
        sizes = [row.beside.sizeHint() for row in self.rows if row.beside is not None]
        widest = max(sizes, key=QSize.width, default=QSize())
        for row in self.rows:
            if row.beside is None:
                row.keep_room(widest)


class PcRow(QFrame):
    """Name, state, why it is so, and perhaps a button."""

    def __init__(self, button: QPushButton | None = None) -> None:
        super().__init__()
        self.setObjectName("pc")
        self.button = self.beside = button
        """The second is the one that stands beside the words."""
        self._room = QSpacerItem(0, 0)
        self.name, self.state = ElidedLabel(Qt.TextElideMode.ElideMiddle), QLabel()
        self.detail = styled(QLabel(wordWrap=True), "muted")
        self.detail.setTextFormat(Qt.TextFormat.PlainText)  # it may hold what another PC said
        self.detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        first = QHBoxLayout()
        first.setSpacing(10)
        first.addWidget(self.name, 1)
        first.addWidget(self.state)
        self.words = QVBoxLayout()
        self.words.setSpacing(2)
        self.words.addLayout(first)
        self.words.addWidget(self.detail)
        line = self._line = QHBoxLayout(self)
        line.setContentsMargins(16, 8, 16, 8)
        line.setSpacing(16)
        line.addLayout(self.words, 1)
        if button:
            line.addWidget(button)
        else:
            line.addSpacerItem(self._room)

    def keep_room(self, size: QSize) -> None:
        """Leave as much room as a button of this size beside the words would take; one that is not valid: none."""
        if size.isValid():
            self._room.changeSize(self._line.spacing() + size.width(), size.height())  # around it there is no spacing
        else:
            self._room.changeSize(0, 0)
        self._line.invalidate()

    def show_pc(self, pc: PcView) -> None:
        """Bring the row up to date."""
        self.name.show_text(pc.name)
        self.state.setText(pc.state)
        retone(self.state, pc.tone)
        self.detail.setText(pc.detail)
        self.detail.setVisible(bool(pc.detail))
        self.setAccessibleName(f"{pc.name}: {pc.state}")
        self.setAccessibleDescription(pc.detail)
