"""Idle time of a Wayland compositor that speaks ext-idle-notify-v1: KDE, Sway, Hyprland, COSMIC and others.

The compositor tells when nobody has touched anything for NOTICED_MS, and when somebody does again. That takes six
messages of the wire protocol (wayland.freedesktop.org, "Wayland Wire Format"), and no library for them: whatever came
since is read when the time is asked for. A film that keeps the screen on counts as somebody who is there.
"""

from __future__ import annotations

import logging
import socket
import struct
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

log = logging.getLogger("idlepool.machine")

NOTICED_MS = 1000
TIMEOUT_S = 1.0

_DISPLAY, _REGISTRY, _SYNC, _SEAT, _NOTIFIER, _NOTIFICATION = range(1, 7)
"""Our names for the objects; the first is given."""

_HEADER = struct.Struct("=II")
"""Object; bytes in all, in the upper half of a word, and operation. In the machine's byte order."""


class ExtIdleNotify:
    """See IdleSource."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._watch: _Watch | None = None

    def seconds(self) -> float | None:
        """None: no compositor, or one that does not tell."""
        try:
            if self._watch is None:
                self._watch = _Watch(_socket_path(self._environment))
            return self._watch.seconds()
        except (OSError, KeyError, struct.error) as error:
            log.info("the compositor does not tell the idle time: %s", error)
            self._watch = None
            return None


def _socket_path(environment: Mapping[str, str]) -> Path:
    return Path(environment["XDG_RUNTIME_DIR"]) / environment.get("WAYLAND_DISPLAY", "wayland-0")


def _connected(path: Path) -> socket.socket:
    if sys.platform == "win32":
        raise OSError("there are no such sockets on Windows")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(TIMEOUT_S)
    connection.connect(str(path))
    return connection


class _Watch:
    """A connection on which the compositor was asked to tell.

    Raises:
        OSError: nobody is there, or goes away.
        KeyError: it does not know how to tell.
    """

    def __init__(self, path: Path) -> None:
        self._socket = _connected(path)
        self._unread = b""
        self._idle_since: float | None = None
        self._begin()
        self._socket.setblocking(False)

    def seconds(self) -> float:
        for sender, operation, _ in self._arrived():
            if sender == _DISPLAY and operation == 0:
                raise OSError("the compositor found an error in what it was told")
            if sender == _NOTIFICATION:
                self._idle_since = time.monotonic() - NOTICED_MS / 1000 if operation == 0 else None
        return 0.0 if self._idle_since is None else time.monotonic() - self._idle_since

    def _begin(self) -> None:
        self._send(_DISPLAY, 1, _REGISTRY)
        self._send(_DISPLAY, 0, _SYNC)
        offered: dict[str, int] = {}
        while True:
            for sender, operation, body in self._arrived():
                if sender == _REGISTRY and operation == 0:
                    name, length = struct.unpack_from("=II", body)
                    offered.setdefault(body[8 : 8 + length - 1].decode(), name)
                elif sender == _SYNC:
                    self._bind(offered, "wl_seat", _SEAT)
                    self._bind(offered, "ext_idle_notifier_v1", _NOTIFIER)
                    self._send(_NOTIFIER, 1, _NOTIFICATION, NOTICED_MS, _SEAT)
                    return

    def _bind(self, offered: Mapping[str, int], interface: str, new_object: int) -> None:
        text = interface.encode() + b"\0"
        padded = struct.pack("=I", len(text)) + text.ljust(-(-len(text) // 4) * 4, b"\0")
        self._send(_REGISTRY, 0, offered[interface], padded, 1, new_object)

    def _send(self, receiver: int, operation: int, *arguments: int | bytes) -> None:
        body = b"".join(each if isinstance(each, bytes) else struct.pack("=I", each) for each in arguments)
        self._socket.sendall(_HEADER.pack(receiver, (_HEADER.size + len(body)) << 16 | operation) + body)

    def _arrived(self) -> Iterator[tuple[int, int, bytes]]:
        """The events that are there: who sends, which, and its arguments. Waits only while the connection is made."""
        try:
            while data := self._socket.recv(4096):
                self._unread += data
                yield from self._complete()
                if self._socket.gettimeout():
                    return
        except BlockingIOError:
            return
        raise ConnectionResetError("the compositor is gone")

    def _complete(self) -> Iterator[tuple[int, int, bytes]]:
        while len(self._unread) >= _HEADER.size:
            sender, word = _HEADER.unpack_from(self._unread)
            size = max(word >> 16, _HEADER.size)
            if len(self._unread) < size:
                return
            body, self._unread = self._unread[_HEADER.size : size], self._unread[size:]
            yield sender, word & 0xFFFF, body
