"""The owner's rules and his snooze, kept in the data folder over restarts."""

from __future__ import annotations

import contextlib
import logging
from datetime import datetime
from pathlib import Path

import msgspec

from idlepool.engine.errors import PoolError, StorageError
from idlepool.engine.lending_rules import LendingRules
from idlepool.engine.models.files import replace_file, writing
from idlepool.engine.pool.broken_file import put_aside

log = logging.getLogger("idlepool.lending")

FILE = "lending.json"


class RulesUnreadable(PoolError):
    """The file of the rules cannot be read, or says what means nothing."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"The rules for lending in {path} cannot be read: {reason}.",
            "Set them again, with: idlepool lend when-idle",
        )


class KeptLending(msgspec.Struct, frozen=True):
    """What the owner said, and until when he wants nothing lent whatever it is."""

    rules: LendingRules = LendingRules()
    snoozed_until: datetime | None = None


def read_lending(root: Path) -> KeptLending:
    """What was kept in a data folder; the defaults where nothing was.

    Raises:
        RulesUnreadable: the file is damaged.
    """
    path = root / FILE
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=KeptLending)
    except FileNotFoundError:
        return KeptLending()
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise RulesUnreadable(path, str(error)) from error
    if kept.snoozed_until is not None and kept.snoozed_until.tzinfo is None:
        raise RulesUnreadable(path, "the end of the snooze has no time zone")
    return kept


def take_lending(root: Path) -> tuple[KeptLending, str]:
    """The same for a node that starts, and what is wrong in a sentence; empty: nothing.

    A file that means nothing is put aside. Its owner may have wanted nothing lent: so nothing is, until he says again.
    """
    try:
        return read_lending(root), ""
    except RulesUnreadable as error:
        log.warning("the rules for lending cannot be read")
        kept = KeptLending(LendingRules(mode="never"))
        aside = f"{error.sentence} This PC lends nothing until you choose again."
        with contextlib.suppress(OSError, StorageError):
            name = put_aside(root / FILE).name
            write_lending(root, kept)
            aside = f"The rules for lending made no sense; the old file is called {name} now. This PC lends nothing."
        return kept, aside


def write_lending(root: Path, kept: KeptLending) -> None:
    """Keep it.

    Raises:
        StorageError: the folder cannot be written.
    """
    with writing(root):
        root.mkdir(parents=True, exist_ok=True)
    replace_file(root / FILE, msgspec.json.format(msgspec.json.encode(kept), indent=2))
