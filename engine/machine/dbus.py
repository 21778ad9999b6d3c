"""Questions over D-Bus, on Linux: to the desktop on the session's bus, to the system's services on the other one."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from jeepney.io.blocking import DBusConnection

log = logging.getLogger("idlepool.machine")

TIMEOUT_S = 1.0
RETRY_S = 5.0

_NO_AUTO_START = 2
"""A service that does not run is not started for us (D-Bus Specification, header flags)."""


class Bus:
    """A bus, reached when it is first asked. Any thread may ask, and waits up to TIMEOUT_S."""

    def __init__(self, which: Literal["SESSION", "SYSTEM"]) -> None:
        self._which = which
        self._lock = threading.Lock()
        self._connection: DBusConnection | None = None
        self._not_before = 0.0

    def ask(self, service: str, path: str, method: str, *arguments: object, signature: str = "") -> object:
        """The first value of a reply; None where nobody answers. `method` is one with its interface before it."""
        from jeepney import DBusAddress, MessageType, new_method_call

        interface, _, name = method.rpartition(".")
        address = DBusAddress(path, bus_name=service, interface=interface)
        message = new_method_call(address, name, signature or None, arguments)
        message.header.flags |= _NO_AUTO_START
        with self._lock:
            try:
                reply = self._reach().send_and_get_reply(message, timeout=TIMEOUT_S)
            except (OSError, KeyError, ValueError) as error:
                self._give_up(error)
                return None
        if reply.header.message_type is MessageType.error or not reply.body:
            return None
        first: object = reply.body[0]
        return first

    def property(self, service: str, path: str, name: str) -> object:
        """A property, named with its interface; None where nobody tells it."""
        interface, _, key = name.rpartition(".")
        method = "org.freedesktop.DBus.Properties.Get"
        value = self.ask(service, path, method, interface, key, signature="ss")
        return value[1] if isinstance(value, tuple) else None  # (signature, value)

    def close(self) -> None:
        """Let go; the next question connects anew."""
        with self._lock:
            self._drop()

    def _reach(self) -> DBusConnection:
        if self._connection is None:
            if time.monotonic() < self._not_before:
                raise ConnectionError("nobody answered a moment ago")
            self._connection = connected(self._which)
        return self._connection

    def _give_up(self, error: Exception) -> None:
        if time.monotonic() >= self._not_before:
            log.info("the %s bus does not answer: %s", self._which.lower(), error)
            self._not_before = time.monotonic() + RETRY_S
        self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def connected(which: Literal["SESSION", "SYSTEM"]) -> DBusConnection:
    """A connection of one's own, over which file descriptors may come.

    Raises:
        OSError, KeyError, ValueError: there is no such bus, or it lets nobody in.
    """
    from jeepney.io.blocking import open_dbus_connection

    return open_dbus_connection(which, enable_fds=True)
