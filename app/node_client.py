"""A terminal's side of a node process: starts it, sends commands, waits for events; the window has ui/bridge.py."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from idlepool.app.event_lines import EventLines
from idlepool.engine.errors import PoolError
from idlepool.engine.events import Command, Event, encode_line
from idlepool.engine.pool.child_process import isolation

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
        assert self._process.stdout is not None
        self._events = EventLines(self._process.stdout)

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
        event = self._events.next()
        if event is None:
            raise NodeEnded(self._process.wait())
        return event


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
