"""Idle time on Windows: GetLastInputInfo, which knows the input of the session that this program runs in.

Not run on hardware; from Microsoft's documentation of winuser.h.
"""

from __future__ import annotations

import ctypes
import sys

_TICKS = 2**32
"""Milliseconds since the system started, in 32 bits: they begin again after 49.7 days."""


class _LastInputInfo(ctypes.Structure):
    _fields_ = (("cbSize", ctypes.c_uint32), ("dwTime", ctypes.c_uint32))


def seconds_between(last: int, now: int) -> float:
    """From one tick count to a later one, over the end of the 32 bits if need be."""
    return (now - last) % _TICKS / 1000


class LastInput:
    """See IdleSource."""

    def seconds(self) -> float | None:
        """None: no input is known, as in a service."""
        if sys.platform == "win32":
            info = _LastInputInfo(ctypes.sizeof(_LastInputInfo), 0)
            if not ctypes.windll.user32.GetLastInputInfo(ctypes.byref(info)):
                return None
            tick_count = ctypes.windll.kernel32.GetTickCount
            tick_count.restype = ctypes.c_uint32
            return seconds_between(info.dwTime, tick_count())
        return None
