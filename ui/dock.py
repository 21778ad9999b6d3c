"""The Dock of macOS: a click on the icon there shows the window, as it does with every program.

Not run on hardware. Qt turns that click into an activation of the application, also where it is active already
(QGuiApplication.applicationStateChanged).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

HAS_DOCK: Final = sys.platform == "darwin"
"""Elsewhere an application is active only where one of its windows is."""


class DockClicks(QObject):
    """Calls `show` when the application is activated while its window is hidden."""

    def __init__(self, application: QApplication, window: QWidget, show: Callable[[], None], *, hidden: bool) -> None:
        """`hidden`: it is being started without a window, and the first activation is that start."""
        super().__init__(window)
        self._window = window
        self._show = show
        self._starting = hidden
        application.applicationStateChanged.connect(self._on_state)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive:
            return
        if not self._starting and not self._window.isVisible():
            self._show()
        self._starting = False
