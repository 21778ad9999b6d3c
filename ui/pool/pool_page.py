"""The pool page: how a model runs on which PCs, who could read a chat with it, each PC, and the links between them."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from dataclasses import replace
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from idlepool.engine.commands import LookAround
from idlepool.engine.events import Event
from idlepool.engine.figures_events import WantFigures
from idlepool.engine.local_events import LookedAround
from idlepool.engine.plan_events import ChoosePlan, ExcludePcs, WantPlan
from idlepool.ui.node_state import NodeState
from idlepool.ui.page import Page
from idlepool.ui.pool.chain_words import gigabytes
from idlepool.ui.pool.link_panel import LinkPanel
from idlepool.ui.pool.pc_card import PcCard
from idlepool.ui.pool.pc_facts import facts_of
from idlepool.ui.pool.pc_list import PcRow, PcRows
from idlepool.ui.pool.pc_view import PcView, identity_line, members_view, pool_words, strangers_view
from idlepool.ui.pool.plan_dialog import PlanDialog
from idlepool.ui.pool.plan_panel import PlanPanel
from idlepool.ui.pool.takes_part import TakesPart
from idlepool.ui.theme import styled

PLAN_PAUSE_MS: Final = 1000
"""How long news of the pool are gathered before a new plan is asked for."""
TEST_S: Final = 1.0
"""How long a test of the links looks for PCs first."""


class PoolPage(Page):
    """Asks the node for plans and figures only while it is shown."""

    pair_requested = Signal()
    remove_requested = Signal(object)
    """A MemberInfo. Nobody was asked yet."""

    stranger_requested = Signal(object)
    """Somebody wants to pair with this PcView."""

    leave_requested = Signal()

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        self._state = state
        self.pair = QPushButton(self.tr("Pair PCs …"))
        self.leave = QPushButton(self.tr("Leave the pool …"))
        self.here = styled(QLabel(wordWrap=True), "muted")
        self.plan, self.takes_part, self.links = PlanPanel(state), TakesPart(), LinkPanel()
        self.members, self.strangers = PcRows(self._member_card), PcRows(self._stranger_row)
        self._asked: tuple[object, ...] = ()
        self._order: list[QWidget] = []
        self._asking = QTimer(self, singleShot=True)
        self._build()
        self._connect()
        self.refresh()

    def _build(self) -> None:
        self.begin(self.tr("Pool"), self.here, self.pair)
        self.add_section(self.tr("How the model runs"), self.plan)
        self.who = self.add_section("", self.takes_part)
        self.add_section(self.tr("PCs of this pool"), self.members)
        self.column.addWidget(self.leave, 0, Qt.AlignmentFlag.AlignLeft)
        self.others = self.add_section(self.tr("Not of this pool"), self.strangers)
        self.add_section(self.tr("Links between the PCs"), self.links)
        self.column.addStretch(1)

    def _connect(self) -> None:
        state = self._state
        self.narrow_changed.connect(self._fit)
        self.leave.clicked.connect(self.leave_requested)
        self.pair.clicked.connect(self.pair_requested)
        self.plan.model_chosen.connect(lambda _: self.refresh())
        self.plan.by_hand_requested.connect(self._choose_by_hand)
        self.plan.automatic_requested.connect(lambda model: state.bridge.send(ChoosePlan(model)))
        self.links.test_requested.connect(lambda: state.bridge.send(LookAround(TEST_S, measure=True)))
        self._asking.timeout.connect(self._ask_for_plan)
        for changed in (
            state.pool_changed,
            state.models_changed,
            state.own_plans_changed,
            state.members_changed,
            state.lending_changed,
            state.hosted_changed,
            state.figures_changed,
        ):
            changed.connect(self.refresh)
        for changed in (state.pipelines_changed, state.plans_changed):
            changed.connect(lambda _: self.refresh())
        state.ready_changed.connect(self._on_ready)
        state.bridge.received.connect(self._take)

    def show_model(self, name: str) -> None:
        """Show how this model runs, where it is known."""
        self.plan.choose(name)
        self.refresh()

    # --- what is shown -----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what is known now."""
        if not self.isVisible():
            return
        state = self._state
        self.plan.show_models(_models(state))
        self.plan.refresh()
        picture = self.plan.picture
        planned = picture.state in ("planned", "unknown")
        self.who.setText(
            self.tr("Who would take part in a conversation")
            if planned
            else self.tr("Who takes part in this conversation")
        )
        self.takes_part.show_chain(picture, self._headed_by())
        self.here.setText(self._pool_words())
        if self._basis() != self._asked and not self._asking.isActive():
            self._asking.start(PLAN_PAUSE_MS if self.plan.model in state.plans else 0)
        left_out = state.own_plans.excluded
        members = members_view(state.members, state.peers)
        self.members.show_pcs(
            replace(
                pc,
                facts=(*facts_of(state, pc.key), *filter(None, [identity_line(pc.member)])),
                left_out=pc.key in left_out,
            )
            for pc in members
        )
        self.leave.setVisible(len(members) > 1)
        strangers = strangers_view(state.members, state.peers)
        self.strangers.show_pcs(strangers)
        self.others.setVisible(bool(strangers))
        self._order_tabs()

    def _order_tabs(self) -> None:
        """From the top; Qt's own order is that in which they were made."""
        plan = self.plan
        cards = [control for row in self.members.rows if isinstance(row, PcCard) for control in row.controls]
        order = [self.pair, plan.models, plan.instead, *plan.chain.cards, plan.by_hand, plan.automatic, *cards]
        order += [self.leave, *self.strangers.buttons, self.links.button]
        if order != self._order:
            self._order = order
            for widget, following in pairwise(order):
                QWidget.setTabOrder(widget, following)

    def _pool_words(self) -> str:
        state = self._state
        if state.ready is None:
            return self.tr("Idlepool is starting …")
        figures = state.figures.pcs if state.figures is not None else ()
        lent = sum(max((device.bytes for device in pc.devices), default=0) for pc in figures)
        words = self.tr("{pcs}, with {memory} GB for models") if lent else "{pcs}"
        return words.format(pcs=pool_words(state.peers), memory=gigabytes(lent))

    def _headed_by(self) -> str:
        """The PC whose pipeline answers about the model, where that is not this one."""
        model = self.plan.model
        if model in self._state.pipelines:
            return ""
        own = any(one.name == model for one in self._state.models)
        others = [peer for peer in self._state.peers if not peer.here and peer.present]
        running = [peer.name for peer in others if model in peer.running]
        whole = [] if own else [peer.name for peer in others if any(one.name == model for one in peer.whole)]
        return next(iter((*running, *whole)), "")

    def _member_card(self, pc: PcView) -> PcRow:
        button = None
        if pc.member is not None and not pc.member.here:
            button = QPushButton(self.tr("Remove …"))
            button.setAccessibleName(self.tr("Remove {name} from the pool").format(name=pc.name))
            button.clicked.connect(lambda: self.remove_requested.emit(pc.member))
        card = PcCard(pc, button)
        card.used_changed.connect(lambda used: self._exclude(pc.key, used=used))
        return card

    def _stranger_row(self, pc: PcView) -> PcRow:
        if not pc.can_pair:
            return PcRow()
        pair = QPushButton(self.tr("Pair …"))
        pair.setAccessibleName(self.tr("Pair with {name}").format(name=pc.name))
        pair.clicked.connect(lambda: self.stranger_requested.emit(pc))
        return PcRow(pair)

    # --- what is asked -----------------------------------------------------------------------------------------------

    def _exclude(self, node: str, *, used: bool) -> None:
        others = set(self._state.own_plans.excluded) - {node}
        self._state.bridge.send(ExcludePcs(tuple(sorted(others if used else {*others, node}))))

    def _choose_by_hand(self, model: str) -> None:
        PlanDialog(self._state, model, self).open()

    def _ask_for_plan(self) -> None:
        if self.plan.model and self._state.ready is not None and self.isVisible():
            self._asked = self._basis()
            self._state.bridge.send(WantPlan((self.plan.model,)))

    def _basis(self) -> tuple[object, ...]:
        """What a plan depends on, as far as it is known here: a new one is asked for when that changes."""
        state, model = self._state, self.plan.model
        lending = frozenset(peer.node for peer in state.peers if peer.present and peer.lends)
        pcs = state.figures.pcs if state.figures is not None else ()
        devices = tuple((pc.node, pc.devices, pc.link_ms > 0) for pc in pcs)
        pipeline = state.pipelines.get(model)
        return model, lending, devices, state.own_plans, pipeline.state if pipeline is not None else "none"

    def _on_ready(self, ready: bool) -> None:
        self.links.reset()
        self._asked = ()
        self.refresh()
        if ready and self.isVisible():
            self._state.bridge.send(WantFigures(on=True))
            self._ask_for_plan()

    def _take(self, event: Event) -> None:
        if isinstance(event, LookedAround):
            self.links.show_result(event, {peer.node: peer.name for peer in self._state.peers})

    # --- when it is shown --------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what is to be seen."""
        super().showEvent(event)
        self.refresh()
        if self._state.ready is not None:
            self._state.bridge.send(WantFigures(on=True))
            self._ask_for_plan()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        if self._state.ready is not None:
            self._state.bridge.send(WantFigures(on=False))

    def _fit(self, narrow: bool) -> None:
        self.plan.show_narrow(narrow=narrow)
        self.links.show_narrow(narrow=narrow)


def _models(state: NodeState) -> list[str]:
    """All that can be asked about here: own ones first."""
    names = [model.name for model in state.models]
    for peer in state.peers:
        if peer.present:
            names += [*peer.running, *(model.name for model in peer.whole)]
    return list(dict.fromkeys(names))
