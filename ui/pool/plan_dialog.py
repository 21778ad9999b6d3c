"""Choose by hand which PCs run a model, in which order, and how many layers each has; says at once how fast that is."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from idlepool.engine.events import Event
from idlepool.engine.plan_events import ChoosePlan, ChosenPlan, PlanTold, TryPlan
from idlepool.ui.announcing import announce
from idlepool.ui.headings import heading
from idlepool.ui.node_state import NodeState
from idlepool.ui.pool.chain import chain_of
from idlepool.ui.pool.chain_words import prediction
from idlepool.ui.pool.plan_row import PlanRow
from idlepool.ui.pool.tiling import Tiling, even
from idlepool.ui.theme import retone, styled

DEFAULT = (560, 560)
SMALLEST = (380, 400)
TRY_PAUSE_MS = 250
"""After the last change."""


class PlanDialog(QDialog):
    """Deletes itself when it is closed."""

    def __init__(self, state: NodeState, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Choose the plan"))
        self.setMinimumSize(*SMALLEST)
        self.resize(*DEFAULT)
        self._state, self._model = state, model
        self._names = usable_pcs(state)
        self.tiling = _first(state, model, self._names)
        self.rows: dict[str, PlanRow] = {}
        self.result_words = QLabel(wordWrap=True)
        self.result_words.setTextFormat(Qt.TextFormat.PlainText)
        self.use = styled(QPushButton(self.tr("Use this plan")), "primary")
        self.share = QPushButton(self.tr("Share evenly"))
        self.cancel = QPushButton(self.tr("Cancel"))
        self._trying = QTimer(self, interval=TRY_PAUSE_MS, singleShot=True)
        self._build()
        self._connect()
        self._show(self.tiling)

    def _build(self) -> None:
        text = self.tr(
            "This PC has the first layers, so that no text leaves it before them. Whenever a PC of the plan is away,"
            " the plan is made automatically."
        )
        explained = styled(QLabel(text, wordWrap=True), "muted")
        inside = styled(QWidget(), "column")
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        for node, name in self._names.items():
            row = self.rows[node] = PlanRow(name, first=node == next(iter(self._names)))
            row.used_changed.connect(lambda used, node=node: self._use(node, used=used))
            row.count_changed.connect(lambda count, node=node: self._give(node, count))
            row.move_requested.connect(lambda by, node=node: self._move(node, by))
            self._column.addWidget(row)
        self._column.addStretch(1)
        area = QScrollArea(widgetResizable=True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.share)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.use)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(heading(self.tr("Which PCs run {model}?").format(model=self._model)))
        column.addWidget(explained)
        column.addWidget(area, 1)
        column.addWidget(self.result_words)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self.use.clicked.connect(self._choose)
        self.cancel.clicked.connect(self.reject)
        self.share.clicked.connect(lambda: self._show(even(self.tiling.nodes, self.tiling.layers)))
        self._trying.timeout.connect(self._try)
        self._state.bridge.received.connect(self._take)
        self._state.own_plans_changed.connect(self._on_chosen)

    # --- what the user does ------------------------------------------------------------------------------------------

    def _use(self, node: str, *, used: bool) -> None:
        self._show(self.tiling.with_node(node) if used else self.tiling.without(node))

    def _give(self, node: str, count: int) -> None:
        if node in self.tiling.nodes:
            self._show(self.tiling.with_count(self.tiling.nodes.index(node), count))

    def _move(self, node: str, by: int) -> None:
        self._show(self.tiling.moved(self.tiling.nodes.index(node), by))

    def _choose(self) -> None:
        self._state.bridge.send(ChoosePlan(self._model, self.tiling.nodes, self.tiling.spans))

    def _try(self) -> None:
        self._state.bridge.send(TryPlan(self._plan()))

    def _plan(self) -> ChosenPlan:
        return ChosenPlan(self._model, self.tiling.nodes, self.tiling.spans)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _show(self, tiling: Tiling) -> None:
        """The PCs of the plan in their order, then the others."""
        self.tiling = tiling
        order = [*tiling.nodes, *(node for node in self.rows if node not in tiling.nodes)]
        spans = dict(zip(tiling.nodes, tiling.spans, strict=True))
        for place, node in enumerate(order):
            row = self.rows[node]
            if self._column.indexOf(row) != place:
                self._column.insertWidget(place, row)
            last = len(tiling.nodes) - 1
            row.show_span(spans.get(node), most=tiling.most, up=1 < place <= last, down=0 < place < last)
        widgets = [each for node in order for each in self.rows[node].controls]
        for before, after in zip(widgets, [*widgets[1:], self.share], strict=True):
            QWidget.setTabOrder(before, after)
        self.use.setEnabled(False)
        self._tell(self.tr("Working it out …"), "muted")
        self._trying.start()

    def _take(self, event: Event) -> None:
        if isinstance(event, PlanTold) and event.tried and event.model == self._model and not self._trying.isActive():
            self._tell(prediction(event), "" if event.possible else "problem")
            self.use.setEnabled(event.possible)

    def _on_chosen(self) -> None:
        if self._plan() in self._state.own_plans.chosen:
            self.accept()

    def _tell(self, words: str, name: str) -> None:
        self.result_words.setText(words)
        retone(self.result_words, name)
        announce(self.result_words, words)


def usable_pcs(state: NodeState) -> dict[str, str]:
    """Names by ids of the PCs that plans may use, this one first."""
    here = [peer for peer in state.peers if peer.here]
    others = [peer for peer in state.peers if not peer.here and peer.present and peer.lends]
    left_out = state.own_plans.excluded
    return {peer.node: peer.name for peer in (*here, *others) if peer.node not in left_out}


def _first(state: NodeState, model: str, names: dict[str, str]) -> Tiling:
    """What is so now, where it can be; else all PCs alike."""
    pcs = chain_of(state, model).pcs
    if pcs and all(pc.node in names for pc in pcs) and pcs[0].node == next(iter(names)):
        return Tiling(tuple(pc.node for pc in pcs), tuple(pc.last - pc.first for pc in pcs))
    layers = next((one.layers for one in state.models if one.name == model), 1)
    return even(tuple(names), layers)
