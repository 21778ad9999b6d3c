"""The owner's rules and his snooze, kept in the data folder over restarts."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec

from idlepool.engine.errors import PoolError
from idlepool.engine.lending_rules import LendingRules
from idlepool.engine.models.files import replace_file, writing

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


def write_lending(root: Path, kept: KeptLending) -> None:
    """Keep it.

    Raises:
        StorageError: the folder cannot be written.
    """
    with writing(root):
        root.mkdir(parents=True, exist_ok=True)
    replace_file(root / FILE, msgspec.json.format(msgspec.json.encode(kept), indent=2))
