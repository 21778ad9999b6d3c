"""The models that are on this PC, a card each."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from idlepool.engine.model_events import ModelChecked, ModelChecking, ModelMended, ModelRefused
from idlepool.ui.models.fit_words import fit_of, lenders_in
from idlepool.ui.models.model_card import ModelCard
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.rows import muted

About = ModelChecking | ModelChecked | ModelMended | ModelRefused


class HereSection(QWidget):
    """`wanted` brings a command for the node; `chat_requested` a model's name."""

    wanted = Signal(object)
    chat_requested = Signal(str)

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        self._state = state
        self.cards: dict[str, ModelCard] = {}
        self.empty = muted(self.tr("No model is on this PC yet."))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self.empty)
        state.plans_changed.connect(self._show_fit)
        state.pool_changed.connect(self._show_fits)
        state.pipelines_changed.connect(self._show_pipeline)

    def refresh(self) -> None:
        """Show what is here now; a card that stays keeps what it said of a check."""
        details = self._state.model_details
        known = {facts.name: facts for facts in details.models} if details is not None else {}
        for name in self.cards.keys() - known.keys():
            card = self.cards.pop(name)
            card.hide()
            card.deleteLater()
        for number, (name, facts) in enumerate(known.items()):
            if name in self.cards:
                self.cards[name].show_facts(facts)
            else:
                card = self.cards[name] = ModelCard(facts)
                card.wanted.connect(self.wanted)
                card.chat_requested.connect(self.chat_requested)
                self._column.insertWidget(number + 1, card)
                card.show()
                self._show_pipeline(name)
            self._show_fit(name)
        if details is None:
            self.empty.setText(self.tr("Checking what is here …"))
        else:
            self.empty.setText(self.tr("No model is on this PC yet. Get one below: the first in the list is small."))
        self.empty.setVisible(not known)

    def take(self, event: About) -> None:
        """Show what became of what was asked of a model."""
        if event.name in self.cards:
            self.cards[event.name].check.take(event)

    def _show_fits(self) -> None:
        for name in self.cards:
            self._show_fit(name)

    def _show_fit(self, name: str) -> None:
        if name in self.cards:
            plan = self._state.plans.get(name)
            self.cards[name].show_fit(fit_of(plan, lenders=lenders_in(self._state.peers)))

    def _show_pipeline(self, name: str) -> None:
        if name in self.cards:
            self.cards[name].show_pipeline(self._state.pipelines.get(name))
