"""A thread that plays services on a real message bus: what they answer is a table, and they can signal."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    MessageType,
    message_bus,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import open_dbus_connection

Answer = tuple[str, tuple[Any, ...]]


class PlayedServices:
    """Owns `names`; `answers` maps a method, by its name, to what its arguments get: (signature, values)."""

    def __init__(self, names: list[str], answers: dict[str, Callable[..., Answer]]) -> None:
        self._answers = answers
        self._connection = open_dbus_connection("SESSION", enable_fds=True)
        for name in names:
            self._connection.send_and_get_reply(message_bus.RequestName(name))
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def signal(self, path: str, interface: str, name: str, value: bool) -> None:
        self._connection.send(new_signal(DBusAddress(path, interface=interface), name, "b", (value,)))

    def close(self) -> None:
        self._stopped.set()
        self._thread.join()
        self._connection.close()

    def _serve(self) -> None:
        while not self._stopped.is_set():
            try:
                call = self._connection.receive(timeout=0.05)
            except TimeoutError:
                continue
            if call.header.message_type is not MessageType.method_call:
                continue
            answer = self._answers.get(call.header.fields[HeaderFields.member])
            if answer is None:
                self._connection.send(new_error(call, "org.freedesktop.DBus.Error.UnknownMethod"))
            else:
                self._connection.send(new_method_return(call, *answer(*call.body)))
