"""Erases conversations for good: at once from the tables, and little by little from the index of their words.

FTS5 only notes that a row is gone; its words leave the file when the parts of the index are merged (SQLite's
documentation of FTS5, "The 'merge' Command"). Doing that at once takes seconds where much was said.
"""

from __future__ import annotations

import sqlite3
from typing import Final

INDEXES: Final = ("search", "title_search")

PAGES: Final = 8
"""Of the index, about 4 kB each, that one call of `tidy` merges. It costs some 2 ms a page, so that no frame is missed
that somebody would see."""

_MARK: Final = 0
"""No message has this number: a row of the index that has it says that erased words are in there."""


def purge(database: sqlite3.Connection, listed: str) -> None:
    """Erase all conversations but those for which the condition `listed` holds."""
    unlisted = f"SELECT id FROM conversations WHERE NOT ({listed})"
    erased = database.execute(f"DELETE FROM messages WHERE conversation IN ({unlisted})").rowcount
    database.execute(f"DELETE FROM conversations WHERE id IN ({unlisted})")
    if erased and not _marked(database):
        database.execute("INSERT INTO search (rowid, text) VALUES (?, '')", (_MARK,))


def tidy(database: sqlite3.Connection, *, again: bool) -> bool:
    """Merge a little of the indexes, where erased words are in there; whether there is more to do.

    `again`: it is not the first call since the last purge.
    """
    if not _marked(database):
        return False
    worked = [_merge(database, index, PAGES if again else -PAGES) for index in INDEXES]
    if any(worked):
        return True
    database.execute("DELETE FROM search WHERE rowid = ?", (_MARK,))
    return False


def _marked(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM search WHERE rowid = ?", (_MARK,)).fetchone() is not None


def _merge(database: sqlite3.Connection, index: str, pages: int) -> bool:
    """Whether that did anything: then it changes at least two rows. A negative number begins with all of the index."""
    before = database.total_changes
    database.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (pages,))
    return database.total_changes - before >= 2
