"""Bytes of the network that a process asks for before it takes them, so that one limit holds for all that is fetched.

A child that fetches writes how many it wants as a line to its parent, and waits for an empty line in return. The parent
may be such a child itself: the one that knows the limit answers in the end.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

Take = Callable[[int], None]
"""Returns when so many bytes may come; called in the thread that fetches."""

PIECE_BYTES = 256 << 10
"""Asked for at once: so many that asking costs nothing, so few that a slow line moves several times a second."""


def unlimited(count: int) -> None:
    """The Take of somebody who has the network for himself."""


class Allowance:
    """In a child. `ask` writes a line to its parent."""

    def __init__(self, ask: Callable[[bytes], object]) -> None:
        self._ask = ask
        self._turn = threading.Lock()
        self._granted = threading.Semaphore(0)
        self._left = 0

    def take(self, count: int) -> None:
        """See Take."""
        with self._turn:
            self._left -= count
            while self._left < 0:
                self._ask(b"%d\n" % PIECE_BYTES)
                self._granted.acquire()
                self._left += PIECE_BYTES

    def hear(self, answers: bytes) -> None:
        """What came from the parent, in another thread than the one that waits."""
        for _ in range(answers.count(b"\n")):
            self._granted.release()


def asked_for(line: bytes) -> int:
    """Bytes that a line of a child asks for; 0: it says something else."""
    word = line.strip()
    return int(word) if word.isdigit() and len(word) < 12 else 0


def limit_sockets(take: Take) -> None:
    """Let everything that this process reads from the network as a file wait for `take`, as HTTP answers are read.

    For programs that know no limit themselves, pip above all: it uses the standard library's http.client.
    """
    read = socket.SocketIO.readinto

    def read_allowed(stream: socket.SocketIO, buffer: bytearray) -> int | None:
        count = read(stream, buffer)
        take(count or 0)
        return count

    socket.SocketIO.readinto = read_allowed  # type: ignore[method-assign, assignment]
