"""Rows carried between databases of conversations: out of a damaged one, and back to a disk that was away."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from idlepool.ui.history.schema import TABLES, connect, connect_to_read

MOST_FAILURES: Final = 5_000
"""Of reads in a damaged file before the rest of a table is given up."""

_BESIDE: Final = ("", "-wal", "-shm")
"""What SQLite calls a database and the files beside it."""

# What hung on lost rows: a conversation for its messages, the message before for those below, the newest as the leaf.
_MEND: Final = (
    """INSERT INTO conversations (id, sequence, changed_ms, title)
      SELECT conversation, max(created_ms), max(created_ms), substr(text, 1, 60) FROM messages
      WHERE conversation NOT IN (SELECT id FROM conversations) GROUP BY conversation""",
    """UPDATE messages SET parent =
      (SELECT max(id) FROM messages AS m WHERE m.conversation = messages.conversation AND m.id < messages.id)
      WHERE parent NOT IN (SELECT id FROM messages)""",
    """UPDATE conversations SET leaf = (SELECT max(id) FROM messages WHERE conversation = conversations.id)
      WHERE leaf NOT IN (SELECT id FROM messages) OR leaf IS NULL""",
)


def rescue(path: Path) -> tuple[sqlite3.Connection, int]:
    """A database in memory with what can be read of a damaged file, and the number of its messages."""
    rescued = connect(None)
    rescued.execute("PRAGMA foreign_keys = OFF")
    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect_to_read(path, immutable=False)) as damaged:
        for table in TABLES:
            for rows, names in _readable(damaged, table):
                insert(rescued, table, names, rows)
    mend(rescued)
    return rescued, int(rescued.execute("SELECT count(*) FROM messages").fetchone()[0])


def set_aside(path: Path) -> Path:
    """Rename a damaged file and those beside it to a name that is free, and return that. Raises OSError."""
    number = 1
    while path.with_name(f"{path.name}.damaged-{number}").exists():
        number += 1
    aside = path.with_name(f"{path.name}.damaged-{number}")
    for ending in _BESIDE:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    return aside


def copy_whole(source: sqlite3.Connection) -> sqlite3.Connection:
    """A copy of a database in memory. Raises sqlite3.Error, NewerFile and StrangeFile."""
    source.execute("BEGIN")
    try:
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # a lock is an error here; backup would wait
        copied = sqlite3.connect(":memory:", isolation_level=None)
        source.backup(copied)
    finally:
        source.execute("ROLLBACK")
    return copied


def carry(memory: sqlite3.Connection, disk: sqlite3.Connection, *, everything: bool) -> None:
    """Write to disk what the memory's table of changes names. Raises sqlite3.Error."""
    for table in TABLES:
        named = f"SELECT id FROM temp.changed WHERE kind = '{table}'"
        chosen = "" if everything else f"WHERE id IN ({named})"
        rows = memory.execute(f"SELECT * FROM {table} {chosen} ORDER BY id")
        insert(disk, table, [column[0] for column in rows.description], rows)
        gone = memory.execute(f"{named} AND id NOT IN (SELECT id FROM {table})")
        disk.executemany(f"DELETE FROM {table} WHERE id = ?", gone)
    unknown = "conversation NOT IN (SELECT id FROM conversations)"  # the memory could not read them
    leaves = memory.execute(f"SELECT max(id), conversation FROM messages WHERE {unknown} GROUP BY conversation")
    disk.executemany("UPDATE conversations SET leaf = ? WHERE id = ?", leaves)
    mend(disk)


def mend(database: sqlite3.Connection) -> None:
    """Give messages whose conversation or parent is lost another one. Raises sqlite3.Error."""
    for statement in _MEND:
        database.execute(statement)


def insert(target: sqlite3.Connection, table: str, names: Iterable[str], rows: Iterable[tuple[object, ...]]) -> None:
    """Write rows over those of the same id. Raises sqlite3.Error."""
    columns = list(names)
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name != "id")
    marks = ", ".join("?" * len(columns))
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) ON CONFLICT (id) DO UPDATE SET {changes}"
    target.executemany(sql, rows)


def _readable(damaged: sqlite3.Connection, table: str) -> Iterator[tuple[list[tuple[object, ...]], list[str]]]:
    """The rows of a table, in ranges of ids: one that cannot be read is halved until only the bad rows are left out."""
    failures = 0
    ranges = [(0, 2**53)]
    while ranges and failures < MOST_FAILURES:
        first, last = ranges.pop()
        try:
            cursor = damaged.execute(f"SELECT * FROM {table} WHERE id BETWEEN ? AND ? ORDER BY id", (first, last))
            rows = cursor.fetchall()
        except sqlite3.DatabaseError:
            failures += 1
            middle = (first + last) // 2
            ranges += [(middle + 1, last), (first, middle)] if first < last else []
            continue
        yield rows, [column[0] for column in cursor.description]
