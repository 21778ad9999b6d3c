"""Finding a model on the Hugging Face Hub: by words, by its name there or its address; and what it takes to have it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from idlepool.engine.commands import AddModel
from idlepool.engine.model_events import HubFound, HubOffer, SearchHub
from idlepool.ui.announcing import announce
from idlepool.ui.models.amounts import size_words
from idlepool.ui.models.fit_words import Fit, fit_of_size
from idlepool.ui.models.model_row import ModelRow, plain_label
from idlepool.ui.models.rows import Rows
from idlepool.ui.numbers import whole
from idlepool.ui.search_line import SearchLine
from idlepool.ui.theme import retone


class HubFinder(QWidget):
    """`wanted` brings a command for the node. Nothing is fetched before its size and its licence were seen."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.field = SearchLine()
        self.field.setAccessibleName(self.tr("Search for a model on the Hugging Face Hub"))
        self.field.setPlaceholderText(self.tr("Words, OWNER/NAME, or the address of a model"))
        self.button = QPushButton()
        self.words = plain_label()
        self.rows = Rows()
        self._asked: str | None = None
        self._waits = False
        self._offers: dict[str, HubOffer] = {}
        self._lent, self._lenders, self._free = 0, 1, 0
        self._taken: frozenset[str] = frozenset()
        self._build()
        self.field.textChanged.connect(self._name_button)
        self.field.returnPressed.connect(self.search)
        self.button.clicked.connect(self.search)
        self._name_button()

    def _build(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.field, 1)
        line.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(line)
        column.addWidget(self.words)
        column.addWidget(self.rows)
        self.words.hide()

    def search(self) -> None:
        """Look for what is typed; for what is fetched most where nothing is."""
        self._asked = self.field.text().strip()
        self._tell(self.tr("Asking the Hugging Face Hub …"), "muted")
        self._ask(self._asked)

    def show_pool(self, *, lent: int, lenders: int, free: int, taken: frozenset[str]) -> None:
        """What models are measured by: lent memory, the free disk, and the sources that are here or on their way."""
        if (lent, lenders, free, taken) != (self._lent, self._lenders, self._free, self._taken):
            self._lent, self._lenders, self._free, self._taken = lent, lenders, free, taken
            self._show()

    def take(self, found: HubFound) -> None:
        """Show the answer to a search, or what one of its models takes."""
        self._waits = False
        if found.words in self._offers and found.words != self._asked:
            for offer in found.offers:
                self._offers[found.words] = offer
            self._tell(f"{found.sentence} {found.hint}".strip(), "bad")
        elif found.words == self._asked:
            self._offers = {offer.source: offer for offer in found.offers}
            nothing = "" if found.offers else self.tr("The Hub has no such model for OpenVINO.")
            self._tell(f"{found.sentence} {found.hint}".strip() or nothing, "bad" if found.sentence else "muted")
        self._show()

    def give_up(self) -> None:
        """No answer will come: whoever would have asked the Hub is gone."""
        if self._waits:
            self._waits = False
            self._tell(self.tr("Nothing was heard of the Hub: Idlepool's engine ended. Ask again."), "bad")

    def _show(self) -> None:
        self.rows.update_rows([self._row(offer) for offer in self._offers.values()])

    def _row(self, offer: HubOffer) -> ModelRow:
        row = ModelRow(offer.title, self._facts(offer))
        if offer.problem:
            row.judge(Fit(offer.problem, "bad"))
        elif offer.source in self._taken:
            row.judge(Fit(self.tr("It is here, or on its way."), "good"))
        elif not offer.bytes:
            row.add_button(self.tr("Size and fit"), lambda: self._look_up(offer))
        elif offer.bytes > self._free:
            words = self.tr("The disk is too full: {size} more must be free.")
            row.judge(Fit(words.format(size=size_words(offer.bytes - self._free)), "bad"))
        else:
            row.judge(fit_of_size(offer.bytes, self._lent, lenders=self._lenders))
            add = self.tr("Get it ({size})").format(size=size_words(offer.bytes))
            row.add_button(add, lambda: self.wanted.emit(AddModel(offer.source)), kind="primary")
        return row

    def _look_up(self, offer: HubOffer) -> None:
        self._tell(self.tr("Asking how large {name} is …").format(name=offer.title), "muted")
        self._ask(offer.source)

    def _ask(self, words: str) -> None:
        self._waits = True
        self.wanted.emit(SearchHub(words))

    def _facts(self, offer: HubOffer) -> str:
        licence = self.tr("Licence: {licence}").format(licence=offer.licence or self.tr("its source names none"))
        parts = [licence]
        if offer.downloads:
            parts.append(self.tr("fetched {count} times a month").format(count=whole(offer.downloads)))
        if offer.bytes:
            parts.append(size_words(offer.bytes))
        return " · ".join(parts)

    def _tell(self, words: str, tone: str) -> None:
        retone(self.words, tone)
        self.words.setText(words)
        self.words.setVisible(bool(words))
        announce(self.words, words)

    def _name_button(self) -> None:
        typed = bool(self.field.text().strip())
        self.button.setText(self.tr("Search") if typed else self.tr("Show popular ones"))
