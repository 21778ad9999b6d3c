"""The database of conversations behind one interface: on disk, and in memory while the disk takes nothing.

In memory every changed row is noted; as soon as the file can be written again, those rows are carried there.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from idlepool.ui.history import copying
from idlepool.ui.history.schema import (
    TABLES,
    NewerFile,
    StrangeFile,
    connect,
    connect_to_read,
    prepare,
    transaction,
)
from idlepool.ui.history.trouble import Reason, Translate, reason_of, sentence_of

log = logging.getLogger("idlepool.history")

T = TypeVar("T")

RETRY_S: Final = 5.0
"""At most so often a change looks for the disk."""

NUMBERS_BEGIN_S: Final = 1_767_225_600
"""2026 began: before that there was no file."""

_FAILURES: Final = (sqlite3.Error, OSError, NewerFile, StrangeFile)

_NOTE_CHANGES: Final = (
    "CREATE TEMP TABLE changed (kind TEXT, id INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID;"
    + "".join(
        f"CREATE TEMP TRIGGER {kind}_{what} AFTER {what} ON {kind}"
        f" BEGIN INSERT OR IGNORE INTO changed VALUES ('{kind}', {row}.id); END;"
        for kind in TABLES
        for what, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old"))
    )
)


class Store:
    """Runs what reads and writes. `on_problem` is called with each sentence, and with an empty one when all is well."""

    def __init__(self, path: Path | None, *, on_problem: Callable[[str], object], translate: Translate) -> None:
        self.path = path
        self._translate = translate
        self.on_problem = on_problem
        self.reason: Reason | None = None
        self.problem = ""
        self._waiting = False
        self._last_try_s = time.monotonic()
        self._file: tuple[int, int] | None = None
        self._database = self._begin()

    def read(self, sql: str, *values: object) -> list[Any]:
        """All rows of a query."""
        return self.run(lambda database: database.execute(sql, values).fetchall())

    def change(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do all of `work`, or nothing. Raises LookupError where it refers to what is not there."""
        if self._waiting and time.monotonic() - self._last_try_s > RETRY_S:
            self.retry()
        elif self._moved():
            self._follow()

        def whole(database: sqlite3.Connection) -> T:
            with transaction(database):
                return work(database)

        try:
            return self.run(whole)
        except sqlite3.IntegrityError as error:
            raise LookupError("This conversation is not there any more.") from error

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work`; where the file fails, do it once more without the file."""
        while True:
            try:
                return work(self._database)
            except sqlite3.IntegrityError:
                raise
            except sqlite3.Error as error:
                if self._waiting or self.path is None:
                    raise  # memory does not fail: a statement is wrong
                self._leave(error)

    @property
    def waiting(self) -> int:
        """Number of changed rows that wait for the disk."""
        if not self._waiting:
            return 0
        return int(self._database.execute("SELECT count(*) FROM temp.changed").fetchone()[0])

    def retry(self) -> bool:
        """Look whether the file can be written again, and carry there what waits. Whether nothing waits any more."""
        if not self._waiting or self.path is None:
            return True
        self._last_try_s = time.monotonic()
        try:
            self._return_to(self.path)
        except _FAILURES as error:
            log.info("the conversations still wait for the disk: %s", reason_of(error))
            return False
        if self.reason:
            self._tell(None)
        return True

    def close(self) -> None:
        """Carry to disk what waits, if that is possible, and close the file."""
        self.retry()
        self._database.close()

    # --- leaving the file and returning to it -------------------------------------------------------------------------

    def _begin(self) -> sqlite3.Connection:
        if self.path is None:
            return connect(None)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            opened = connect(self.path)
        except _FAILURES as error:
            self._database = connect(None)
            self._leave(error)
            return self._database
        self._file = _identity(self.path)
        return opened

    def _leave(self, error: Exception) -> None:
        """Go on in memory with all that can be read; from a damaged file also back to a new one."""
        assert self.path is not None
        reason = reason_of(error)
        if reason == Reason.UNREACHABLE and self.path.parent.is_dir() and not os.access(self.path.parent, os.W_OK):
            reason = Reason.READ_ONLY
        log.warning("the conversations cannot be used: %s (%s)", reason, type(error).__name__)
        if reason == Reason.DAMAGED:
            self._replace_damaged(self.path)
            return
        self._go_on_with(self._copy(self.path))
        self._tell(reason, file=str(self.path))

    def _copy(self, path: Path) -> sqlite3.Connection:
        """In memory: what the open file holds, else what can be read of it, else nothing."""
        if self._file is not None:
            with contextlib.suppress(sqlite3.Error):
                return copying.copy_whole(self._database)
        for immutable in (False, True):
            with (
                contextlib.suppress(sqlite3.Error),
                contextlib.closing(connect_to_read(path, immutable=immutable)) as source,
            ):
                return copying.copy_whole(source)
        return _empty()

    def _go_on_with(self, memory: sqlite3.Connection) -> None:
        try:
            prepare(memory)
        except (NewerFile, StrangeFile):
            memory = _empty()
            prepare(memory)
        memory.execute("PRAGMA foreign_keys = OFF")  # a row may hang on one that only the disk has
        memory.executescript(_NOTE_CHANGES)
        with contextlib.suppress(sqlite3.Error):
            self._database.close()
        self._database, self._file, self._waiting = memory, None, True

    def _replace_damaged(self, path: Path) -> None:
        memory, rescued = copying.rescue(path)
        self._go_on_with(memory)
        try:
            aside = copying.set_aside(path)
            self._return_to(path)
        except _FAILURES as error:
            self._tell(reason_of(error), file=str(path))
            return
        self._tell(Reason.DAMAGED, rescued=rescued, aside=aside.name)

    def _return_to(self, path: Path) -> None:
        """Open the file and write there what changed; all of it into a new one. Raises one of _FAILURES."""
        fresh = not path.exists()
        memory = self._database
        disk = connect(path)
        try:
            disk.execute("PRAGMA foreign_keys = OFF")  # `carry` mends what hangs on nothing
            with transaction(disk):
                copying.carry(memory, disk, everything=fresh)
            disk.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            disk.close()
            raise
        memory.close()
        self._database, self._file, self._waiting = disk, _identity(path), False

    def _moved(self) -> bool:
        """The open file was deleted or replaced, which SQLite does not notice."""
        return self.path is not None and self._file is not None and _identity(self.path) != self._file

    def _follow(self) -> None:
        """The open file is still whole, but has lost its name: write all of it anew."""
        assert self.path is not None
        self._go_on_with(self._copy(self.path))
        if not self.retry():
            self._tell(Reason.UNREACHABLE, file=str(self.path))

    def _tell(self, reason: Reason | None, **details: object) -> None:
        self.reason = reason
        self.problem = sentence_of(reason, self._translate).format(**details) if reason else ""
        self.on_problem(self.problem)


def _identity(path: Path) -> tuple[int, int] | None:
    """By which a file is known even if another one takes its name."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _empty() -> sqlite3.Connection:
    """Nothing, in memory. Its numbers begin at the seconds of NUMBERS_BEGIN_S: beyond those of the file it stands for,
    which nobody fills with a message a second, and small enough for an int of Qt."""
    memory = connect(None)
    seconds = int(time.time()) - NUMBERS_BEGIN_S
    first = seconds if seconds > 0 else 2**30  # the clock is wrong
    for table in TABLES:
        memory.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, first))
    return memory
