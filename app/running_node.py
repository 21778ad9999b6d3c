"""A terminal's side of a node that runs already with this PC's data folder, see engine/pool/local_control.py."""

from __future__ import annotations

import contextlib
import hmac
import socket
from pathlib import Path
from types import TracebackType
from typing import Self

from idlepool.app.event_lines import EventLines
from idlepool.engine.errors import PoolError
from idlepool.engine.events import Command, Event, encode_line
from idlepool.engine.pool.control_file import (
    CHALLENGE_BYTES,
    PROOF_BYTES,
    ControlFile,
    new_challenge,
    read_control_file,
)
from idlepool.engine.pool.local_control import LOOPBACK

PATIENCE_S = 5.0
"""For a node that is busy; on loopback everything else is at once."""


class NodeGone(PoolError):
    """The node that was spoken to ended, or ended the talk."""

    def __init__(self) -> None:
        super().__init__("The Idlepool that runs here ended.", "Try it again.")


class RunningNode:
    """A connection to it, for as long as the `with` block lasts; the node goes on afterwards."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._events = EventLines(connection.makefile("rb"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # What was sent last is lost where a socket is closed that has something unread: the node closes first.
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
            self._events.wait_for_end(PATIENCE_S)
            self._connection.shutdown(socket.SHUT_RD)  # wakes the thread that reads
        self._connection.close()

    def send(self, command: Command) -> None:
        """Send a command; that the node is gone shows at the next event."""
        with contextlib.suppress(OSError):
            self._connection.sendall(encode_line(command))

    def next_event(self) -> Event:
        """Wait for the next event.

        Raises:
            NodeGone: there will be none.
        """
        event = self._events.next()
        if event is None:
            raise NodeGone
        return event


def running_node(root: Path) -> RunningNode | None:
    """The node that runs with this data folder; None: there is none, whatever a crashed one left in the folder."""
    connection = connect_to_node(root)
    return RunningNode(connection) if connection is not None else None


def connect_to_node(root: Path) -> socket.socket | None:
    """The same as a socket, over which lines go as through the pipe of a node with --control."""
    file = read_control_file(root)
    if file is None:
        return None
    try:
        connection = socket.create_connection((LOOPBACK, file.port), timeout=PATIENCE_S)
    except OSError:
        return None
    try:
        if _proved(connection, file):
            connection.settimeout(None)
            return connection
    except (OSError, EOFError):
        pass
    connection.close()
    return None


def _proved(connection: socket.socket, file: ControlFile) -> bool:
    """Whether it is the node that wrote the file: after a crash another program may listen on its port."""
    challenges = _read_exactly(connection, CHALLENGE_BYTES) + (own := new_challenge())
    connection.sendall(own + file.proof("client", challenges))
    return hmac.compare_digest(_read_exactly(connection, PROOF_BYTES), file.proof("node", challenges))


def _read_exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data
