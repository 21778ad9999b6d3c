"""A thread that plays a Wayland compositor with ext-idle-notify-v1: it speaks the wire protocol over a real socket."""

from __future__ import annotations

import socket
import struct
import threading
from pathlib import Path

GLOBALS = ("wl_compositor", "wl_seat", "ext_idle_notifier_v1")


class PlayedCompositor:
    """Listens at `folder / name`. `told` are the requests: (object, operation, arguments)."""

    def __init__(self, folder: Path, *, offered: tuple[str, ...] = GLOBALS, name: str = "wayland-7") -> None:
        self.environment = {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": name}
        self.told: list[tuple[int, int, bytes]] = []
        self.asked_ms = 0
        self._offered = offered
        self._notification = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / name))
        self._listener.listen()
        self._client: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def idled(self) -> None:
        self._event(self._notification, 0)

    def resumed(self) -> None:
        self._event(self._notification, 1)

    def close(self) -> None:
        for each in (self._listener, self._client):
            if each is not None:
                each.close()

    def _event(self, sender: int, operation: int, body: bytes = b"", *, in_pieces: bool = False) -> None:
        assert self._client is not None
        data = struct.pack("=II", sender, (8 + len(body)) << 16 | operation) + body
        for piece in (data[:5], data[5:]) if in_pieces else (data,):
            self._client.sendall(piece)

    def _serve(self) -> None:
        try:
            self._client, _ = self._listener.accept()
            while len(header := self._client.recv(8, socket.MSG_WAITALL)) == 8:
                receiver, word = struct.unpack("=II", header)
                size = (word >> 16) - 8
                body = self._client.recv(size, socket.MSG_WAITALL) if size else b""
                self.told.append((receiver, word & 0xFFFF, body))
                self._take(receiver, word & 0xFFFF, body)
        except OSError:
            return  # closed

    def _take(self, receiver: int, operation: int, body: bytes) -> None:
        if (receiver, operation) == (1, 1):  # get_registry
            (registry,) = struct.unpack("=I", body)
            for name, interface in enumerate(self._offered, start=40):
                text = interface.encode() + b"\0"
                padded = struct.pack("=I", len(text)) + text.ljust(-(-len(text) // 4) * 4, b"\0")
                event = struct.pack("=I", name) + padded + struct.pack("=I", 2)
                self._event(registry, 0, event, in_pieces=name == 41)
        elif (receiver, operation) == (1, 0):  # sync
            (callback,) = struct.unpack("=I", body)
            self._event(callback, 0, struct.pack("=I", 0))
        elif len(body) == 12 and operation == 1:  # get_idle_notification
            self._notification, self.asked_ms, _ = struct.unpack("=III", body)
