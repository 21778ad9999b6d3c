"""Whether a window can be opened at all, decided without importing Qt: Qt ends the whole process where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

PROBE_SECONDS: Final = 10.0
"""A display that does not answer within this time counts as unreachable."""

_PROBE: Final = "from PySide6.QtWidgets import QApplication; QApplication([])"
_WINDOWLESS_PLATFORMS: Final = ("offscreen", "minimal", "vnc")


def display_available() -> bool:
    """Whether a window can be opened."""
    return not display_problem()


def display_problem() -> str:
    """Why no window can be opened, as a sentence; empty where one can."""
    if sys.platform in ("win32", "darwin"):
        return ""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform in _WINDOWLESS_PLATFORMS:
        return ""
    if not platform and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        return "There is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set."
    return _probe()


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
