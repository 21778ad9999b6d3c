"""The models page: what is here and on other PCs, whether the pool can carry it, what comes, and how to add more."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from idlepool.engine.commands import AddModel
from idlepool.engine.events import Command, Event
from idlepool.engine.local_events import ModelsCleaned
from idlepool.engine.model_events import (
    HubFound,
    ModelAdded,
    ModelChecked,
    ModelChecking,
    ModelMended,
    ModelRefused,
    ModelRemoved,
    WantModels,
)
from idlepool.engine.plan_events import WantPlan
from idlepool.ui.announcing import announce
from idlepool.ui.models.add_section import AddSection
from idlepool.ui.models.adding_list import AddingList
from idlepool.ui.models.amounts import size_words
from idlepool.ui.models.elsewhere import Elsewhere, Fetched, models_elsewhere
from idlepool.ui.models.here_section import HereSection
from idlepool.ui.node_state import NodeState
from idlepool.ui.page import MARGIN, Page
from idlepool.ui.settings.rows import muted
from idlepool.ui.theme import retone

ASK_PAUSE_MS: Final = 500
"""How long news are gathered before facts and plans are asked for again."""

FOLLOW_MS: Final = 500
"""How long the page grows at most by what the Hub answered."""


class ModelsPage(Page):
    """Asks the node for facts and plans only while it is shown."""

    chat_requested = Signal(str)
    """Somebody wants to chat with the model of that name."""

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        self._state = state
        self.setAcceptDrops(True)
        self.summary, self.notice = muted(""), muted("")
        self.jump = QPushButton(self.tr("Add a model …"))
        self.here, self.adding, self.add = HereSection(state), AddingList(state), AddSection(state)
        self.elsewhere, self.fetched = Elsewhere(), Fetched()
        self._asking = QTimer(self, interval=ASK_PAUSE_MS, singleShot=True)
        self._following = QTimer(self, interval=FOLLOW_MS, singleShot=True)
        self._titles: dict[QWidget, QWidget] = {}
        self._build()
        self._connect()
        self.refresh()

    # --- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.begin(self.tr("Models"), self.summary, self.jump)
        self.column.addWidget(self.notice)
        self.notice.hide()
        self._add(self.tr("On their way here"), self.adding)
        self._add(self.tr("On this PC"), self.here)
        self._add(self.tr("On other PCs of the pool"), self.elsewhere)
        self._add(self.tr("Fetched for models of other PCs"), self.fetched)
        self.column.addWidget(self.fetched.clean, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.fetched.words)
        self._add(self.tr("Add a model"), self.add)
        self.column.addStretch(1)

    def _add(self, title: str, content: QWidget) -> None:
        self._titles[content] = self.add_section(title, content)

    def _connect(self) -> None:
        state = self._state
        for part in (self.here, self.adding, self.add, self.fetched):
            part.wanted.connect(self._send)
        for page in (self.here, self.elsewhere):
            page.chat_requested.connect(self.chat_requested)
        self.jump.clicked.connect(self.show_adding)
        self._asking.timeout.connect(self._ask)
        self.verticalScrollBar().rangeChanged.connect(self._show_found)
        state.bridge.received.connect(self._on_event)
        state.bridge.node_ended.connect(lambda _sentence: self.add.hub.give_up())
        state.model_details_changed.connect(self.refresh)
        state.adding_changed.connect(self._show_queue)
        state.plans_changed.connect(self._show_pool)
        state.pool_changed.connect(self._show_pool)
        for changed in (state.models_changed, state.pool_changed, state.ready_changed):
            changed.connect(self._ask_soon)

    # --- what the user does ------------------------------------------------------------------------------------------

    def show_adding(self) -> None:
        """Scroll to where models are added, and let the keyboard go on from there."""
        self.ensureWidgetVisible(self._titles[self.add], 0, 0)
        self.verticalScrollBar().setValue(self._titles[self.add].y())
        self.add.hub.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take folders only."""
        if _folders(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add each folder."""
        for folder in _folders(event.mimeData()):
            self._send(AddModel(folder))
        event.acceptProposedAction()

    def _send(self, command: Command) -> None:
        self.notice.hide()
        if self._state.bridge.running:
            self._state.bridge.send(command)
        else:
            self._tell(self.tr("Idlepool's engine does not run at the moment. Try it again when it does."), "bad")
            self.add.hub.give_up()

    # --- what the node tells -----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show all that is known."""
        self.here.refresh()
        details = self._state.model_details
        self.fetched.show_fetched(details.fetched if details is not None else ())
        some = details is not None and bool(details.fetched)
        for widget in (self._titles[self.fetched], self.fetched.clean):
            widget.setVisible(some)
        self.fetched.words.setVisible(bool(self.fetched.words.text()))
        self._summarise()
        self._show_queue()
        self._show_pool()

    def _summarise(self) -> None:
        details = self._state.model_details
        if details is None:
            self.summary.setText(self.tr("Checking what is here …") if self._state.ready else self.tr("Starting …"))
            return
        size = sum(facts.bytes for facts in details.models if facts.own) + sum(part.bytes for part in details.fetched)
        words = self.tr("{used} of this disk are used for models, {free} are free")
        words = words if size else self.tr("{free} of this disk are free")
        self.summary.setText(words.format(used=size_words(size), free=size_words(details.free_bytes)))

    def _show_queue(self) -> None:
        self.adding.refresh()
        self._titles[self.adding].setVisible(bool(self._state.adding))
        self.add.refresh()

    def _show_pool(self) -> None:
        here = {model.name.casefold() for model in self._state.models}
        self.elsewhere.show_peers(self._state.peers, here=here, plans=self._state.plans)
        self._titles[self.elsewhere].setVisible(bool(self.elsewhere.shown))
        self.add.refresh()

    def _on_event(self, event: Event) -> None:
        match event:
            case ModelChecking() | ModelChecked() | ModelMended():
                self.here.take(event)
            case ModelRefused(name=name) if name not in self.here.cards:
                self._tell(f"{event.sentence} {event.hint}".strip(), "bad")
            case ModelRefused():
                self.here.take(event)
            case ModelRemoved(name=name, freed_bytes=freed):
                words = self.tr("{name} was removed: {size} of the disk are free again.")
                forgotten = self.tr("{name} was removed; its folder is as it was.")
                self._tell((words if freed else forgotten).format(name=name, size=size_words(freed)), "good")
            case ModelAdded(name=name, was_here=was_here):
                words = self.tr("{name} was here already.") if was_here else self.tr("{name} is here now.")
                self._tell(words.format(name=name), "good")
            case ModelsCleaned():
                self.fetched.tell(event)
                self._ask_soon()
            case HubFound():
                self.add.hub.take(event)
                self._following.start()

    def _show_found(self) -> None:
        """Scroll to what the Hub answered, when it has its place."""
        if self._following.isActive():
            self.ensureWidgetVisible(self.add.hub, 0, MARGIN)
            self.ensureWidgetVisible(self.add.hub.field, 0, MARGIN)

    def _tell(self, words: str, tone: str) -> None:
        self.notice.setText(words)
        retone(self.notice, tone)
        self.notice.show()
        announce(self.notice, words)

    # --- what the node is asked --------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Ask what is here, as of now."""
        super().showEvent(event)
        self._ask()

    def _ask_soon(self) -> None:
        self._asking.start()

    def _ask(self) -> None:
        if not self.isVisible() or self._state.ready is None:
            return
        self._state.bridge.send(WantModels())
        here = [model.name for model in self._state.models]
        others = models_elsewhere(self._state.peers, here={name.casefold() for name in here})
        names = (*here, *(model.name for model in others))
        if names:
            self._state.bridge.send(WantPlan(names))


def _folders(data: QMimeData) -> list[str]:
    """The folders that somebody drags here."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [str(path) for path in paths if path.is_dir()]
