"""Folders in which a model is made before it appears in the store: a crash leaves one of these and nothing else."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from idlepool.engine.models.files import writing

_NAME = re.compile(r"\.(?:adding|removing)-(\d+)-[0-9a-f]+")
_RENAME_WAITS = (0.1, 0.3, 0.6, 1.0) if sys.platform == "win32" else ()


@contextmanager
def staging_folder(root: Path) -> Iterator[Path]:
    """A new folder in `root`, removed at the end unless it was renamed; what dead processes left is removed first.

    Raises:
        StorageError: it cannot be made.
    """
    with writing(root):
        root.mkdir(parents=True, exist_ok=True)
        sweep(root)
        folder = root / _new_name("adding")
        folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def discard(folder: Path) -> None:
    """Remove a folder so that it is gone at once: renamed first, to a name that `sweep` knows.

    Raises:
        OSError: it is in use (Windows) or read-only; it is still there.
    """
    aside = folder.with_name(_new_name("removing"))
    rename_folder(folder, aside)
    shutil.rmtree(aside, ignore_errors=True)


def rename_folder(folder: Path, target: Path) -> None:
    """Rename, patiently: on Windows a virus scanner or a mapping just closed holds a file in it for a moment."""
    for wait_seconds in _RENAME_WAITS:
        try:
            folder.replace(target)
        except PermissionError:
            time.sleep(wait_seconds)
        else:
            return
    folder.replace(target)


def sweep(root: Path) -> None:
    """Remove the staging folders in `root` whose process no longer lives."""
    for folder in root.iterdir():
        match = _NAME.fullmatch(folder.name)
        if match and not _lives(int(match[1]), folder):
            shutil.rmtree(folder, ignore_errors=True)


def _new_name(kind: str) -> str:
    return f".{kind}-{os.getpid()}-{secrets.token_hex(4)}"


def _lives(pid: int, folder: Path) -> bool:
    """Whether the process that made `folder` runs; a later one that got the same number does not count."""
    try:
        started: float = psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
    clock_error = 2.0  # seconds: file systems and boot clocks round differently
    return started <= folder.stat().st_ctime + clock_error
