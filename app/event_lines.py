"""The events of a node as a terminal reads them: lines come in a thread of their own, and are waited for one by one."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Iterable
from typing import Protocol, TypeVar

import msgspec

from idlepool.engine.events import Command, Event, decode_event

log = logging.getLogger("idlepool.node")

Kind = TypeVar("Kind", bound=Event)


class Speaker(Protocol):
    """A node that is spoken to, one of this command's own or one that runs anyway."""

    def send(self, command: Command) -> None:
        """Send a command; that the node is gone shows at the next event."""

    def next_event(self) -> Event:
        """Wait for the next event. Raises PoolError where there will be none."""


def next_of(speaker: Speaker, kind: type[Kind]) -> Kind:
    """Wait for the next event of this kind. Raises as Speaker.next_event does."""
    while not isinstance(event := speaker.next_event(), kind):
        pass
    return event


class EventLines:
    """The events in `lines`, until they end; what is no event is passed over."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def next(self) -> Event | None:
        """Wait for the next; None: there will be none."""
        while True:
            with contextlib.suppress(queue.Empty):
                return self._events.get(timeout=0.2)  # on Windows an endless wait is deaf to Ctrl+C

    def wait_for_end(self, seconds: float) -> None:
        """Wait until there will be no more, at most so long."""
        self._reader.join(seconds)

    def _read(self) -> None:
        try:
            with contextlib.suppress(OSError, ValueError):  # whoever reads has closed it
                for line in self._lines:
                    self._take(line)
        finally:
            self._events.put(None)

    def _take(self, line: bytes) -> None:
        try:
            self._events.put(decode_event(line))
        except msgspec.DecodeError:
            log.warning("the node said something that is no event")
