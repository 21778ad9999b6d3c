"""Models that are had by name alone: what they are, under which licence, how much they take, before the first byte."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal

from idlepool.engine.commands import AddModel
from idlepool.engine.model_events import CatalogueEntry
from idlepool.ui.engine_words import say
from idlepool.ui.models.amounts import size_words
from idlepool.ui.models.fit_words import Fit
from idlepool.ui.models.model_row import ModelRow
from idlepool.ui.models.rows import Rows


class CatalogueRows(Rows):
    """`wanted` brings a command for the node."""

    wanted = Signal(object)

    def show_entries(self, entries: tuple[CatalogueEntry, ...], *, taken: Collection[str], free_bytes: int) -> None:
        """Show what is not `taken`: here already, or on its way."""
        self.update_rows([self._row(entry, free_bytes) for entry in entries if entry.source not in taken])

    def _row(self, entry: CatalogueEntry, free_bytes: int) -> ModelRow:
        takes = self.tr("{fetched} to fetch, {room} of the disk while it is made")
        row = ModelRow(
            say(entry.title),
            " · ".join(
                (
                    self.tr("Licence: {licence}").format(licence=say(entry.licence)),
                    takes.format(fetched=size_words(entry.fetch_bytes), room=size_words(entry.room_bytes)),
                )
            ),
        )
        lacks = entry.room_bytes - free_bytes
        if entry.missing:
            row.judge(Fit(entry.missing, "muted"))
        elif lacks > 0:
            words = self.tr("The disk is too full: {size} more must be free.")
            row.judge(Fit(words.format(size=size_words(lacks)), "bad"))
        elif entry.terms:
            row.judge(Fit(self.tr("By using it you agree to {terms}").format(terms=entry.terms), "muted"))
        get = row.add_button(self.tr("Get it"), lambda: self.wanted.emit(AddModel(entry.source)))
        get.setEnabled(not entry.missing and lacks <= 0)
        row.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return row
