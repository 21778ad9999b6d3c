"""The rows of the PCs, without a node."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from idlepool.engine.pairing_events import MemberInfo
from idlepool.ui.pool.pc_list import PcList
from idlepool.ui.pool.pc_view import PcView

HERE = PcView("a", "idle-1", "this PC", "muted", member=MemberInfo("a" * 64, "idle-1", True))
ATTIC = PcView("b", "attic", "here", "good", member=MemberInfo("b" * 64, "attic", False))
HARBOUR = PcView("c", "harbour", "looking for it", "muted", "not seen", MemberInfo("c" * 64, "harbour", False))
CALLER = PcView("d", "10.0.0.9", "refused", "bad")
OFFICE = PcView("e", "office", "not paired", "bad", can_pair=True)


def ends(listed: PcList, members: list[PcView], strangers: list[PcView]) -> list[set[int]]:
    """Where the states of the members end, and those of the others, from the left of the list."""
    listed.show_pcs(members, strangers)
    QApplication.processEvents()
    return [
        {row.state.mapTo(listed, row.state.rect().topRight()).x() for row in rows.rows}
        for rows in (listed.members, listed.strangers)
    ]


def test_states_end_at_one_line_with_and_without_a_button(qtbot: QtBot):
    listed = PcList()
    qtbot.addWidget(listed)
    listed.resize(500, 400)
    listed.show()
    (alone,), _ = ends(listed, [HERE], [])
    (beside,), (other,) = ends(listed, [HERE, ATTIC, HARBOUR], [CALLER, OFFICE])
    assert beside < alone
    assert other < alone
    assert ends(listed, [HERE], [CALLER]) == [{alone}, {alone}]
