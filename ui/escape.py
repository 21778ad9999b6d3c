"""Esc goes to the widget that has a use for it, before the window's shortcut of that key."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent


def claims_escape(event: QEvent) -> bool:
    """Whether `event` is Qt's question if Esc is for the widget that got it; it is answered with yes then.

    To be called first in `QWidget.event`, which needs to do nothing more where this is true.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.key() != Qt.Key.Key_Escape:
        return False
    event.accept()
    return True
