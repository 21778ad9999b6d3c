"""A terminal's side of a node process: starts it, sends commands, waits for events; the window has ui/bridge.py."""

from __future__ import annotations

import contextlib
import logging
import queue
import subprocess
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import msgspec

from idlepool.engine.errors import PoolError
from idlepool.engine.events import Command, Event, decode_event, encode_line
from idlepool.engine.pool.child_process import isolation

log = logging.getLogger("idlepool.node")

END_S = 5.0
"""What a node gets to say goodbye before it is killed."""


class NodeEnded(PoolError):
    """The node process ended although nobody asked it to."""

    def __init__(self, code: int) -> None:
        super().__init__(f"The node process ended (exit code {code}).", "What it said before stands above.")


class NodeClient:
    """A node process for as long as the `with` block lasts."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, **isolation())
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end_process(self._process)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def send(self, command: Command) -> None:
        """Send a command; that the node is gone shows at the next event."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(encode_line(command))
            self._process.stdin.flush()

    def next_event(self) -> Event:
        """Wait for the next event.

        Raises:
            NodeEnded: there will be none.
        """
        while True:
            try:
                event = self._events.get(timeout=0.2)  # on Windows an endless wait is deaf to Ctrl+C
                break
            except queue.Empty:
                continue
        if event is None:
            raise NodeEnded(self._process.wait())
        return event

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                try:
                    self._events.put(decode_event(line))
                except msgspec.DecodeError:
                    log.warning("the node said something that is no event")
        finally:
            self._events.put(None)


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a child in order: close its input, wait, and kill it if it stays."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
