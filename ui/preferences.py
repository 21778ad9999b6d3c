"""What the user chose for the window and what it remembers by itself: one file beside the conversations."""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path
from typing import Literal

import msgspec
from PySide6.QtCore import QCoreApplication

from idlepool.ui.engine_words import say

log = logging.getLogger("idlepool.preferences")

FILE = "window.json"
BROKEN = "window.json.broken"

MOST_TOLD = 50
"""Digests of notices that are kept; the oldest are forgotten first: at worst they are told again."""


class Chosen(msgspec.Struct):
    """The file. A field that a newer version wrote is left out; one that is missing has its default."""

    language: str = ""
    """"en" or "de"; empty: as the system."""
    theme: Literal["system", "light", "dark"] = "system"
    first_run_done: bool = False
    notifications: bool = True
    sidebar_shown: bool = True
    geometry: str = ""
    """Of the main window, in hexadecimal digits."""
    page: int = 0
    """The one that was shown last, counted from the top of the sidebar."""
    last_conversation: int = 0
    told: list[str] = msgspec.field(default_factory=list)


class Preferences:
    """`chosen` and its file. Without a folder (tests, demos) nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._refusal = ""
        """Why the file could not be read."""
        self._put_aside = False
        if folder is not None:
            # Only here: a folder that is missing later is on a disk that was unplugged, and comes back with it.
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
        self.chosen = self._read()

    @property
    def problem(self) -> str:
        """What was wrong with the file, in a sentence and in the language that was found since; empty: nothing."""
        translate = QCoreApplication.translate
        if self._put_aside:
            words = translate("Preferences", "The window's settings made no sense; the old file is called {file} now.")
            return words.format(file=BROKEN)
        if self._refusal:
            words = translate("Preferences", "The window's settings cannot be read ({reason}); they are as at first.")
            return words.format(reason=say(self._refusal))
        return ""

    def save(self) -> None:
        """Write the file; a disk that takes nothing costs only what would have been remembered."""
        if self.folder is None:
            return
        path = self.folder / FILE
        written = path.with_suffix(".new")
        try:
            written.write_bytes(msgspec.json.format(msgspec.json.encode(self.chosen)))
            written.replace(path)
        except OSError as error:
            log.warning("cannot keep the window's settings: %s", error.strerror)

    def _read(self) -> Chosen:
        if self.folder is None:
            return Chosen()
        path = self.folder / FILE
        try:
            return msgspec.json.decode(path.read_bytes(), type=Chosen)
        except FileNotFoundError:
            return Chosen()
        except OSError as error:
            self._refusal = error.strerror or type(error).__name__
        except (ValueError, RecursionError):  # of msgspec: a file that was cut short, or edited into something else
            self._put_aside = True
            with contextlib.suppress(OSError):
                path.replace(path.with_name(BROKEN))
        return Chosen()
