"""The last page of the introduction: a model to begin with, and other PCs; both can wait."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from idlepool.engine.events import AddModel, Event, ModelProgress, Trouble
from idlepool.ui.first_run.pages import Page
from idlepool.ui.models.progress_words import fill, progress_words
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.rows import Card, SettingRow, muted

STARTER: Final = "starter"


class StarterRow(QWidget):
    """A button that gets the starter model, how far that is, and that it is here."""

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        self.state = state
        self._fetches = False
        self.button = QPushButton(self.tr("Get it (93 MB)"))
        self.button.setAccessibleName(self.tr("Get the starter model (93 MB)"))
        self.row = SettingRow(
            self.tr("A model to begin with"),
            self.button,
            hint=self.tr("The starter model is small, quick on any PC, and free to use (Apache 2.0)."),
        )
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress of the model"))
        self.words = muted("")
        self.below = QWidget()
        inner = QVBoxLayout(self.below)
        inner.setContentsMargins(16, 0, 16, 12)
        inner.addWidget(self.bar)
        inner.addWidget(self.words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.row)
        column.addWidget(self.below)
        self.button.clicked.connect(self._get)
        state.models_changed.connect(self._show)
        state.ready_changed.connect(self._show)
        state.bridge.received.connect(self._on_event)
        self._show()

    def _get(self) -> None:
        self._fetches = True
        self.row.tell("")
        self.bar.setRange(0, 0)
        self.words.setText(self.tr("Starting …"))
        self.state.bridge.send(AddModel(STARTER))
        self._show()

    def _on_event(self, event: Event) -> None:
        match event:
            case ModelProgress() if self._fetches:
                fill(self.bar, event)
                self.words.setText(progress_words(event))
            case Trouble() if self._fetches and not event.once:
                self._fetches = False
                self.row.tell(f"{event.sentence} {event.hint}".strip())
                self._show()

    def _show(self) -> None:
        models = self.state.models
        if models or not self.state.ready:
            self._fetches = False
        self.button.setVisible(not models and not self._fetches)
        self.button.setEnabled(self.state.ready is not None)
        self.bar.setVisible(self._fetches)
        if models:
            self.row.tell("")
            self.words.setText(self.tr("Here: {name}").format(name=", ".join(model.name for model in models)))
        self.below.setVisible(bool(models) or self._fetches)


class FirstSteps(Page):
    """Either helps, neither must be."""

    pair_requested = Signal()

    def __init__(self, state: NodeState) -> None:
        super().__init__(
            self.tr("Ready to begin"),
            self.tr("With one PC and a small model you can chat at once. More PCs can carry larger models."),
        )
        self.state = state
        self.starter = StarterRow(state)
        self.pair = QPushButton(self.tr("Pair PCs …"))
        self.pair.clicked.connect(self.pair_requested)
        self.pair_row = SettingRow(
            self.tr("Other PCs"),
            self.pair,
            hint=self.tr("One PC shows a code, the other one is told it. Idlepool must run on both."),
        )
        self.column.addWidget(Card(self.starter, self.pair_row))
        self.column.addStretch(1)
        state.members_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        others = [member.name for member in self.state.members if not member.here]
        self.pair.setEnabled(bool(self.state.members))
        if others:
            self.pair_row.say(self.tr("Paired with {names}").format(names=", ".join(others)))
