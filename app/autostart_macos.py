"""Autostart on macOS: a property list among the user's launch agents, which launchd reads at the next login.

Not run on hardware; from Apple's launchd.plist(5).
"""

from __future__ import annotations

import plistlib
from collections.abc import Sequence
from pathlib import Path

from idlepool.app.autostart import AutostartFailed, is_there
from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file, writing

LABEL = "org.idlepool.idlepool"


def agent_plist(command: Sequence[str]) -> bytes:
    """The property list that starts the command once, in a session with a screen."""
    agent = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": False,
        "LimitLoadToSessionType": "Aqua",
        "ProcessType": "Interactive",
    }
    return plistlib.dumps(agent)


class LaunchAgent:
    """See Autostart of app/autostart.py."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """`folder` None: the user's."""
        self._command = command
        self._file = (folder or Path.home() / "Library" / "LaunchAgents") / f"{LABEL}.plist"

    def enabled(self) -> bool:
        """Whether the list is there, and starts a program that is."""
        return is_there(self.program())

    def program(self) -> str:
        """See Autostart of app/autostart.py."""
        try:
            agent = plistlib.loads(self._file.read_bytes())
            return str(agent["ProgramArguments"][0]) if agent["RunAtLoad"] is True else ""
        except (OSError, ValueError, LookupError, TypeError, plistlib.InvalidFileException):
            return ""

    def set_enabled(self, enabled: bool) -> None:
        """Write the list anew, or take it away. Raises AutostartFailed."""
        try:
            with writing(self._file):
                if enabled:
                    self._file.parent.mkdir(parents=True, exist_ok=True)
                    replace_file(self._file, agent_plist(self._command))
                else:
                    self._file.unlink(missing_ok=True)
        except StorageError as error:
            raise AutostartFailed(str(self._file), error.reason) from error
