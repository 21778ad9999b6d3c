"""How a model runs, or would: the chain as a picture, what it does, how fast it should be, and who is left out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout

from idlepool.engine.plan_events import PlanTold
from idlepool.ui.engine_words import say
from idlepool.ui.node_state import NodeState
from idlepool.ui.page import row_direction
from idlepool.ui.pool.chain import ChainPicture, chain_of
from idlepool.ui.pool.chain_view import ChainView
from idlepool.ui.pool.chain_words import guess, prediction, summary
from idlepool.ui.pool.pc_view import why_not_lent
from idlepool.ui.pool.plan_dialog import usable_pcs
from idlepool.ui.theme import styled


class PlanPanel(QFrame):
    """One model at a time. It tells nobody what to do: see `PoolPage`."""

    model_chosen = Signal(str)
    by_hand_requested = Signal(str)
    """Somebody wants to choose the plan of this model."""
    automatic_requested = Signal(str)

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        styled(self, "card")
        self._state = state
        self._chosen = ""
        self.models = styled(QComboBox(), "choice")
        self.models.setAccessibleName(self.tr("Model whose chain is shown"))
        self.models.setAccessibleDescription(self.models.accessibleName())
        self.models.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.models.setMinimumWidth(16 * self.fontMetrics().averageCharWidth())
        self.models.setMaximumWidth(40 * self.fontMetrics().averageCharWidth())
        self.by_hand = QPushButton(self.tr("Choose by hand …"))
        self.automatic = QPushButton(self.tr("Plan automatically"))
        self.problem, self.instead = _words(), QPushButton(self.tr("Plan automatically"))
        self.chosen = styled(QLabel(self.tr("Chosen by hand")), "badge")
        self.chain = ChainView()
        self.summary, self.prediction, self.left_out = _words(), _words("headline"), _words("muted")
        self._build()
        self.models.activated.connect(self._on_activated)
        self.by_hand.clicked.connect(lambda: self.by_hand_requested.emit(self.model))
        for button in (self.automatic, self.instead):
            button.clicked.connect(lambda: self.automatic_requested.emit(self.model))

    def _build(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.models, 1)
        first.addWidget(self.chosen)
        first.addStretch(1)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(8)
        self.buttons.addWidget(self.by_hand)
        self.buttons.addWidget(self.automatic)
        self.buttons.addStretch(1)
        self.notice = styled(QFrame(), "banner")
        self.notice_row = QHBoxLayout(self.notice)
        self.notice_row.setContentsMargins(12, 8, 12, 8)
        self.notice_row.setSpacing(12)
        self.notice_row.addWidget(self.problem, 1)
        self.notice_row.addWidget(self.instead)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(self.notice)
        column.addSpacing(8)
        column.addWidget(self.chain)
        column.addSpacing(8)
        for label in (self.summary, self.prediction, self.left_out):
            column.addWidget(label)
        column.addSpacing(8)
        column.addLayout(self.buttons)

    @property
    def model(self) -> str:
        """The name of the model that is shown; empty: there is none."""
        return self.models.currentText()

    @property
    def picture(self) -> ChainPicture:
        """What the chain is now."""
        return chain_of(self._state, self.model)

    def show_models(self, names: list[str]) -> None:
        """Offer these, and show the one that was chosen, else one that runs."""
        if names != [self.models.itemText(n) for n in range(self.models.count())]:
            self.models.clear()
            self.models.addItems(names)
            self.models.setEnabled(len(names) > 1)
        running = [name for name in names if name in self._state.pipelines]
        chosen = [name for name in names if name == self._chosen]
        self.models.setCurrentText(next(iter((*chosen, *running, *names)), ""))

    def choose(self, name: str) -> None:
        """Show this model, as soon as there is one of that name."""
        self._chosen = name

    def refresh(self) -> None:
        """Show what is known now."""
        picture, plan = self.picture, self._state.plans.get(self.model)
        if picture != self.chain.picture:
            self.chain.show_picture(picture)
        self.chain.setVisible(bool(picture.pcs))
        self._refresh_chosen(picture, plan)
        own = any(model.name == self.model for model in self._state.models)
        self.by_hand.setEnabled(own and self._state.ready is not None and bool(usable_pcs(self._state)))
        _tell(self.summary, summary(picture) if self.model else self.tr("Add a model first; then it is shown here."))
        _tell(self.prediction, prediction(plan, picture) if plan is not None and plan.possible else "")
        _tell(self.left_out, "\n".join(filter(None, (guess(plan), *self._left_out(plan)))))

    def _refresh_chosen(self, picture: ChainPicture, plan: PlanTold | None) -> None:
        """Whether somebody chose the plan, and what keeps it from being followed."""
        chosen = any(one.model == self.model for one in self._state.own_plans.chosen)
        problem = plan.problem if chosen and plan is not None else ""
        if problem and plan is not None and not plan.possible and picture.state != "unknown":
            problem = f"{problem} {plan.sentence} {plan.hint}".strip()  # else that stands below, in the chain's place
        self.chosen.setVisible(chosen and not problem)
        self.automatic.setVisible(chosen and not problem)
        self.problem.setText(problem)
        self.notice.setVisible(bool(problem))

    def show_narrow(self, *, narrow: bool) -> None:
        """With little room buttons stand below one another, and below what they are about."""
        for row in (self.buttons, self.notice_row):
            row.setDirection(row_direction(narrow=narrow))

    def _on_activated(self) -> None:
        self._chosen = self.model
        self.model_chosen.emit(self.model)

    def _left_out(self, plan: PlanTold | None) -> list[str]:
        """Of each PC that takes no part, why."""
        taking = {pc.name for pc in self.chain.picture.pcs}
        peers = {peer.name: peer for peer in self._state.peers}
        lines = []
        for name, reason in plan.left_out if plan is not None else ():
            peer = peers.get(name)
            if peer is not None and peer.node in self._state.own_plans.excluded:
                lines.append(self.tr("Without {name}: you left it out of your plans.").format(name=name))
            elif peer is not None and peer.present and not peer.lends:
                lines.append(self.tr("Without {name}: {reason}.").format(name=name, reason=why_not_lent(peer)))
            elif name not in taking:
                lines.append(self.tr("Without {name}: {reason}").format(name=name, reason=say(reason)))
        return lines


def _words(name: str = "") -> QLabel:
    label = styled(QLabel(wordWrap=True), name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _tell(label: QLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
