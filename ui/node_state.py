"""What the node told last, for every view of the window: nobody else keeps a copy of it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from idlepool.engine.events import (
    Event,
    HostedStages,
    LendingChanged,
    LentLayers,
    ModelInfo,
    ModelsChanged,
    NodePreferencesChanged,
    NodeReady,
    PeerInfo,
    PipelineChanged,
    PoolChanged,
)
from idlepool.engine.figures_events import ChainFigures
from idlepool.engine.local_events import SpeaksForNode
from idlepool.engine.machine_events import MachineFacts
from idlepool.engine.model_events import Adding, AddingChanged, CatalogueEntry, CatalogueTold, ModelDetails
from idlepool.engine.pairing_events import MemberInfo, MembersChanged
from idlepool.engine.plan_events import OwnPlans, PlanTold
from idlepool.ui.bridge import Bridge


class NodeState(QObject):
    """The latest of each kind of news. Views connect to the signals and read the fields; what is no state, but happens
    (answers, progress, troubles), they take from `Bridge.received`."""

    ready_changed = Signal(bool)
    """The node listens, or it is gone; all other fields are empty then."""

    models_changed = Signal()
    pool_changed = Signal()
    members_changed = Signal()
    pipelines_changed = Signal(str)
    """Of which model."""
    lending_changed = Signal()
    hosted_changed = Signal()
    """Of what others use of this PC."""

    node_preferences_changed = Signal()
    """What the owner chose for the node, and the API for programs."""

    machine_changed = Signal()
    """What is known of this PC; WantMachineFacts asks for it."""

    own_plans_changed = Signal()
    plans_changed = Signal(str)
    """Of which model; WantPlan asks for it."""
    model_details_changed = Signal()
    """WantModels asks for them, and for the catalogue."""

    adding_changed = Signal()
    figures_changed = Signal()
    """WantFigures asks for them."""

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self._forget()
        bridge.received.connect(self._on_event)
        bridge.node_ended.connect(self._on_node_ended)

    def _forget(self) -> None:
        self.ready: NodeReady | None = None
        """None: the node does not listen."""
        self.outlives_window = False
        """Whether the node was started by something else, and goes on when the window ends."""
        self.models: tuple[ModelInfo, ...] = ()
        self.peers: tuple[PeerInfo, ...] = ()
        self.members: tuple[MemberInfo, ...] = ()
        self.pipelines: dict[str, PipelineChanged] = {}
        self.hosted: tuple[LentLayers, ...] = ()
        """What others use of this PC."""
        self.lending: LendingChanged | None = None
        """None: it was not told yet."""
        self.node_preferences: NodePreferencesChanged | None = None
        """None: it was not told yet."""
        self.machine: MachineFacts | None = None
        """None: it was not asked for, or not told yet."""

        self.own_plans = OwnPlans()
        self.plans: dict[str, PlanTold] = {}
        """How models would run, as it was told last; models that nobody asked about are missing."""
        self.model_details: ModelDetails | None = None
        """None: they were not asked for, or not told yet."""
        self.catalogue: tuple[CatalogueEntry, ...] = ()
        self.adding: tuple[Adding, ...] = ()
        """The models that are on their way here."""
        self.figures: ChainFigures | None = None
        """None: they were not asked for, or not told yet."""

    @property
    def here(self) -> PeerInfo | None:
        """This PC among the peers."""
        return next((peer for peer in self.peers if peer.here), None)

    def _on_event(self, event: Event) -> None:
        match event:
            case SpeaksForNode():
                self.outlives_window = True
            case NodeReady():
                self.ready, self.models = event, event.models
                self.ready_changed.emit(True)
                self.models_changed.emit()
            case ModelsChanged():
                self.models = event.models
                self.models_changed.emit()
            case PoolChanged():
                self.peers = event.peers
                self.pool_changed.emit()
            case MembersChanged():
                self.members = event.members
                self.members_changed.emit()
            case PipelineChanged():
                self.pipelines[event.model] = event
                self.pipelines_changed.emit(event.model)
            case LendingChanged():
                self.lending = event
                self.lending_changed.emit()
            case HostedStages():
                self.hosted = event.stages
                self.hosted_changed.emit()
            case NodePreferencesChanged():
                self.node_preferences = event
                self.node_preferences_changed.emit()
            case _:
                self._on_more(event)

    def _on_more(self, event: Event) -> None:
        match event:
            case MachineFacts():
                self.machine = event
                self.machine_changed.emit()
            case OwnPlans():
                self.own_plans = event
                self.own_plans_changed.emit()
            case PlanTold(tried=False):
                self.plans[event.model] = event
                self.plans_changed.emit(event.model)
            case ModelDetails():
                self.model_details = event
                self.model_details_changed.emit()
            case CatalogueTold():
                self.catalogue = event.entries
                self.model_details_changed.emit()
            case AddingChanged():
                self.adding = event.models
                self.adding_changed.emit()
            case ChainFigures():
                self.figures = event
                self.figures_changed.emit()

    def _on_node_ended(self, _sentence: str) -> None:
        models = tuple(self.pipelines)
        self._forget()
        self.ready_changed.emit(False)
        for changed in (self.models_changed, self.pool_changed, self.members_changed, self.lending_changed):
            changed.emit()
        self.own_plans_changed.emit()
        self.model_details_changed.emit()
        self.adding_changed.emit()
        self.figures_changed.emit()
        self.node_preferences_changed.emit()
        self.hosted_changed.emit()
        for model in models:
            self.pipelines_changed.emit(model)
