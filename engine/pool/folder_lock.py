"""One node for each data folder: two with one id would be taken for each other by everybody. And one window.

The lock belongs to the process and goes with it, however it ends; a file that is left behind means nothing.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from idlepool.engine.errors import PoolError, StorageError

FILE = "node.lock"


class AlreadyRunning(PoolError):
    """Another node uses the data folder."""

    def __init__(self, folder: Path, process: str) -> None:
        who = f" (process {process})" if process else ""
        super().__init__(f"Idlepool runs already with {folder}{who}.", "Use that one, or end it first.")


@contextmanager
def folder_lock(folder: Path, *, file: str = FILE) -> Iterator[None]:
    """Hold the folder for the block, by the lock in `file`.

    Raises:
        AlreadyRunning: another process holds it.
        StorageError: it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StorageError(str(folder), error.strerror or str(error)) from error
    try:
        if not _lock(lock):
            os.lseek(lock, 1, os.SEEK_SET)
            raise AlreadyRunning(folder, os.read(lock, 20).decode("ascii", "ignore"))
        with contextlib.suppress(OSError):  # on a full disk it holds as well, only nobody reads whose it is
            os.ftruncate(lock, 0)
            os.write(lock, f" {os.getpid()}".encode("ascii"))
        yield
    finally:
        os.close(lock)


def _lock(file: int) -> bool:
    """Lock the first byte only: on Windows a locked byte cannot be read by others, and the process id is for them."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, 0, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)
    except OSError:
        return False
    return True
