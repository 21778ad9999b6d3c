r"""Autostart on Windows: a value below HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Run.

Not run on hardware; from Microsoft's documentation of the Run keys. The Task Manager keeps what the user switched off
there in StartupApproved: a value whose first byte is odd.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from idlepool.app.autostart import AutostartFailed, is_there

NAME = "Idlepool"
RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"


def run_value(command: Sequence[str]) -> str:
    """The command as Windows parses it."""
    return subprocess.list2cmdline(command)


def program_of(value: str) -> str:
    """The program that such a value starts: up to the quote that ends it, or else up to a space."""
    value = value.strip()
    first = value[1:].partition('"')[0] if value.startswith('"') else value.partition(" ")[0]
    return first.strip()


def is_approved(value: object) -> bool:
    """Whether what the Task Manager keeps of an entry lets it start; it keeps nothing of most."""
    return not (isinstance(value, bytes) and value[:1] and value[0] % 2 == 1)


class RunKey:
    """See Autostart of app/autostart.py."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command

    def enabled(self) -> bool:
        """Whether the value is there and starts a program, and nobody switched it off in the Task Manager."""
        return is_there(self.program())

    def program(self) -> str:
        """See Autostart of app/autostart.py."""
        value = _read(RUN)
        return program_of(value) if isinstance(value, str) and is_approved(_read(APPROVED)) else ""

    def set_enabled(self, enabled: bool) -> None:
        """Write the value anew, or take it away. Raises AutostartFailed."""
        try:
            _write(RUN, run_value(self._command) if enabled else None)
            _write(APPROVED, None)
        except OSError as error:
            raise AutostartFailed(f"HKEY_CURRENT_USER\\{RUN}", error.strerror or str(error)) from error


def _read(key: str) -> object:
    if sys.platform == "win32":
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                value: object = winreg.QueryValueEx(opened, NAME)[0]
                return value
        except FileNotFoundError:
            return None
    return None


def _write(key: str, value: str | None) -> None:
    """None: take it away; one that is not there is no error."""
    if sys.platform == "win32":
        import winreg

        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
            if value is not None:
                winreg.SetValueEx(opened, NAME, 0, winreg.REG_SZ, value)
                return
            try:
                winreg.DeleteValue(opened, NAME)
            except FileNotFoundError:
                return
