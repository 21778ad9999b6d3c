"""Idle time on Linux: of the Wayland compositor or of the X server, whichever draws this session's desktop.

Under Wayland an X server for old programs runs beside it and knows only the input of those: it is not asked.
`org.freedesktop.ScreenSaver.GetSessionIdleTime` is answered by KDE only, and there not under Wayland; logind tells
whether a session is idle, but not for how long.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from idlepool.engine.machine.dbus import Bus
from idlepool.engine.machine.idle import IdleSource
from idlepool.engine.machine.idle_wayland import ExtIdleNotify
from idlepool.engine.machine.x_server import XServer

_MUTTER = "org.gnome.Mutter.IdleMonitor"


def linux_sources(environment: Mapping[str, str] = os.environ) -> Sequence[IdleSource]:
    """Whom to ask, in order."""
    mutter = Mutter(Bus("SESSION"))
    if is_wayland(environment):
        return mutter, ExtIdleNotify(environment)
    return (XServer(environment),) if environment.get("DISPLAY") else (mutter,)


def is_wayland(environment: Mapping[str, str]) -> bool:
    """Whether a Wayland compositor draws the desktop."""
    return "WAYLAND_DISPLAY" in environment or environment.get("XDG_SESSION_TYPE") == "wayland"


class Mutter:
    """GNOME's compositor."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def seconds(self) -> float | None:
        """None: it does not run here."""
        milliseconds = self._bus.ask(_MUTTER, "/org/gnome/Mutter/IdleMonitor/Core", f"{_MUTTER}.GetIdletime")
        return milliseconds / 1000 if isinstance(milliseconds, int) else None
