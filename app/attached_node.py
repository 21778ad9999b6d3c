"""`idlepool node --control --attach`: speaks for the node that runs with the data folder, or is it where none runs.

Lines are passed on as they come: from standard input to that node, and from it to standard output. It goes on when this
process ends; when it ends, so does this process, and whoever started it may start it again.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from idlepool.app.running_node import connect_to_node
from idlepool.engine.errors import PoolError, StorageError
from idlepool.engine.events import encode_line
from idlepool.engine.folders import default_root
from idlepool.engine.local_events import SpeaksForNode
from idlepool.engine.pool.folder_lock import AlreadyRunning, folder_lock
from idlepool.engine.pool.standard_streams import take_standard_output

log = logging.getLogger("idlepool.node")

STARTING_S: Final = 15.0
"""What a node that holds the folder gets until it listens; it has the engine to import."""
PAUSE_S: Final = 0.2
GOODBYE_S: Final = 5.0
BLOCK: Final = 1 << 16

NODE_ENDED: Final = 3
"""Exit code where the node ended first."""


def run(arguments: argparse.Namespace) -> int:
    """Run until standard input ends, or the node. Raises PoolError where nobody is there to speak to."""
    if not arguments.control:
        raise PoolError("--attach is for a window, and needs --control.", "Leave it out, or add --control.")
    root = (arguments.home or default_root()).absolute()
    deadline = time.monotonic() + STARTING_S
    while (connection := connect_to_node(root)) is None:
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(folder_lock(root))
            except (AlreadyRunning, StorageError) as error:
                if isinstance(error, StorageError) or time.monotonic() > deadline:
                    return _be_the_node(arguments, lock=folder_lock)  # which tells the window why it cannot be
                time.sleep(PAUSE_S)
            else:
                return _be_the_node(arguments, lock=_held_already)
    return Relay(connection).run()


def _held_already(_folder: Path) -> AbstractContextManager[None]:
    return contextlib.nullcontext()


def _be_the_node(arguments: argparse.Namespace, *, lock: Callable[[Path], AbstractContextManager[None]]) -> int:
    from idlepool.app import node_command  # brings the engine, which nobody needs who only passes lines on

    return node_command.run(arguments, lock=lock)


class Relay:
    """Passes lines on until one side has no more."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._out = take_standard_output()
        self._leaving = False

    def run(self) -> int:
        """Returns the exit code where the window goes first."""
        events = threading.Thread(target=self._pass_events, daemon=True)
        events.start()
        while data := os.read(0, BLOCK):
            with contextlib.suppress(OSError):  # that the node is gone is noticed where its events end
                self._connection.sendall(data)
        self._leaving = True
        with contextlib.suppress(OSError):  # what was sent last is lost where a socket is closed with something unread
            self._connection.shutdown(socket.SHUT_WR)
        events.join(GOODBYE_S)
        return 0

    def _pass_events(self) -> None:
        with contextlib.suppress(OSError):  # either side may be gone
            os.write(self._out, encode_line(SpeaksForNode()))
            while data := self._connection.recv(BLOCK):
                view = memoryview(data)
                while view:
                    view = view[os.write(self._out, view) :]
        if not self._leaving:
            log.warning("the Idlepool that ran here ended")
            os._exit(NODE_ENDED)  # the main thread waits for a line of the window that may never come
