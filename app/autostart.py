"""Starting Idlepool when the user logs in: on each system in its own way, behind one switch, off at first."""

from __future__ import annotations

import logging
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Protocol

from idlepool.engine.errors import IdlepoolError
from idlepool.engine.pool.child_process import python_module

log = logging.getLogger("idlepool.autostart")

HIDDEN = "--hidden"


def is_there(program: str) -> bool:
    """Whether what an entry starts can be started; a program that was moved or removed since cannot."""
    return bool(program) and shutil.which(program) is not None


class AutostartFailed(IdlepoolError):
    """The system does not let itself be told what to start."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(
            f"Whether Idlepool starts with the system could not be changed: {place}: {reason}.",
            "Allow it there, or choose it in the settings of the system.",
        )


class Autostart(Protocol):
    """The switch of a system, which the settings have too: see StartsWithPc of ui/settings/window_section.py."""

    def enabled(self) -> bool:
        """Whether the system starts Idlepool."""

    def program(self) -> str:
        """What the system was told to start, whether or not that is there; empty: nothing."""

    def set_enabled(self, enabled: bool, /) -> None:
        """Have it start this installation, or nothing. Raises AutostartFailed."""


def autostart() -> Autostart:
    """The switch of this system."""
    if sys.platform == "win32":
        from idlepool.app.autostart_windows import RunKey

        return RunKey(start_command())
    if sys.platform == "darwin":
        from idlepool.app.autostart_macos import LaunchAgent

        return LaunchAgent(start_command())
    from idlepool.app.autostart_linux import AutostartEntry

    return AutostartEntry(start_command())


def mend(switch: Autostart) -> None:
    """Have the system start this installation where it was told to start one that is gone. Where it does not let itself
    be told so, the settings show that nothing is started."""
    try:
        if switch.program() and not switch.enabled():
            switch.set_enabled(True)
    except IdlepoolError as error:
        log.warning("%s", error)


def start_command() -> list[str]:
    """What starts this very installation without a window: its script, which has no console on Windows."""
    name = "idlepoolw.exe" if sys.platform == "win32" else "idlepool"
    script = Path(sysconfig.get_path("scripts"), name)
    return [str(script), HIDDEN] if script.is_file() else python_module("idlepool.app", HIDDEN)
