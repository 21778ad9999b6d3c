"""Puts the window together: application, node process, tray and main window; runs until the user quits.

The order: the look, the bridge, the window, the tray where there is one; when the window stands there, the node and the
pages behind the first. At the end the window remembers how it was, and the node goes last.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from idlepool.ui.app_icon import app_icon
from idlepool.ui.bridge import Bridge
from idlepool.ui.desktop import show_first
from idlepool.ui.preferences import Preferences
from idlepool.ui.presence import Presence
from idlepool.ui.theme import choose_theme, follow_system

if TYPE_CHECKING:
    from idlepool.ui.settings.window_section import StartsWithPc

SIGNAL_CHECK_MS: Final = 200
"""Python sees a signal only when it runs; Qt's loop would let it wait for the next event."""


PAINTING_MS: Final = 30
"""The window is painted meanwhile, before the node and the other pages want the processor."""


class OtherStarts(Protocol):
    """Tells when the user starts the program again while it runs."""

    def listen(self, on_start: Callable[[], None]) -> None:
        """From now on; an application of Qt exists."""

    def close(self) -> None:
        """No more."""


def run(
    node_command: list[str],
    *,
    title: str = "Idlepool",
    folder: Path | None = None,
    hidden: bool = False,
    autostart: StartsWithPc | None = None,
    other_starts: OtherStarts | None = None,
) -> int:
    """Show the window and serve it by the node process that `node_command` starts; return the exit code.

    `folder` keeps what is chosen and said in the window; None: nothing is kept. `hidden`: only the tray icon is shown,
    or where there is none, a minimised window.

    Ask `display_problem()` of `idlepool.ui.display` first: without a display Qt ends the process.
    """
    application = _application(title)
    preferences = Preferences(folder)
    choose_theme(application, preferences.chosen.theme)
    bridge = Bridge(node_command)
    presence = Presence(application, bridge, preferences, title=title, autostart=autostart, hidden=hidden)
    ticker = _let_signals_end(application)
    if other_starts is not None:
        other_starts.listen(presence.bring_to_front)
    show_first(presence.window, presence.tray, hidden=hidden)
    QTimer.singleShot(PAINTING_MS, bridge.start)
    QTimer.singleShot(PAINTING_MS, presence.build_rest)
    try:
        return application.exec()
    finally:
        ticker.stop()
        if other_starts is not None:
            other_starts.close()
        presence.end()


def _application(title: str) -> QApplication:
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication(sys.argv[:1])
    application.setApplicationName(title)
    application.setDesktopFileName("idlepool")
    application.setWindowIcon(app_icon())
    application.setQuitOnLastWindowClosed(False)
    follow_system(application)
    return application


def _let_signals_end(application: QApplication) -> QTimer:
    """Ctrl+C, a polite kill and, on Windows, Ctrl+Break or a closing console end the application in order."""
    for name in ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
            signal.signal(getattr(signal, name), lambda *_: application.quit())
    ticker = QTimer(interval=SIGNAL_CHECK_MS)
    ticker.timeout.connect(lambda: None)
    ticker.start()
    return ticker
