"""The PCs of the pool, and the way to pair more or to remove one."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QPushButton

from idlepool.ui.node_state import NodeState
from idlepool.ui.pool.pc_list import PcRow, PcRows
from idlepool.ui.pool.pc_view import members_view
from idlepool.ui.settings.node_sections import NameRow, NodeEditor
from idlepool.ui.settings.rows import Card, Section, muted


class PoolSection(Section):
    """`pair_requested` wants the pairing dialog, where PCs are removed as well."""

    pair_requested = Signal()

    def __init__(self, state: NodeState, editor: NodeEditor) -> None:
        translate = QCoreApplication.translate
        super().__init__(
            translate("PoolSection", "Pool"),
            translate("PoolSection", "A PC that takes part in an answer could read it along: pair only PCs you trust."),
        )
        self._state = state
        self.pcs = PcRows(lambda _pc: PcRow())
        self.nobody = muted(self.tr("No other PC is paired with this one yet."))
        self.pair = QPushButton(self.tr("Pair or remove PCs …"))
        self.pair.clicked.connect(self.pair_requested)
        self.name = NameRow(state, editor)
        self.add(Card(self.name), self.pcs, self.nobody)
        self.column.addWidget(self.pair, 0, Qt.AlignmentFlag.AlignLeft)
        for signal in (state.members_changed, state.pool_changed, state.ready_changed):
            signal.connect(self._show)
        self._show()

    def _show(self) -> None:
        members = self._state.members
        self.pcs.show_pcs(members_view(members, self._state.peers))
        self.nobody.setVisible(len(members) < 2)
        self.nobody.setText(
            self.tr("No other PC is paired with this one yet.")
            if members
            else self.tr("Not known yet who belongs to it.")
        )
        self.pair.setEnabled(bool(members))
