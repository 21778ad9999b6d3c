"""Checking a model byte by byte, in its card: how far, what is wrong, and fetching that again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from idlepool.engine.model_events import ModelChecked, ModelChecking, ModelMended, ModelRefused
from idlepool.ui.models.amounts import share_words, size_words
from idlepool.ui.models.model_row import plain_label
from idlepool.ui.numbers import whole
from idlepool.ui.theme import retone

MOST_RANGES = 3
"""That are written out; of more only how many."""


class CheckLine(QWidget):
    """Hidden until something is known."""

    stop_requested = Signal()
    mend_requested = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.words = plain_label()
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("How much of {name} is checked").format(name=name))
        self.stop = QPushButton(self.tr("Stop"))
        self.mend = QPushButton(self.tr("Fetch it again"))
        self.stop.setAccessibleName(self.tr("Stop checking {name}").format(name=name))
        self.mend.setAccessibleName(self.tr("Fetch what is wrong with {name} again").format(name=name))
        self.stop.clicked.connect(self._stop)
        self.mend.clicked.connect(self._mend)
        self._mending = False
        self._build()
        self.hide()

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self.words)
        words.addWidget(self.bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addLayout(words, 1)
        row.addWidget(self.stop)
        row.addWidget(self.mend)

    def take(self, event: ModelChecking | ModelChecked | ModelMended | ModelRefused) -> None:
        """Show what became of it."""
        match event:
            case ModelChecking(done=done, total=total):
                self._show_progress(done, total)
            case ModelChecked(files=(), ranges=()):
                self._show(self.tr("Every byte is right."), "good")
            case ModelChecked():
                self._show(self._damage(event), "bad")
                self.mend.show()
            case ModelMended(fetched_bytes=fetched):
                words = self.tr("{size} were fetched again: every byte is right now.")
                self._show(words.format(size=size_words(fetched)), "good")
            case ModelRefused():
                self._show(f"{event.sentence} {event.hint}".strip(), "bad")

    def _show_progress(self, done: int, total: int) -> None:
        words = self.tr("Fetching again: {share}") if self._mending else self.tr("Checking: {share}")
        self._show(words.format(share=share_words(done, total)), "muted")
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(1000 * done // max(1, total))
        self.bar.show()
        self.stop.setVisible(not self._mending)

    def _show(self, words: str, tone: str) -> None:
        retone(self.words, tone)
        self.words.setText(words)
        self.bar.hide()
        self.stop.hide()
        self.mend.hide()
        self.show()
        if tone != "muted":
            self._mending = False

    def _stop(self) -> None:
        self.hide()
        self.stop_requested.emit()

    def _mend(self) -> None:
        self._mending = True
        self._show(self.tr("Looking for a PC that has it …"), "muted")
        self.mend_requested.emit()

    def _damage(self, checked: ModelChecked) -> str:
        parts = list(checked.files)
        ranges = [self.tr("bytes {first} to {last}").format(first=whole(a), last=whole(b)) for a, b in checked.ranges]
        if len(ranges) > MOST_RANGES:
            ranges = [self.tr("{count} parts of the weights").format(count=len(ranges))]
        words = self.tr("{size} are damaged: {parts}.")
        return words.format(size=size_words(checked.damaged_bytes), parts=", ".join(parts + ranges))
