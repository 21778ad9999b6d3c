"""The ways to a model that is not here: by name from the catalogue, from the Hugging Face Hub, or from a folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from idlepool.engine.commands import AddModel
from idlepool.engine.model_events import ModelDetails
from idlepool.ui.models.catalogue_rows import CatalogueRows
from idlepool.ui.models.fit_words import lenders_in
from idlepool.ui.models.hub_finder import HubFinder
from idlepool.ui.models.model_row import ModelRow
from idlepool.ui.models.rows import Rows
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.rows import muted


class AddSection(QWidget):
    """`wanted` brings a command for the node."""

    wanted = Signal(object)

    def __init__(self, state: NodeState) -> None:
        super().__init__()
        self._state = state
        self.catalogue = CatalogueRows()
        self.hub = HubFinder()
        hint = self.tr("A folder with an OpenVINO model stays where it is. It can be dragged here as well.")
        self.folder = ModelRow(self.tr("From a folder"), hint)
        self.choose = self.folder.add_button(self.tr("Choose a folder …"), self._choose_folder)
        folder = Rows()
        folder.show_rows([self.folder])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.catalogue)
        column.addWidget(folder)
        column.addSpacing(8)
        column.addWidget(muted(self.tr("From the Hugging Face Hub, which only has to be reached until it is here:")))
        column.addWidget(self.hub)
        self.catalogue.wanted.connect(self.wanted)
        self.hub.wanted.connect(self.wanted)

    def refresh(self) -> None:
        """Show what is not here and not on its way, measured by what the pool lends and the disk has."""
        state = self._state
        details = state.model_details or ModelDetails((), (), 0)
        here = {facts.source.partition("@")[0] for facts in details.models}
        taken = frozenset(here | {model.source.partition("@")[0] for model in state.adding})
        self.catalogue.show_entries(state.catalogue, taken=taken, free_bytes=details.free_bytes)
        lent = max((plan.lent_bytes for plan in state.plans.values()), default=details.lent_bytes)
        self.hub.show_pool(lent=lent, lenders=lenders_in(state.peers), free=details.free_bytes, taken=taken)

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a folder with an OpenVINO model"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda folder: self.wanted.emit(AddModel(folder)))
        dialog.open()
