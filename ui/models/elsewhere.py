"""What other PCs of the pool have, and what was fetched here for their pipelines."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from idlepool.engine.commands import CleanModels
from idlepool.engine.events import ModelInfo, PeerInfo
from idlepool.engine.local_events import ModelsCleaned
from idlepool.engine.model_events import FetchedFacts
from idlepool.engine.plan_events import PlanTold
from idlepool.ui.models.adding_row import title_of
from idlepool.ui.models.amounts import size_words, tokens_words
from idlepool.ui.models.fit_words import fit_of, lenders_in
from idlepool.ui.models.model_row import ModelRow
from idlepool.ui.models.rows import Rows
from idlepool.ui.settings.rows import muted

DAY_S = 86_400


class Elsewhere(Rows):
    """Models that only other PCs have; they answer about them."""

    chat_requested = Signal(str)

    def show_peers(self, peers: tuple[PeerInfo, ...], *, here: set[str], plans: Mapping[str, PlanTold]) -> None:
        """Show what is not `here`, by name in lower case."""
        rows = []
        for model, pcs in models_elsewhere(peers, here=here).items():
            row = ModelRow(model.name, self._facts(model, pcs))
            if model.name in plans:
                row.judge(fit_of(plans[model.name], lenders=lenders_in(peers)))
            row.add_button(self.tr("Chat"), partial(self.chat_requested.emit, model.name))
            rows.append(row)
        self.update_rows(rows)

    def _facts(self, model: ModelInfo, pcs: list[PeerInfo]) -> str:
        names = ", ".join(pc.name if pc.lends else self._silent(pc) for pc in pcs)
        parts = [self.tr("{count} layers").format(count=model.layers), size_words(model.bytes)]
        parts += [tokens_words(model.context), self.tr("on {names}").format(names=names)]
        if any(model.name in pc.running for pc in pcs):
            parts.append(self.tr("loaded there"))
        return " · ".join(parts)

    def _silent(self, pc: PeerInfo) -> str:
        return self.tr("{name} (does not lend at the moment)").format(name=pc.name)


class Fetched(Rows):
    """Layers of others' models on this disk. `wanted` brings a command for the node."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.words = muted("")
        self.clean = QPushButton()
        self.clean.clicked.connect(lambda: self.wanted.emit(CleanModels()))

    def show_fetched(self, fetched: tuple[FetchedFacts, ...]) -> None:
        """Show each model of which something was fetched."""
        self.update_rows([ModelRow(title_of(facts.name), self._facts(facts)) for facts in fetched])
        spare = sum(facts.bytes for facts in fetched if not facts.in_use)
        self.clean.setText(self.tr("Remove fetched layers ({size})").format(size=size_words(spare)))
        self.clean.setEnabled(spare > 0)

    def tell(self, cleaned: ModelsCleaned) -> None:
        """Say what became of CleanModels."""
        words = self.tr("{size} of the disk are free again.").format(size=size_words(cleaned.went_bytes))
        if cleaned.stayed_bytes:
            stays = self.tr("{size} stay: they are in use.").format(size=size_words(cleaned.stayed_bytes))
            words = f"{words} {stays}"
        self.words.setText(words)

    def _facts(self, facts: FetchedFacts) -> str:
        spans = ", ".join(f"{first}–{last - 1}" for first, last in facts.spans)
        layers = self.tr("layers {spans} of {count}").format(spans=spans, count=facts.layers)
        parts = [layers if spans else self.tr("parts of layers"), size_words(facts.bytes)]
        parts.append(self.tr("in use") if facts.in_use else self._used(facts.last_used))
        return " · ".join(parts)

    def _used(self, at: float) -> str:
        days = int((time.time() - at) // DAY_S)
        if not at:
            return self.tr("never used")
        if days < 1:
            return self.tr("used today")
        return self.tr("used yesterday") if days == 1 else self.tr("used {days} days ago").format(days=days)


def models_elsewhere(peers: tuple[PeerInfo, ...], *, here: set[str]) -> dict[ModelInfo, list[PeerInfo]]:
    """Complete models of PCs that are present and not this one, and who has each of them."""
    found: dict[ModelInfo, list[PeerInfo]] = {}
    for peer in peers:
        for model in peer.whole if peer.present and not peer.here else ():
            if model.name.casefold() not in here:
                found.setdefault(model, []).append(peer)
    return found
