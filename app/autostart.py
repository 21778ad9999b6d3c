"""Starting Idlepool when the user logs in: on each system in its own way, behind one switch, off at first."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from idlepool.engine.errors import IdlepoolError
from idlepool.engine.pool.child_process import python_module

if TYPE_CHECKING:
    from idlepool.ui.settings.window_section import StartsWithPc

HIDDEN = "--hidden"


class AutostartFailed(IdlepoolError):
    """The system does not let itself be told what to start."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(
            f"Whether Idlepool starts with the system could not be changed: {place}: {reason}.",
            "Allow it there, or choose it in the settings of the system.",
        )


def autostart() -> StartsWithPc:
    """The switch of this system."""
    if sys.platform == "win32":
        from idlepool.app.autostart_windows import RunKey

        return RunKey(start_command())
    if sys.platform == "darwin":
        from idlepool.app.autostart_macos import LaunchAgent

        return LaunchAgent(start_command())
    from idlepool.app.autostart_linux import AutostartEntry

    return AutostartEntry(start_command())


def start_command() -> list[str]:
    """What starts this very installation without a window: its script, which has no console on Windows."""
    name = "idlepoolw.exe" if sys.platform == "win32" else "idlepool"
    script = Path(sysconfig.get_path("scripts"), name)
    return [str(script), HIDDEN] if script.is_file() else python_module("idlepool.app", HIDDEN)
