"""Asks for a name in a dialog that is wide enough for it and for its own title."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QInputDialog, QWidget

WIDTH: Final = 360


def ask_name(parent: QWidget, title: str, words: str, *, now: str, accept: str, on_name: Callable[[str], None]) -> None:
    """Open it above `parent`, with the name `now`; `accept` is on the button. `on_name` hears what was typed."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(words)
    dialog.setTextValue(now)
    dialog.setOkButtonText(accept)
    dialog.resize(WIDTH, dialog.sizeHint().height())
    dialog.textValueSelected.connect(on_name)
    dialog.open()
