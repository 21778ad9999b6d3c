"""Why the file of conversations cannot be used, as SQLite's errors tell it, in sentences for the user."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from idlepool.ui.history.schema import NewerFile, StrangeFile


class Reason(StrEnum):
    """What is wrong."""

    FULL = "full"
    READ_ONLY = "read-only"
    LOCKED = "locked"
    NEWER = "newer"
    DAMAGED = "damaged"
    UNREACHABLE = "unreachable"


Translate = Callable[[str, str], str]
"""A context and a text; as QCoreApplication.translate, which this package does without."""


def untranslated(_context: str, text: str) -> str:
    """English, as the sentences are written."""
    return text


_REASONS: Final = {
    sqlite3.SQLITE_FULL: Reason.FULL,
    sqlite3.SQLITE_READONLY: Reason.READ_ONLY,
    sqlite3.SQLITE_PERM: Reason.READ_ONLY,
    sqlite3.SQLITE_AUTH: Reason.READ_ONLY,
    sqlite3.SQLITE_BUSY: Reason.LOCKED,
    sqlite3.SQLITE_LOCKED: Reason.LOCKED,
    sqlite3.SQLITE_CORRUPT: Reason.DAMAGED,
    sqlite3.SQLITE_NOTADB: Reason.DAMAGED,
}
"""By the lowest byte of SQLite's error code: https://www.sqlite.org/rescode.html."""

_ERRNO_REASONS: Final = {
    errno.ENOSPC: Reason.FULL,
    errno.EACCES: Reason.READ_ONLY,
    errno.EPERM: Reason.READ_ONLY,
    errno.EROFS: Reason.READ_ONLY,
}


def reason_of(error: Exception) -> Reason:
    """What an error of SQLite, of the schema or of the file system means."""
    if isinstance(error, NewerFile):
        return Reason.NEWER
    if isinstance(error, StrangeFile):
        return Reason.DAMAGED
    if isinstance(error, OSError) and error.errno in _ERRNO_REASONS:
        return _ERRNO_REASONS[error.errno]
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return _REASONS.get(code, Reason.UNREACHABLE)


def sentence_of(reason: Reason, translate: Translate) -> str:
    """What the user is told, with places for {file}, {rescued} and {aside}."""
    match reason:
        case Reason.FULL:
            return translate(
                "History", "The disk is full: conversations are only kept in memory until there is room on it."
            )
        case Reason.READ_ONLY:
            return translate(
                "History", "{file} cannot be written: conversations are only kept in memory until that is allowed."
            )
        case Reason.LOCKED:
            return translate(
                "History", "Another program holds {file}: conversations are only kept in memory until it lets go."
            )
        case Reason.NEWER:
            return translate(
                "History", "A newer Idlepool wrote {file}. Update this one: what is said until then is lost at its end."
            )
        case Reason.DAMAGED:
            return translate(
                "History",
                "The file of conversations was damaged. {rescued} messages could be read and are in a new one; "
                "the old one is kept as {aside}.",
            )
        case Reason.UNREACHABLE:
            return translate("History", "{file} cannot be opened: conversations are only kept in memory until it can.")
