"""Conversations written into a file of the user's choice, and read from one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from idlepool.ui.chat.exchange_bar import ExchangeBar
from idlepool.ui.engine_words import say
from idlepool.ui.history.exchange import ImportRefused, read_file, write_file
from idlepool.ui.history.history import History
from idlepool.ui.slices import Slices, Steps

ALL: Final = 1_000_000
"""More conversations than anybody has."""

NAME_BYTES: Final = 120
"""Of a file's name that is proposed: file systems take 255."""

_UNFIT: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
"""What file names cannot have on one of the three systems."""


class ExchangeDialogs(QObject):
    """Asks for the file; how far it is stands in `bar`, what became of it is told in a sentence."""

    imported = Signal(list)
    """The numbers of the new conversations."""
    told = Signal(str)

    def __init__(self, history: History, window: QWidget) -> None:
        super().__init__(window)
        self._history = history
        self._window = window
        self._work = Slices(self)
        self.bar = ExchangeBar()
        self.bar.given_up.connect(self.give_up)
        self._work.progressed.connect(self.bar.show_progress)
        self._work.ended.connect(self.bar.end)

    @property
    def busy(self) -> bool:
        """Whether a file is being written or read; no other one can be meanwhile."""
        return self._work.busy

    def give_up(self) -> None:
        """Write or read no further: nothing of it stays."""
        self._work.give_up()

    def export_one(self, conversation: int, title: str) -> None:
        """Ask where one conversation shall be written."""
        self._ask_where([conversation], title)

    def export_all(self) -> None:
        """Ask where all conversations shall be written."""
        listed = [entry.id for entry in self._history.conversations(limit=ALL)]
        self._ask_where(listed, self.tr("Conversations"))

    def import_some(self) -> None:
        """Ask for a file that was exported."""
        dialog = QFileDialog(self._window, self.tr("Import conversations"), _documents())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Exported conversations (*.md *.json)"))
        dialog.fileSelected.connect(lambda name: self.read(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def read(self, path: Path) -> None:
        """Add the conversations of a file."""
        self.bar.begin(self.tr("Importing {file}").format(file=path.name))
        self._work.begin(self._read(path))

    def write(self, conversations: list[int], path: Path) -> None:
        """Write conversations into a file; Markdown where its name does not say JSON."""
        self.bar.begin(self.tr("Exporting to {file}").format(file=path.name))
        self._work.begin(self._write(conversations, path))

    def _read(self, path: Path) -> Steps:
        try:
            numbers = yield from read_file(self._history, path)
        except ImportRefused as refused:
            self.told.emit(refused.sentence)
        except OSError as error:
            words = self.tr("{file} could not be read: {reason}.")
            self.told.emit(words.format(file=path.name, reason=say(error.strerror or str(error))))
        else:
            self.imported.emit(numbers)

    def _write(self, conversations: list[int], path: Path) -> Steps:
        try:
            count = yield from write_file(self._history, conversations, path)
        except LookupError:
            self.told.emit(self.tr("The conversation was deleted meanwhile; nothing was exported."))
        except OSError as error:
            words = self.tr("{file} could not be written: {reason}.")
            self.told.emit(words.format(file=path.name, reason=say(error.strerror or str(error))))
        else:
            words = self.tr("%Ln conversation(s) exported to {file}.", "", count)
            self.told.emit(words.format(file=path.name))

    def _ask_where(self, conversations: list[int], title: str) -> None:
        dialog = QFileDialog(self._window, self.tr("Export"), _documents())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([self.tr("Markdown, to read (*.md)"), self.tr("JSON, with all branches (*.json)")])
        dialog.setDefaultSuffix("md")
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix("json" if "json" in chosen else "md"))
        dialog.selectFile(f"{_file_name(title)}.md")  # with its ending: Qt takes what follows a dot in a title for one
        dialog.fileSelected.connect(lambda name: self.write(conversations, Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _documents() -> str:
    """Where people keep files; a program that the desktop started stands anywhere."""
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)


def _file_name(title: str) -> str:
    short = " ".join(_UNFIT.sub(" ", title).split()).encode()[:NAME_BYTES].decode(errors="ignore")
    return short.strip(" .") or "conversation"
