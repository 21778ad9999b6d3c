"""What the chat page shows of the node: models to choose from, the pool, the chain of PCs, the first model's way."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from idlepool.engine.events import AddModel, AnswerStarted, Event, ModelProgress, PipelineChanged, Trouble
from idlepool.engine.plan_events import ChoosePlan
from idlepool.ui.banner import Banners
from idlepool.ui.chat.chat_layout import ChatLayout
from idlepool.ui.node_state import NodeState

STARTER = "starter"


class NodePicture(QObject):
    """Draws into the parts of a layout; `changed` says that a question may have become possible, or impossible."""

    changed = Signal()

    def __init__(self, state: NodeState, banners: Banners, layout: ChatLayout) -> None:
        super().__init__(layout)
        self._state = state
        self._banners = banners
        self._layout = layout
        self._pool_words = ""
        self._answered_by: dict[str, str] = {}
        self._gone = False
        """The node was there and is no more, and none has been started since."""
        state.ready_changed.connect(self._on_ready)
        state.models_changed.connect(self._on_models)
        state.adding_changed.connect(self._on_adding)
        state.pool_changed.connect(self._on_pool)
        state.pipelines_changed.connect(self._on_pipeline)
        state.bridge.received.connect(self._on_event)
        layout.header.model_chosen.connect(self.changed)
        layout.welcome.starter_requested.connect(lambda: state.bridge.send(AddModel(STARTER)))

    @property
    def can_answer(self) -> bool:
        """Whether there is a node, and a model."""
        return self._state.ready is not None and bool(self._layout.header.model)

    @property
    def context(self) -> int:
        """Tokens that the chosen model can hold; 0: it is on another PC, which knows."""
        chosen = self._layout.header.model
        return next((model.context for model in self._state.models if model.name == chosen), 0)

    def plan_automatically(self, model: str) -> None:
        """Drop the plan that was made by hand for a model."""
        self._state.bridge.send(ChoosePlan(model))

    def words(self, *, answering: bool) -> str:
        """What the page does now, in a few words."""
        if self._state.ready is None:
            return self.tr("Not running") if self._gone else self.tr("Starting …")
        if not self._layout.header.model:
            return self.tr("No model yet")
        doing = self.tr("Answering") if answering else self.tr("Ready")
        return f"{doing} · {self._pool_words}"

    def show_starting(self) -> None:
        """The node was started again."""
        self._gone = False
        self._layout.header.show_starting()
        self._layout.welcome.show_waiting(self.tr("Starting …"))
        self.changed.emit()

    def tell_started(self, event: AnswerStarted) -> None:
        """An answer began: who gives it."""
        self._answered_by[self._layout.header.model] = event.answered_by
        self.show_pipeline()

    @property
    def pipeline(self) -> PipelineChanged | None:
        """Of the chosen model on PCs that are known here."""
        model = self._layout.header.model
        return None if self._answered_by.get(model) else self._state.pipelines.get(model)

    def show_pipeline(self) -> None:
        """Show which PCs answer with the chosen model."""
        line, model = self._layout.pipeline_line, self._layout.header.model
        if not self.can_answer:
            line.show_words(self.words(answering=False))
        elif elsewhere := self._answered_by.get(model):
            line.show_elsewhere(elsewhere)
        else:
            line.show_pipeline(self.pipeline)

    def _on_ready(self, ready: bool) -> None:
        self._gone = not ready
        if ready:
            self._on_pool()
        else:
            self._answered_by.clear()
            self._layout.header.show_stopped()
            self._layout.welcome.show_waiting(self.tr("Not running"))
            self.changed.emit()

    def _on_models(self) -> None:
        if self._state.ready is not None:  # else the choice stays for the next node
            self._layout.header.show_models(self._state.models)
            self._layout.welcome.first_model.reset()
            self._show_welcome()

    def _on_pool(self) -> None:
        if self._state.ready is not None:
            self._pool_words = self._layout.header.show_pool(self._state.peers)
            self._show_welcome()

    def _show_welcome(self) -> None:
        self._layout.welcome.show_models(any_here=bool(self._layout.header.model))
        self.changed.emit()

    def _on_adding(self) -> None:
        """Offer the first model again where nothing comes any more: it was paused, or given up, on the models page."""
        if all(model.state in ("paused", "failed") for model in self._state.adding):
            self._layout.welcome.first_model.reset()

    def _on_pipeline(self, model: str) -> None:
        self._answered_by.pop(model, None)
        self.changed.emit()

    def _on_event(self, event: Event) -> None:
        match event:
            case ModelProgress():
                self._layout.welcome.first_model.show_progress(event)
            case Trouble():
                self._layout.welcome.first_model.reset()
                self._tell(event)

    def _tell(self, trouble: Trouble) -> None:
        """Where it happened: of a model that could not be added the models page tells in its row, and this page in the
        place where its first model is got."""
        if all(model.sentence != trouble.sentence for model in self._state.adding):
            self._banners.tell(trouble)
        elif not self._layout.header.model:
            self._layout.welcome.first_model.show_failure(trouble)
