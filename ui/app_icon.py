"""The icons that lie beside this package, drawn from their SVG at any size."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtGui import QIcon

_FOLDER: Final = Path(__file__).parent / "icons"


def app_icon(*, ready: bool = True) -> QIcon:
    """The drop of Idlepool, in colour while the pool is ready and grey while it is not."""
    return QIcon(str(_FOLDER / ("idlepool.svg" if ready else "idlepool-quiet.svg")))
