"""The icons that lie beside this package, drawn from their SVG at any size."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtGui import QIcon

_FOLDER: Final = Path(__file__).parent / "icons"


def app_icon() -> QIcon:
    """The drop of Idlepool."""
    return QIcon(str(_FOLDER / "idlepool.svg"))


def status_icon(kind: str) -> QIcon:
    """What this PC does, by a kind of ui/pc_status.py: each has a shape and a colour of its own."""
    return QIcon(str(_FOLDER / f"tray-{kind}.svg"))
