"""The models that are on their way here, the one at work first."""

from __future__ import annotations

from PySide6.QtCore import Signal

from idlepool.ui.models.adding_row import AddingRow
from idlepool.ui.models.rows import Rows
from idlepool.ui.node_state import NodeState


class AddingList(Rows):
    """`wanted` brings a command for the node."""

    wanted = Signal(object)

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        self._state = state
        self.rows: dict[str, AddingRow] = {}

    def refresh(self) -> None:
        """Show the queue; its rows are made anew only where others are in it, or in another order."""
        models = self._state.adding
        if [model.source for model in models] != list(self.rows):
            self.rows = {model.source: AddingRow(model) for model in models}
            for row in self.rows.values():
                row.wanted.connect(self.wanted)
            self.show_rows(list(self.rows.values()))
        for model in models:
            self.rows[model.source].show_adding(model)
