"""The card of a model that is on this PC: what it is, whether the pool can carry it, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QVBoxLayout

from idlepool.engine.events import PipelineChanged
from idlepool.engine.model_events import MendModel, ModelFacts, RemoveModel, RenameModel, StopVerifying, VerifyModel
from idlepool.ui.models.amounts import size_words, tokens_words
from idlepool.ui.models.check_line import CheckLine
from idlepool.ui.models.fit_words import Fit
from idlepool.ui.models.load_view import LoadView
from idlepool.ui.models.model_row import ModelRow, plain_label
from idlepool.ui.models.removal_question import ask_removal
from idlepool.ui.name_dialog import ask_name
from idlepool.ui.theme import styled


class ModelCard(QFrame):
    """`wanted` brings a command for the node; `chat_requested` the model's name."""

    wanted = Signal(object)
    chat_requested = Signal(str)

    def __init__(self, facts: ModelFacts) -> None:
        super().__init__()
        styled(self, "card")
        self.known = facts
        self._loaded_on = 0
        self.row = ModelRow(facts.name)
        self.folder = styled(plain_label(), "muted")
        self.problem = styled(plain_label(), "failed")
        self.check = CheckLine(facts.name)
        self.load = LoadView()
        self.chat = self.row.add_button(self.tr("Chat"), lambda: self.chat_requested.emit(self.known.name))
        self.more = styled(QPushButton(self.tr("More")), "menu")
        self.row.add_control(self.more)
        self._add_menu()
        for widget in (self.folder, self.problem, self.load, self.check):
            self.row.column.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.row)
        self.check.stop_requested.connect(lambda: self.wanted.emit(StopVerifying(self.known.name)))
        self.check.mend_requested.connect(lambda: self.wanted.emit(MendModel(self.known.name)))
        self.show_facts(facts)

    def show_facts(self, facts: ModelFacts) -> None:
        """Show what is known of it now."""
        self.known = facts
        self._say()
        self.folder.setText(self.tr("In your folder {folder}").format(folder=facts.folder))
        self.folder.setVisible(not facts.own and bool(facts.folder))
        self.problem.setText(facts.problem)
        self.problem.setVisible(bool(facts.problem))
        self.chat.setEnabled(not facts.problem)
        for action in (self.rename, self.remove):
            action.setEnabled(facts.removable)
        for action in (self.verify, self.open):
            action.setEnabled(bool(facts.folder))

    def show_fit(self, fit: Fit) -> None:
        """Show whether the pool can carry it; of a damaged one that is not said."""
        self.row.judge(Fit("", "muted") if self.known.problem else fit)

    def show_pipeline(self, pipeline: PipelineChanged | None) -> None:
        """Show what this PC's pipeline of it does."""
        self.load.show_pipeline(pipeline)
        self._loaded_on = len(pipeline.stages) if pipeline is not None and pipeline.state == "ready" else 0
        self._say()

    def _say(self) -> None:
        facts = self.known
        parts = []
        if facts.layers:
            parts.append(self.tr("{count} layers").format(count=facts.layers))
            parts += [size_words(facts.bytes), tokens_words(facts.context)]
        if facts.licence:
            parts.append(self.tr("licence: {licence}").format(licence=facts.licence))
        elif facts.layers:
            parts.append(self.tr("licence unknown"))
        if self._loaded_on:
            where = self.tr("loaded on this PC") if self._loaded_on == 1 else self.tr("loaded on {count} PCs")
            parts.append(where.format(count=self._loaded_on))
        self.row.say(" · ".join(filter(None, parts)))

    def _add_menu(self) -> None:
        menu = QMenu(self)
        self.verify = menu.addAction(self.tr("Check every byte"), self._verify)
        self.rename = menu.addAction(self.tr("Rename …"), self._rename)
        self.open = menu.addAction(self.tr("Open its folder"), self._open_folder)
        menu.addSeparator()
        self.remove = menu.addAction(self.tr("Remove …"), self._remove)
        self.more.setMenu(menu)

    def _verify(self) -> None:
        self.wanted.emit(VerifyModel(self.known.name))

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self.known.folder))

    def _rename(self) -> None:
        ask_name(
            self,
            self.tr("Rename a model"),
            self.tr("New name of {name}").format(name=self.known.name),
            now=self.known.name,
            accept=self.tr("Rename"),
            on_name=self._on_new_name,
        )

    def _on_new_name(self, name: str) -> None:
        if name.strip() and name.strip() != self.known.name:
            self.wanted.emit(RenameModel(self.known.name, name.strip()))

    def _remove(self) -> None:
        frees = self.tr("{size} of the disk become free. It can be fetched again later.")
        frees = frees.format(size=size_words(self.known.bytes))
        ask_removal(
            self,
            self.tr("Remove {name} from this PC?").format(name=self.known.name),
            frees if self.known.own else self.tr("Idlepool only forgets it: its folder stays as it is."),
            keep=self.tr("Keep it"),
            remove=self.tr("Remove"),
            on_remove=lambda: self.wanted.emit(RemoveModel(self.known.name)),
        )
