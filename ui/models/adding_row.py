"""A model that is on its way here: how far it is, how fast it comes, how long it takes, and what stopped it."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton

from idlepool.engine.model_events import Adding, CancelAdding, PauseAdding, ResumeAdding
from idlepool.ui.models.amounts import left_words, share_words, size_words, speed_words
from idlepool.ui.models.model_row import ModelRow, plain_label
from idlepool.ui.models.removal_question import ask_removal
from idlepool.ui.theme import styled

MUCH_BYTES: Final = 100_000_000
"""Nobody loses more by a slip of the mouse: before that is thrown away somebody is asked."""

_AT_WORK = ("fetching", "converting", "checking")


class AddingRow(ModelRow):
    """Of one source. `wanted` brings a command for the node."""

    wanted = Signal(object)

    def __init__(self, adding: Adding, title: str) -> None:
        super().__init__(title)
        self.source = adding.source
        self.shown = adding
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("How much of {name} has come").format(name=self.name))
        self.failure = styled(plain_label(), "failed")
        self.pause = self.add_button(self.tr("Pause"), lambda: self.wanted.emit(PauseAdding(self.source)))
        self.resume = self.add_button(self.tr("Resume"), lambda: self.wanted.emit(ResumeAdding(self.source)))
        self.again = self.add_button(self.tr("Try again"), lambda: self.wanted.emit(ResumeAdding(self.source)))
        self.cancel = self.add_button(self.tr("Cancel"), self._cancel)
        self.column.addWidget(self.bar)
        self.column.addWidget(self.failure)
        self.show_adding(adding)

    def show_adding(self, adding: Adding) -> None:
        """Show how far it is."""
        self.shown = adding
        self.say(_words(adding))
        at_work, failed = adding.state in _AT_WORK, adding.state == "failed"
        self.bar.setVisible(at_work or (adding.state == "paused" and adding.keeps and adding.total > 0))
        if adding.total:
            self.bar.setRange(0, 1000)
            self.bar.setValue(1000 * adding.done // adding.total)
        else:
            self.bar.setRange(0, 0 if at_work else 1)  # moving where nobody knows how much there is
        self.failure.setText(f"{adding.sentence} {adding.hint}".strip())
        self.failure.setVisible(failed)
        self.cancel.setText(self.tr("Remove") if failed else self.tr("Cancel"))
        self.cancel.setAccessibleName(f"{self.cancel.text()}: {self.name}")
        self._offer(
            {
                self.pause: adding.state in ("queued", "fetching"),
                self.resume: adding.state == "paused",
                self.again: failed,
            }
        )

    def _offer(self, buttons: dict[QPushButton, bool]) -> None:
        """Show those that do something now; whoever had the focus on one that goes has it on the one that comes."""
        focused = next((button for button in buttons if button.hasFocus()), None)
        coming = next((button for button, shown in buttons.items() if shown), self.cancel)
        for button, shown in buttons.items():
            if shown:
                button.show()
        if focused is not None and not buttons[focused]:
            coming.setFocus()
        for button, shown in buttons.items():
            button.setVisible(shown)

    def _cancel(self) -> None:
        adding = self.shown
        if not adding.keeps or adding.done < MUCH_BYTES:
            self.wanted.emit(CancelAdding(self.source))
            return
        ask_removal(
            self,
            self.tr("Cancel fetching {name}?").format(name=self.name),
            self.tr("The {size} that have come would go from the disk. A pause keeps them.").format(
                size=size_words(adding.done)
            ),
            keep=self.tr("Keep them"),
            remove=self.tr("Remove them"),
            on_remove=lambda: self.wanted.emit(CancelAdding(self.source)),
        )


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
        "paused": _tr("Paused; what came is kept") if adding.keeps else _tr("Paused; it will begin anew"),
        "failed": _tr("Not added"),
    }
    lost = adding.state == "paused" and not adding.keeps
    parts = [words[adding.state], "" if adding.state in ("queued", "failed") or lost else share]
    if adding.silent_s:
        parts.append(_silence(adding.silent_s))
    elif adding.bytes_per_s:
        parts.append(speed_words(adding.bytes_per_s))
    if adding.seconds_left >= 0:
        parts.append(left_words(adding.seconds_left))
    return " · ".join(filter(None, parts))


def _silence(seconds: int) -> str:
    if seconds < 2 * 60:
        return _tr("nothing has come for {seconds} s").format(seconds=seconds)
    return _tr("nothing has come for {minutes} min; it is tried again and again").format(minutes=seconds // 60)


def _tr(text: str) -> str:
    return QCoreApplication.translate("AddingRow", text)
