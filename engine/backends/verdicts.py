"""Verdicts of self-tests on disk, one file for each device, driver, version, backend and precision.

A driver can take the process down with it. So a test that runs leaves a mark with its process's id; a mark without a
process is a test that never ended, and after two of them the device is not tried again until it is asked for.
"""

from __future__ import annotations

import logging
import os
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

    def forget(self, key: str) -> None:
        """Let the test be run again."""
        for path in (self._path(key), *self._unfinished(key)):
            with suppress(OSError):
                path.unlink()

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
        """Marks of processes that are gone."""
        marks = self._folder.glob(f"{key}.*{_MARK}")
        return [mark for mark in marks if not psutil.pid_exists(int(mark.name.split(".")[-2]))]
