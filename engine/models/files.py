"""Writing and hashing files: what can go wrong with a disk becomes a StorageError, and nothing is left half-written."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from idlepool.engine.errors import StorageError

Progress = Callable[[str, int, int], None]
"""Called often with (step, bytes done, bytes in all; 0: unknown). Whatever it raises ends the work and undoes it."""

_BLOCK_BYTES = 1 << 20


def unseen(step: str, done: int, total: int) -> None:
    """The Progress of somebody who does not look."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Around all that only writes below `path`.

    Raises:
        StorageError: the disk is full, read-only or not ours.
    """
    try:
        yield
    except OSError as error:
        raise StorageError(str(path), error.strerror or str(error)) from error


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader, or the next start after a crash, sees all of it or what was there."""
    staged = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    with writing(path):
        try:
            with staged.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            staged.replace(path)
        except OSError:
            with suppress(OSError):
                staged.unlink()
            raise


def sha256_of(path: Path, *, on_bytes: Callable[[int], None] = lambda count: None) -> str:
    """Hexadecimal SHA-256 of a file; `on_bytes` is called with the count of each block read."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
            on_bytes(len(block))
    return digest.hexdigest()
