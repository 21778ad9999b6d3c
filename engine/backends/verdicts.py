"""Verdicts of self-tests on disk, one file for each device, driver, version, backend and precision.

A driver can take the process down with it, or hang. So whatever it may not survive leaves a mark with its process's id
while it runs. A mark without a process is a trial that never ended: after two of them it is left alone for a day, or
until it is asked for; a PC that was switched off meanwhile looks the same. A trial that takes longer than it may ends
the process, since nothing else ends a call into a driver; one such mark is enough.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil

from idlepool.engine.backends.self_test import Verdict
from idlepool.engine.errors import PoolError, StorageError
from idlepool.engine.models.files import replace_file

log = logging.getLogger("idlepool.device")

MOST_UNFINISHED = 2
REMEMBERED_S = 24 * 3600.0
EXIT_CODE = 70
"""Of a process that ends because a driver hangs."""
_MARK = ".running"
_HUNG = ".hung"


class LeftAlone(PoolError):
    """A trial is not begun: it took processes down, or hung."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Something that a driver may not survive."""

    key: str
    """A file name."""
    where: str
    what: str
    """Device and form, and what is done there: for sentences."""
    limit_s: float
    """It may take that long."""
    hung_key: str
    """Names all that is left alone where it hangs: nothing with the same one is begun."""


class VerdictStore:
    """The verdicts in `folder`; several processes may use it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Verdict | None:
        """The verdict on `key`, a file name; None where the test is still to be run."""
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=Verdict)
        except (OSError, msgspec.DecodeError):
            return None

    def put(self, key: str, verdict: Verdict) -> None:
        """Keep a verdict; where that does not work the test is run again next time."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._path(key), msgspec.json.encode(verdict))
        except (OSError, StorageError) as error:
            log.warning("a verdict could not be kept: %s", error)

    def forget(self) -> None:
        """Let every test be run again."""
        for path in (*self._folder.glob("*.json"), *self._folder.glob(f"*{_HUNG}"), *self._unfinished("*")):
            with suppress(OSError):
                path.unlink()

    def abandon(self) -> None:
        """This process ends of its own will: its tests say nothing."""
        for mark in self._folder.glob(f"*.{os.getpid()}{_MARK}"):
            with suppress(OSError):
                mark.unlink()

    @contextmanager
    def running(self, trial: Trial) -> Iterator[None]:
        """Around a trial: its mark stays behind only if the process dies, or is ended because the trial hangs.

        Raises:
            LeftAlone: it is not begun.
        """
        self._check(trial)
        mark = self._folder / f"{trial.key}.{os.getpid()}{_MARK}"
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            mark.touch()
        clock = threading.Timer(trial.limit_s, self._give_up, (trial, mark))
        clock.daemon = True
        clock.start()
        try:
            yield
        finally:
            clock.cancel()
            with suppress(OSError):
                mark.unlink()

    def _check(self, trial: Trial) -> None:
        if self._fresh(f"{trial.hung_key}.*{_HUNG}"):
            raise LeftAlone(f"{trial.what} did not end within {trial.limit_s:.0f} s the last time")
        unfinished = len(self._unfinished(trial.key))
        if unfinished >= MOST_UNFINISHED:
            raise LeftAlone(f"{trial.what} was begun {unfinished} times and took the process down each time")

    def _give_up(self, trial: Trial, mark: Path) -> None:
        """End this process, whose other thread is inside the driver and does not come back."""
        log.error(
            "%s: %s did not end within %.0f s. This process ends; the next one leaves it alone.",
            *(trial.where, trial.what, trial.limit_s),
        )
        with suppress(OSError):
            mark.replace(self._folder / f"{trial.hung_key}.{os.getpid()}{_HUNG}")
        os._exit(EXIT_CODE)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _unfinished(self, key: str) -> list[Path]:
        """Marks of processes that are gone."""
        return [mark for mark in self._fresh(f"{key}.*{_MARK}") if not psutil.pid_exists(int(mark.name.split(".")[-2]))]

    def _fresh(self, pattern: str) -> list[Path]:
        """The marks of the last day; older ones are removed."""
        marks = []
        for mark in self._folder.glob(pattern):
            with suppress(OSError):  # removed by its own process meanwhile
                if time.time() - mark.stat().st_mtime > REMEMBERED_S:
                    mark.unlink()
                else:
                    marks.append(mark)
        return marks
