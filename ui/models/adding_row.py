"""A model that is on its way here: how far it is, how fast it comes, how long it takes, and what stopped it."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QProgressBar

from idlepool.engine.model_events import Adding, CancelAdding, PauseAdding, ResumeAdding
from idlepool.ui.models.amounts import left_words, share_words, size_words, speed_words
from idlepool.ui.models.model_row import ModelRow, plain_label
from idlepool.ui.theme import styled

_AT_WORK = ("fetching", "converting", "checking")


class AddingRow(ModelRow):
    """Of one source. `wanted` brings a command for the node."""

    wanted = Signal(object)

    def __init__(self, adding: Adding) -> None:
        super().__init__(title_of(adding.source))
        self.source = adding.source
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("How much of {name} has come").format(name=self.name))
        self.failure = styled(plain_label(), "failed")
        self.pause = self.add_button(self.tr("Pause"), lambda: self.wanted.emit(PauseAdding(self.source)))
        self.resume = self.add_button(self.tr("Resume"), lambda: self.wanted.emit(ResumeAdding(self.source)))
        self.again = self.add_button(self.tr("Try again"), lambda: self.wanted.emit(ResumeAdding(self.source)))
        self.cancel = self.add_button(self.tr("Cancel"), lambda: self.wanted.emit(CancelAdding(self.source)))
        self.column.addWidget(self.bar)
        self.column.addWidget(self.failure)
        self.show_adding(adding)

    def show_adding(self, adding: Adding) -> None:
        """Show how far it is."""
        self.say(_words(adding))
        at_work, failed = adding.state in _AT_WORK, adding.state == "failed"
        self.bar.setVisible(at_work or (adding.state == "paused" and adding.total > 0))
        if adding.total:
            self.bar.setRange(0, 1000)
            self.bar.setValue(1000 * adding.done // adding.total)
        else:
            self.bar.setRange(0, 0 if at_work else 1)  # moving where nobody knows how much there is
        self.failure.setText(f"{adding.sentence} {adding.hint}".strip())
        self.failure.setVisible(failed)
        self.pause.setVisible(adding.state == "queued" or (adding.state == "fetching" and adding.keeps))
        self.resume.setVisible(adding.state == "paused")
        self.again.setVisible(failed)


def title_of(source: str) -> str:
    """What people call a source: OWNER/NAME on the Hub, a name of the catalogue, or a folder's name."""
    if source.startswith("hf:"):
        return source.removeprefix("hf:").partition("@")[0]
    return PurePath(source.replace("\\", "/")).name or source


def _words(adding: Adding) -> str:
    share = share_words(adding.done, adding.total) if adding.total else size_words(adding.done) if adding.done else ""
    words = {
        "queued": _tr("Waits for its turn"),
        "fetching": _tr("Fetching"),
        "converting": _tr("Converting for OpenVINO"),
        "checking": _tr("Checking every byte"),
        "paused": _tr("Paused; what came is kept") if adding.keeps else _tr("Paused"),
        "failed": _tr("Not added"),
    }
    parts = [words[adding.state], "" if adding.state in ("queued", "failed") else share]
    if adding.bytes_per_s:
        parts.append(speed_words(adding.bytes_per_s))
    if adding.seconds_left >= 0:
        parts.append(left_words(adding.seconds_left))
    return " · ".join(filter(None, parts))


def _tr(text: str) -> str:
    return QCoreApplication.translate("AddingRow", text)
