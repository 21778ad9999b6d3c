"""The node's end of the pipe to a window: lines in on standard input, lines out on standard output.

Threads do the waiting, on every system alike; the event loop is never blocked, not even by a window that does not read.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
from collections.abc import Callable

from idlepool.engine.pool.standard_streams import take_standard_output


class LinePipe:
    """Calls `on_line` on the running loop for each line that comes, `on_end` once when there will be no more.

    What libraries print goes to standard error, so that no stray line gets between two events.
    """

    def __init__(self, on_line: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_line = on_line
        self._on_end = on_end
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._out = take_standard_output()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, line: bytes) -> None:
        """Send a line, its newline included."""
        self._outgoing.put(line)

    def close(self, *, patience_s: float = 1.0) -> None:
        """Write what is left, if somebody reads it."""
        self._outgoing.put(None)
        self._writer.join(patience_s)

    def _read(self) -> None:
        """os.read and not sys.stdin: a lock held in this thread would abort the process when it ends."""
        pending = b""
        while data := os.read(0, 1 << 16):
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                self._call(self._on_line, line)
        self._call(self._on_end)

    def _write(self) -> None:
        with contextlib.suppress(OSError):  # the window is gone; the end of our input tells that as well
            while (line := self._outgoing.get()) is not None:
                data = memoryview(line)
                while data:
                    data = data[os.write(self._out, data) :]

    def _call(self, function: Callable[..., None], *arguments: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(function, *arguments)
