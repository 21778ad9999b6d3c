"""Sleep and shut-down on Linux: logind's signals, and its delay lock, for which it waits before it goes on."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
from typing import TYPE_CHECKING

from idlepool.engine.machine.awake import inhibited
from idlepool.engine.machine.dbus import RETRY_S, TIMEOUT_S, Bus, connected
from idlepool.engine.machine.leaving import OnLeaving

if TYPE_CHECKING:
    from jeepney.io.blocking import DBusConnection

log = logging.getLogger("idlepool.machine")

_SIGNALS = ("PrepareForSleep", "PrepareForShutdown")
"""Each with True before it, and with False when it is over, or did not come about (org.freedesktop.login1(5))."""


class LogindSignals:
    """See LeavingNotices."""

    def __init__(self, on_leaving: OnLeaving) -> None:
        self._on_leaving = on_leaving
        self._system = Bus("SYSTEM")
        self._connection: DBusConnection | None = None
        self._lock: int | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="logind", daemon=True)

    def start(self) -> None:
        """See LeavingNotices."""
        self._thread.start()

    def stop(self) -> None:
        """See LeavingNotices."""
        self._stopped.set()
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads
        self._thread.join()

    def _watch(self) -> None:
        while not self._stopped.is_set():
            try:
                with connected("SYSTEM") as self._connection:
                    self._listen(self._connection)
            except (OSError, KeyError, ValueError) as error:
                log.info("logind does not tell when the PC goes to sleep: %s", error)
            finally:
                self._connection = None
                self._let_go()
            self._stopped.wait(RETRY_S)
        self._system.close()

    def _listen(self, connection: DBusConnection) -> None:
        from jeepney import HeaderFields, MatchRule, message_bus

        for name in _SIGNALS:
            rule = MatchRule(
                type="signal",
                sender="org.freedesktop.login1",
                path="/org/freedesktop/login1",
                interface="org.freedesktop.login1.Manager",
                member=name,
            )
            connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=TIMEOUT_S)
        self._hold_up()
        while not self._stopped.is_set():
            with contextlib.suppress(TimeoutError):
                signal = connection.receive(timeout=TIMEOUT_S)
                if signal.header.fields.get(HeaderFields.member) in _SIGNALS:
                    self._take(leaves=signal.body == (True,))

    def _take(self, *, leaves: bool) -> None:
        try:
            self._on_leaving(leaves)
        finally:
            if leaves:
                self._let_go()
            else:
                self._hold_up()

    def _hold_up(self) -> None:
        """From now on logind waits for us, the next time."""
        if self._lock is None:
            self._lock = inhibited(self._system, "sleep:shutdown", mode="delay")

    def _let_go(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)
