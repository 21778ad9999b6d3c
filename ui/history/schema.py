"""The tables of `conversations.db`, and how an older file becomes one of this version."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from idlepool.ui.history.words import searchable

APPLICATION_ID: Final = 0x1D1E9001

BUSY_S: Final = 0.25
"""How long another program may hold the file: the window waits for it."""

TABLES: Final = ("conversations", "messages", "presets")
"""Parents before children."""

# `sequence` orders, whatever the clock does: it only grows. `changed_ms` is what is shown. Large columns are
# last: SQLite reads a row from its beginning. The index has its own copy of the words: a row leaves it by its id alone.
# (INSERT OR REPLACE would not do: in a trigger the conflict clause of the outer statement holds.)
_FIRST: Final = """
CREATE TABLE conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sequence INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  pinned INTEGER NOT NULL DEFAULT 0,
  deleted INTEGER NOT NULL DEFAULT 0,
  named INTEGER NOT NULL DEFAULT 0,
  leaf INTEGER,
  model TEXT NOT NULL DEFAULT '',
  title TEXT NOT NULL DEFAULT '',
  settings TEXT NOT NULL DEFAULT '{}',
  draft TEXT NOT NULL DEFAULT ''
);
CREATE INDEX conversations_in_order ON conversations (deleted, pinned, sequence);
CREATE INDEX conversations_by_sequence ON conversations (sequence);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  parent INTEGER REFERENCES messages ON DELETE CASCADE,
  created_ms INTEGER NOT NULL,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  model TEXT NOT NULL,
  detail TEXT NOT NULL,
  figures TEXT,
  text TEXT NOT NULL
);
CREATE INDEX messages_below ON messages (parent);
CREATE INDEX messages_of ON messages (conversation, parent);
CREATE TABLE presets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, settings TEXT NOT NULL);

CREATE VIRTUAL TABLE search USING fts5(text, tokenize = "unicode61 remove_diacritics 2", prefix = '1 2');
CREATE TRIGGER message_came AFTER INSERT ON messages BEGIN
  INSERT INTO search (rowid, text) VALUES (new.id, searchable(new.text));
END;
CREATE TRIGGER message_changed AFTER UPDATE OF text ON messages WHEN new.text <> old.text BEGIN
  DELETE FROM search WHERE rowid = old.id;
  INSERT INTO search (rowid, text) VALUES (new.id, searchable(new.text));
END;
CREATE TRIGGER message_went AFTER DELETE ON messages BEGIN
  DELETE FROM search WHERE rowid = old.id;
END;
CREATE VIRTUAL TABLE title_search USING fts5(text, tokenize = "unicode61 remove_diacritics 2");
CREATE TRIGGER title_came AFTER INSERT ON conversations BEGIN
  INSERT INTO title_search (rowid, text) VALUES (new.id, searchable(new.title));
END;
CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversations WHEN new.title <> old.title BEGIN
  DELETE FROM title_search WHERE rowid = old.id;
  INSERT INTO title_search (rowid, text) VALUES (new.id, searchable(new.title));
END;
CREATE TRIGGER title_went AFTER DELETE ON conversations BEGIN
  DELETE FROM title_search WHERE rowid = old.id;
END;
"""

MIGRATIONS: Final = (_FIRST,)
"""Each takes the file one version further; what was released is never edited."""


class NewerFile(Exception):
    """A later version of Idlepool wrote the file."""


class StrangeFile(Exception):
    """It is a database, but not of conversations."""


def connect(path: Path | None) -> sqlite3.Connection:
    """Open a file of conversations, or one in memory, and bring it to this version.

    Raises OSError, sqlite3.Error, NewerFile and StrangeFile.
    """
    if path is not None and not path.exists():
        path.touch(mode=0o600)  # other users of this PC may not read it; what SQLite puts beside it follows
    database = sqlite3.connect(path or ":memory:", timeout=BUSY_S, isolation_level=None)
    try:
        prepare(database)
    except BaseException:
        database.close()
        raise
    return database


def connect_to_read(path: Path, *, immutable: bool) -> sqlite3.Connection:
    """Open a file as it is; `immutable` also where the folder takes no files beside it. Raises sqlite3.Error."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable={int(immutable)}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All that is written inside, or nothing of it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # some errors end it themselves
            database.execute("ROLLBACK")
        raise


def prepare(database: sqlite3.Connection) -> None:
    """Bring a database to this version. Raises sqlite3.Error, NewerFile and StrangeFile."""
    database.create_function("searchable", 1, searchable, deterministic=True)
    database.execute("PRAGMA trusted_schema = ON")  # some builds of SQLite let triggers call no such function
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA secure_delete = ON")  # what was deleted is not left in the file
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise NewerFile
    if version == 0 and database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise StrangeFile
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    for number in range(version, len(MIGRATIONS)):
        script = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number + 1};"
        try:
            database.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[number]} {script} COMMIT;")
        except sqlite3.Error:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise
