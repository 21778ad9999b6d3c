"""Which models are being added, on the disk: after a crash or a restart they are gone on with."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

import msgspec

from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file, writing

FILE = "adding.json"

log = logging.getLogger("idlepool.models")


class Wanted(msgspec.Struct, frozen=True):
    """One of them, in the order in which they come; `waits`: until somebody says that it shall go on."""

    source: str
    waits: bool = False


def read_adding(root: Path) -> tuple[Wanted, ...]:
    """None where the file is missing or cannot be read."""
    try:
        return msgspec.json.decode((root / FILE).read_bytes(), type=tuple[Wanted, ...])
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        log.warning("what was being added is not known any more: %s", error)
        return ()


def write_adding(root: Path, wanted: Iterable[Wanted]) -> None:
    """Where the disk takes nothing, a restart does not go on with them; what came of them stays."""
    try:
        with writing(root):
            root.mkdir(parents=True, exist_ok=True)
        replace_file(root / FILE, msgspec.json.encode(tuple(wanted)))
    except StorageError as error:
        log.warning("%s", error.sentence)
