"""Whether a window can be opened at all, decided without importing Qt: Qt ends the whole process where it cannot."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ANSWER_S: Final = 1.0
"""A display that is alive answers at once."""

PROBE_SECONDS: Final = 10.0
"""A display that does not answer within this time counts as unreachable."""

_PROBE: Final = "from PySide6.QtWidgets import QApplication; QApplication([])"
_WINDOWLESS_PLATFORMS: Final = ("offscreen", "minimal", "vnc")


def display_problem() -> str:
    """Why no window can be opened, as a sentence; empty where one can."""
    if sys.platform in ("win32", "darwin"):
        return ""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform in _WINDOWLESS_PLATFORMS:
        return ""
    if not platform and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        return "There is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set."
    if not platform and _opens_at_first_sight():
        return ""
    return _probe()


def _opens_at_first_sight() -> bool:
    """Whether what Qt needs is there: the display answers, and all libraries that its plugin needs can be loaded.
    Where that is so, the time that a process of its own takes is saved."""
    if os.environ.get("WAYLAND_DISPLAY"):
        return _wayland_answers() and _plugin_loads("libqwayland.so")
    return _x_answers() and _plugin_loads("libqxcb.so")


def _x_answers() -> bool:
    """By the library that Qt asks as well; in a thread, which is left behind where a frozen server never answers."""
    found: list[bool] = []
    asking = threading.Thread(target=lambda: found.append(_x_connects()), daemon=True)
    asking.start()
    asking.join(ANSWER_S)
    return found == [True]


def _x_connects() -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    works = xcb.xcb_connection_has_error(connection) == 0
    xcb.xcb_disconnect(connection)
    return bool(works)


def _wayland_answers() -> bool:
    if sys.platform == "win32":
        return False
    place = Path(os.environ.get("XDG_RUNTIME_DIR", ""), os.environ["WAYLAND_DISPLAY"])
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.settimeout(ANSWER_S)
        try:
            compositor.connect(str(place))
        except OSError:
            return False
    return True


def _plugin_loads(name: str) -> bool:
    qt = find_spec("PySide6")
    folders = qt.submodule_search_locations if qt is not None else None
    for folder in folders or ():
        try:
            ctypes.CDLL(str(Path(folder, "Qt", "plugins", "platforms", name)))
        except OSError:
            continue
        return True
    return False


def _probe() -> str:
    """Open the display in a process of its own. Only that finds a dead X server and a missing system library alike."""
    try:
        done = subprocess.run([sys.executable, "-c", _PROBE], capture_output=True, timeout=PROBE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"The display does not answer within {PROBE_SECONDS:.0f} s."
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    reason = next((line for line in lines if "could not connect" in line or "ImportError" in line), "")
    return f"The display cannot be opened: {reason or (lines[0] if lines else 'Qt gave no reason')}"
