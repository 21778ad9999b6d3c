"""Autostart on Linux and other desktops of freedesktop.org: an entry in the user's autostart folder.

Desktop Entry Specification 1.5 (Exec and the escapes of strings), Desktop Application Autostart Specification 0.5.
"""

from __future__ import annotations

import configparser
import os
import re
from collections.abc import Sequence
from pathlib import Path

from idlepool.app.autostart import AutostartFailed, is_there
from idlepool.engine.errors import StorageError
from idlepool.engine.models.files import replace_file, writing

FILE = "idlepool.desktop"

_RESERVED = re.compile(r"""[\s"'\\><~|&;$*?#()`]""")
"""An argument with one of these is quoted,"""
_ESCAPED = re.compile(r'(["`$\\])')
"""and within quotes these are escaped."""

_STRING_ESCAPE = re.compile(r"\\(.)")
_UNESCAPED = {"s": " ", "n": "\n", "t": "\t", "r": "\r"}
_FIRST = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[^\s"]+)', re.DOTALL)
"""The first argument."""


def autostart_folder() -> Path:
    """Where desktops look."""
    chosen = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(chosen) if os.path.isabs(chosen) else Path.home() / ".config") / "autostart"  # noqa: PTH117


def entry_text(command: Sequence[str]) -> str:
    """The desktop entry that starts the command."""
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=Idlepool",
        "Comment=Lends this PC while nobody uses it",
        f"Exec={exec_value(command)}",
        "Icon=idlepool",
        "Terminal=false",
        "X-GNOME-Autostart-enabled=true",
    )
    return "\n".join(lines) + "\n"


def exec_value(command: Sequence[str]) -> str:
    """The command as it stands in an entry."""
    return _string(" ".join(map(_argument, command)))


def program_of(value: str) -> str:
    """The program that such a command starts; empty: it makes no sense."""
    text = _STRING_ESCAPE.sub(lambda found: _UNESCAPED.get(found[1], found[1]), value)
    found = _FIRST.match(text)
    if found is None:
        return ""
    quoted = found["quoted"]
    return (found["plain"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)).replace("%%", "%")


def _argument(text: str) -> str:
    text = text.replace("%", "%%")  # or it would be a field code
    quoted = _ESCAPED.sub(r"\\\1", text)
    return f'"{quoted}"' if _RESERVED.search(text) or not text else text


def _string(text: str) -> str:
    """The escape of all strings of an entry, on top of the quoting of Exec."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


class AutostartEntry:
    """See Autostart of app/autostart.py."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """`folder` None: the user's."""
        self._command = command
        self._file = (folder or autostart_folder()) / FILE

    def enabled(self) -> bool:
        """Whether the entry is there and starts a program, and nobody switched it off in the desktop's own settings."""
        return is_there(self.program())

    def program(self) -> str:
        """See Autostart of app/autostart.py."""
        entry = configparser.RawConfigParser(delimiters=("=",), strict=False)
        entry.optionxform = str  # type: ignore[assignment,method-assign]  # names are case-sensitive
        try:
            entry.read_string(self._file.read_text("utf-8"))
        except FileNotFoundError:
            return ""
        except (OSError, ValueError, configparser.Error):
            return ""  # nor does the desktop make anything of it
        hidden = entry.get("Desktop Entry", "Hidden", fallback="false")
        allowed = entry.get("Desktop Entry", "X-GNOME-Autostart-enabled", fallback="true")
        on = hidden != "true" and allowed != "false"
        return program_of(entry.get("Desktop Entry", "Exec", fallback="")) if on else ""

    def set_enabled(self, enabled: bool) -> None:
        """Write the entry anew, or take it away. Raises AutostartFailed."""
        try:
            with writing(self._file):
                if enabled:
                    self._file.parent.mkdir(parents=True, exist_ok=True)
                    replace_file(self._file, entry_text(self._command).encode())
                else:
                    self._file.unlink(missing_ok=True)
        except StorageError as error:
            raise AutostartFailed(str(self._file), error.reason) from error
