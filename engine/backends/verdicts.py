"""Verdicts of self-tests on disk, one file for each device, driver, version, backend and precision.

A driver can take the process down with it. So a test that runs leaves a mark with its process's id; a mark without a
process is a test that never ended. After two of them the device is left alone for a day, or until it is asked for:
a PC that was switched off in the middle of a test looks the same.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import psutil

from idlepool.engine.backends.self_test import Verdict
from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file

log = logging.getLogger("idlepool.device")

MOST_UNFINISHED = 2
REMEMBERED_S = 24 * 3600.0
_MARK = ".running"


class VerdictStore:
    """The verdicts in `folder`; several processes may use it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Verdict | None:
        """The verdict on `key`, a file name; None where the test is still to be run."""
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=Verdict)
        except (OSError, msgspec.DecodeError):
            pass
        unfinished = len(self._unfinished(key))
        if unfinished < MOST_UNFINISHED:
            return None
        return Verdict(False, f"its self-test was begun {unfinished} times and took the process down each time")

    def put(self, key: str, verdict: Verdict) -> None:
        """Keep a verdict; where that does not work the test is run again next time."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._path(key), msgspec.json.encode(verdict))
        except (OSError, StorageError) as error:
            log.warning("a verdict could not be kept: %s", error)

    def forget(self) -> None:
        """Let every test be run again."""
        for path in (*self._folder.glob("*.json"), *self._unfinished("*")):
            with suppress(OSError):
                path.unlink()

    def abandon(self) -> None:
        """This process ends of its own will: its tests say nothing."""
        for mark in self._folder.glob(f"*.{os.getpid()}{_MARK}"):
            with suppress(OSError):
                mark.unlink()

    @contextmanager
    def running(self, key: str) -> Iterator[None]:
        """Around a test: its mark stays behind only if the process dies."""
        mark = self._folder / f"{key}.{os.getpid()}{_MARK}"
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            mark.touch()
        try:
            yield
        finally:
            with suppress(OSError):
                mark.unlink()

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _unfinished(self, key: str) -> list[Path]:
        """Marks of processes that are gone; old ones are removed."""
        marks = []
        for mark in self._folder.glob(f"{key}.*{_MARK}"):
            with suppress(OSError):  # removed by its own process meanwhile
                if time.time() - mark.stat().st_mtime > REMEMBERED_S:
                    mark.unlink()
                elif not psutil.pid_exists(int(mark.name.split(".")[-2])):
                    marks.append(mark)
        return marks
