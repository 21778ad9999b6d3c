"""The models that are on their way here, the one at work first."""

from __future__ import annotations

from PySide6.QtCore import Signal

from idlepool.engine.model_events import Adding
from idlepool.ui.engine_words import say
from idlepool.ui.models.adding_row import AddingRow, title_of
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
        """Show the queue; rows are moved only where others are in it, or in another order."""
        models, titles = self._state.adding, {entry.source: say(entry.title) for entry in self._state.catalogue}
        rows = {model.source: self._row(model, titles.get(model.source) or title_of(model.source)) for model in models}
        if list(rows.values()) != self.shown:
            self.show_rows(list(rows.values()))
        self.rows = rows
        for model in models:
            rows[model.source].show_adding(model)

    def _row(self, model: Adding, title: str) -> AddingRow:
        """Made anew where its title was not known yet: the catalogue may be told later than the queue."""
        known = self.rows.get(model.source)
        if known is not None and known.name == title:
            return known
        row = AddingRow(model, title)
        row.wanted.connect(self.wanted)
        return row
