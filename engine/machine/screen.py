"""Whether a program fills the screen: a game, a film, a talk. Idlepool's own window does not count.

Windows: SHQueryUserNotificationState. Linux: the X server; a Wayland compositor tells nobody. macOS: not found out.
"""

from __future__ import annotations

import ctypes
import os
import sys

from idlepool.engine.machine.idle_linux import is_wayland
from idlepool.engine.machine.x_server import XServer

_BUSY, _DIRECT3D, _PRESENTATION = 2, 3, 4  # QUERY_USER_NOTIFICATION_STATE


class Screen:
    """Asked from worker threads."""

    def __init__(self) -> None:
        draws_x = sys.platform == "linux" and bool(os.environ.get("DISPLAY")) and not is_wayland(os.environ)
        self._server = XServer(os.environ) if draws_x else None
        self._own = frozenset({os.getpid(), os.getppid()})
        """The window's process started this one."""

    def full_screen(self) -> bool | None:
        """None: unknown."""
        if sys.platform == "win32":
            return _windows_state(self._own)
        return None if self._server is None else self._server.full_screen(self._own)


def by_notification_state(state: int) -> bool:
    """Whether Windows would show no notice because of what is on the screen."""
    return state in (_BUSY, _DIRECT3D, _PRESENTATION)


def _windows_state(own: frozenset[int]) -> bool | None:
    """Not run on hardware; from Microsoft's documentation of shellapi.h."""
    if sys.platform == "win32":
        state, process = ctypes.c_int(), ctypes.c_uint32()
        if ctypes.windll.shell32.SHQueryUserNotificationState(ctypes.byref(state)):
            return None
        user = ctypes.windll.user32
        user.GetForegroundWindow.restype = ctypes.c_void_p
        user.GetWindowThreadProcessId(ctypes.c_void_p(user.GetForegroundWindow()), ctypes.byref(process))
        return by_notification_state(state.value) and process.value not in own
    return None
