"""Whether the network that this PC uses costs by the byte.

Windows: GetNetworkConnectivityHint. Linux: NetworkManager. macOS tells nobody but its own programs.
"""

from __future__ import annotations

import ctypes
import sys

from idlepool.engine.machine.dbus import Bus

_NETWORK_MANAGER = "org.freedesktop.NetworkManager"
_YES, _NO, _PERHAPS, _PERHAPS_NOT = 1, 2, 3, 4  # NMMetered
_UNRESTRICTED, _FIXED, _VARIABLE = 1, 2, 3  # NL_NETWORK_CONNECTIVITY_COST_HINT


def by_network_manager(metered: object) -> bool | None:
    """What its property Metered means; guesses count."""
    return {_YES: True, _PERHAPS: True, _NO: False, _PERHAPS_NOT: False}.get(metered if isinstance(metered, int) else 0)


def by_cost_hint(cost: int, *, over_limit: bool, roaming: bool) -> bool | None:
    """What Windows' hint means: a fixed budget, a price by the byte, or a foreign network."""
    if cost in (_FIXED, _VARIABLE) or over_limit or roaming:
        return True
    return False if cost == _UNRESTRICTED else None


class Network:
    """Asked from worker threads. `system`: the bus of Linux's services."""

    def __init__(self, system: Bus) -> None:
        self._system = system

    def metered(self) -> bool | None:
        """None: unknown."""
        if sys.platform == "win32":
            return _windows_hint()
        if sys.platform == "darwin":
            return None
        found = self._system.property(
            _NETWORK_MANAGER, "/org/freedesktop/NetworkManager", f"{_NETWORK_MANAGER}.Metered"
        )
        return by_network_manager(found)


class _ConnectivityHint(ctypes.Structure):
    """NL_NETWORK_CONNECTIVITY_HINT of nldef.h."""

    _fields_ = (
        ("level", ctypes.c_int),
        ("cost", ctypes.c_int),
        ("approaching_limit", ctypes.c_uint8),
        ("over_limit", ctypes.c_uint8),
        ("roaming", ctypes.c_uint8),
    )


def _windows_hint() -> bool | None:
    """Not run on hardware; from Microsoft's documentation of netioapi.h (Windows 10 2004 and later)."""
    hint = _ConnectivityHint()
    if sys.platform == "win32":
        try:
            failed = ctypes.WinDLL("iphlpapi").GetNetworkConnectivityHint(ctypes.byref(hint))
        except (OSError, AttributeError):  # an older Windows
            failed = 1
        if not failed:
            return by_cost_hint(hint.cost, over_limit=bool(hint.over_limit), roaming=bool(hint.roaming))
    return None
