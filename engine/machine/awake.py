"""Keeps the PC from going to sleep by itself, for as long as somebody says so. The screen may go dark all the same.

Windows: a power request. macOS: `caffeinate`. Linux: a lock of logind, which KDE and others heed, and GNOME's own.
Each is given back by the system itself if this program dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
from typing import Protocol

from idlepool.engine.machine.dbus import Bus

WHO = "Idlepool"
WHY = "Other PCs of the pool use this one."

_LOGIND = "org.freedesktop.login1"
_GNOME = "org.gnome.SessionManager"
_SUSPEND = 4  # GNOME's flag: do not suspend, while the screen may be locked


class Awake(Protocol):
    """Asked from worker threads, one at a time."""

    def hold(self) -> None:
        """From now on the PC stays awake, if the system allows it; again is no more than once."""

    def release(self) -> None:
        """It may sleep."""


def awake() -> Awake:
    """How it is done on this system."""
    if sys.platform == "win32":
        return PowerRequest()
    if sys.platform == "darwin":
        return Caffeinate()
    return Inhibitors(Bus("SYSTEM"), Bus("SESSION"))


class Caffeinate:
    """Not run on hardware; from the manual page of caffeinate(8). It ends with this process, whatever happens."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def hold(self) -> None:
        """See Awake."""
        if self._process is None:
            with contextlib.suppress(OSError):
                self._process = subprocess.Popen(["/usr/bin/caffeinate", "-i", "-w", str(os.getpid())])

    def release(self) -> None:
        """See Awake."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            process.wait()


class Inhibitors:
    """Locks on Linux: the one of logind lasts while its file is open, the one of GNOME until its number is returned."""

    def __init__(self, system: Bus, session: Bus) -> None:
        self._system, self._session = system, session
        self._lock: int | None = None
        self._cookie: int | None = None

    def hold(self) -> None:
        """See Awake."""
        if self._lock is None:
            self._lock = inhibited(self._system, "idle", mode="block")
        if self._cookie is None:
            method = f"{_GNOME}.Inhibit"
            given = self._session.ask(_GNOME, _path(_GNOME), method, WHO, 0, WHY, _SUSPEND, signature="susu")
            self._cookie = given if isinstance(given, int) else None

    def release(self) -> None:
        """See Awake."""
        if self._lock is not None:
            os.close(self._lock)
        if self._cookie is not None:
            self._session.ask(_GNOME, _path(_GNOME), f"{_GNOME}.Uninhibit", self._cookie, signature="u")
        self._lock = self._cookie = None


def inhibited(system: Bus, what: str, *, mode: str) -> int | None:
    """A lock of logind, as the file that holds it until it is closed; None: not given. `mode`: block or delay."""
    from jeepney.fds import FileDescriptor

    manager = f"{_LOGIND}.Manager"
    file = system.ask(_LOGIND, _path(_LOGIND), f"{manager}.Inhibit", what, WHO, WHY, mode, signature="ssss")
    return int(file.to_raw_fd()) if isinstance(file, FileDescriptor) else None


def _path(service: str) -> str:
    return "/" + service.replace(".", "/")


class PowerRequest:
    """Not run on hardware; from Microsoft's documentation of winbase.h. `powercfg /requests` shows it with WHY.

    SetThreadExecutionState does the same, but only for as long as the thread lives that called it.
    """

    _SYSTEM_REQUIRED = 1

    def __init__(self) -> None:
        self._handle: int | None = None

    def hold(self) -> None:
        """See Awake."""
        if sys.platform == "win32" and self._handle is None:
            kernel = ctypes.windll.kernel32
            kernel.PowerCreateRequest.restype = ctypes.c_void_p
            handle = kernel.PowerCreateRequest(ctypes.byref(_ReasonContext(0, 1, WHY)))
            if handle not in (None, ctypes.c_void_p(-1).value):
                kernel.PowerSetRequest(ctypes.c_void_p(handle), self._SYSTEM_REQUIRED)
                self._handle = handle

    def release(self) -> None:
        """See Awake."""
        handle, self._handle = self._handle, None
        if sys.platform == "win32" and handle is not None:
            ctypes.windll.kernel32.CloseHandle(ctypes.c_void_p(handle))  # and with it what it required


class _ReasonContext(ctypes.Structure):
    """REASON_CONTEXT of minwinbase.h with a simple text; the union's other form is longer by three fields."""

    _fields_ = (
        ("version", ctypes.c_ulong),
        ("flags", ctypes.c_ulong),
        ("text", ctypes.c_wchar_p),
        ("rest", ctypes.c_void_p * 3),
    )
