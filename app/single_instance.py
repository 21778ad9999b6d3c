"""One window for each user and data folder: a second launch brings the first one's window to the front and ends.

Who is first is decided by a lock in the data folder, which goes with the process however it ends. The others reach it
through a local socket that only this user may open; its name follows from the folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PySide6.QtNetwork import QLocalServer, QLocalSocket

from idlepool.engine.errors import IdlepoolError, StorageError
from idlepool.engine.pool.folder_lock import AlreadyRunning, folder_lock

log = logging.getLogger("idlepool.instance")

LOCK: Final = "window.lock"
PATIENCE_S: Final = 5.0
"""For the first one, which may be starting at this moment."""
ANSWER_MS: Final = 3000
PAUSE_S: Final = 0.05
HEARD: Final = b"heard\n"
MOST_BYTES: Final = 4096
LONGEST_PATH: Final = 90
"""Bytes. Of a socket's path some systems take 104, and Qt makes it under a longer name first."""
TOKEN: Final = "XDG_ACTIVATION_TOKEN"
"""By which a Wayland compositor knows that the user wanted a window in front."""


class NotAnswering(IdlepoolError):
    """The first one runs and does not react."""

    def __init__(self) -> None:
        super().__init__(
            "Idlepool runs already, but does not answer.", "Wait a moment, or end it in the task manager and try again."
        )


class FirstInstance:
    """The one that runs; see OtherStarts of ui/application.py."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._server: QLocalServer | None = None
        self._on_start: Callable[[], None] = lambda: None

    def listen(self, on_start: Callable[[], None]) -> None:
        """Call `on_start` when the program is started again."""
        self._on_start = on_start
        self._server = QLocalServer()
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        QLocalServer.removeServer(self._name)  # left by one that crashed: the lock says that nobody else is there
        if not self._server.listen(self._name):
            log.warning("a second start will not find this one: %s", self._server.errorString())

    def close(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()

    def _on_connection(self) -> None:
        while self._server is not None and (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.readyRead.connect(lambda caller=caller: self._on_call(caller))
            if caller.canReadLine():
                self._on_call(caller)

    def _on_call(self, caller: QLocalSocket) -> None:
        if not caller.canReadLine() and caller.bytesAvailable() < MOST_BYTES:
            return
        token = bytes(caller.readLine(MOST_BYTES).data()).decode("ascii", "ignore").strip()
        if token and token.isprintable():
            os.environ[TOKEN] = token
        self._on_start()
        caller.write(HEARD)
        caller.disconnectFromServer()


@contextlib.contextmanager
def first_instance(folder: Path) -> Iterator[FirstInstance | None]:
    """Be the only one for as long as the block runs; None: another one is. A folder that cannot be written can have no
    lock, and so any number of windows: what they cannot do, the node says."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(folder_lock(folder, file=LOCK))
        except AlreadyRunning:
            yield None
            return
        except StorageError as error:
            log.warning("it cannot be known whether this is the only one: %s", error)
        yield FirstInstance(socket_name(folder))


def wake_first(folder: Path) -> None:
    """Have the one that runs show its window.

    Raises:
        NotAnswering: it does not react.
    """
    let_take_the_front()
    deadline = time.monotonic() + PATIENCE_S
    while not _call(socket_name(folder)):
        if time.monotonic() > deadline:
            raise NotAnswering
        time.sleep(PAUSE_S)


def socket_name(folder: Path) -> str:
    """Short, whatever the folder is called, and in a folder of this user where the system has one."""
    name = f"idlepool-{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
    if sys.platform == "win32":
        return name
    own = Path(os.environ.get("XDG_RUNTIME_DIR") or folder.resolve(), name)
    return str(own if len(os.fsencode(own)) <= LONGEST_PATH else Path(tempfile.gettempdir(), name))


def let_take_the_front() -> None:
    """Windows lets only the program that the user just started bring a window to the front, or whom that one allows."""
    if sys.platform == "win32":
        any_process = -1
        ctypes.windll.user32.AllowSetForegroundWindow(any_process)


def _call(name: str) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(ANSWER_MS):
        return False
    socket.write(os.environ.get(TOKEN, "").encode("ascii", "ignore")[: MOST_BYTES - 1] + b"\n")
    socket.flush()
    return socket.waitForReadyRead(ANSWER_MS) and bytes(socket.readAll().data()) == HEARD
