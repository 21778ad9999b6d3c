"""Which models are being added, on the disk: after a crash or a restart they are gone on with."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterable
from pathlib import Path

import msgspec

from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file, writing
from idlepool.engine.pool.broken_file import put_aside
from idlepool.engine.types import Count

FILE = "adding.json"

log = logging.getLogger("idlepool.models")


class Wanted(msgspec.Struct, frozen=True):
    """One of them, in the order in which they come; `waits`: until somebody says that it shall go on."""

    source: str
    waits: bool = False
    sentence: str = ""
    """Why it failed,"""
    hint: str = ""
    """and what to do."""
    done: Count = 0
    """How much had come of one that waits,"""
    total: Count = 0
    """of how much."""


def read_adding(root: Path) -> tuple[Wanted, ...]:
    """None where the file is missing or cannot be read."""
    return take_adding(root)[0]


def take_adding(root: Path) -> tuple[tuple[Wanted, ...], str]:
    """The same for a node that starts, and what is wrong in a sentence; empty: nothing.

    A file that means nothing is put aside.
    """
    path = root / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[Wanted, ...]), ""
    except FileNotFoundError:
        return (), ""
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        log.warning("what was being added is not known any more: %s", type(error).__name__)
        with contextlib.suppress(OSError):
            name = put_aside(path).name
            return (), f"Which models were being added cannot be read; the old file is called {name} now."
        return (), "Which models were being added cannot be read."


def write_adding(root: Path, wanted: Iterable[Wanted]) -> None:
    """Where the disk takes nothing, a restart does not go on with them; what came of them stays."""
    try:
        with writing(root):
            root.mkdir(parents=True, exist_ok=True)
        replace_file(root / FILE, msgspec.json.encode(tuple(wanted)))
    except StorageError as error:
        log.warning("%s", error.sentence)
