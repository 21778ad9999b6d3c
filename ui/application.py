"""Puts the window together: application, node process, tray and chat window; runs until the user quits.

The order: the look, the bridge, the window, the tray where there is one, then the node; at the end the node goes last.
"""

from __future__ import annotations

import signal
import sys
from typing import Final

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication

from idlepool.ui.app_icon import app_icon
from idlepool.ui.bridge import Bridge
from idlepool.ui.chat_window import ChatWindow
from idlepool.ui.pairing_dialog import PairingDialog
from idlepool.ui.theme import follow_system
from idlepool.ui.tray import Tray, tray_available

SIGNAL_CHECK_MS: Final = 200
"""Python sees a signal only when it runs; Qt's loop would let it wait for the next event."""


def run(node_command: list[str], *, title: str = "Idlepool") -> int:
    """Show the chat window and serve it by the node process that `node_command` starts; return the exit code.

    Ask `display_problem()` of `idlepool.ui.display` first: without a display Qt ends the process.
    """
    application = QApplication(sys.argv[:1])
    application.setApplicationName(title)
    application.setWindowIcon(app_icon())
    application.setQuitOnLastWindowClosed(False)
    follow_system(application)
    bridge = Bridge(node_command)
    window = ChatWindow(bridge, title=title)
    tray = Tray(title)
    _join(application, window, tray)
    _let_pair(PairingDialog(bridge, window), window, tray)
    ticker = _let_signals_end(application)
    window.show()
    bridge.start()
    try:
        return application.exec()
    finally:
        ticker.stop()
        window.hide()
        tray.icon.hide()
        bridge.stop()


def _join(application: QApplication, window: ChatWindow, tray: Tray) -> None:
    """Closing the window hides it where a tray icon brings it back, and ends the application where none does."""
    window.state_changed.connect(tray.set_state)
    tray.open_requested.connect(window.bring_to_front)
    tray.quit_requested.connect(application.quit)
    window.closed.connect(lambda: tray.tell_hidden() if tray_available() else application.quit())
    if tray_available():
        tray.show()
    else:
        window.banners.add(
            QCoreApplication.translate("Application", "This desktop shows no tray icons."),
            QCoreApplication.translate("Application", "Closing the window ends Idlepool."),
        )


def _let_pair(dialog: PairingDialog, window: ChatWindow, tray: Tray) -> None:
    """The header's button and the tray's menu lead to the pairing dialog, once the node says that it can pair."""

    def bring_up() -> None:
        window.bring_to_front()
        dialog.bring_up()

    dialog.available.connect(window.header.show_pairing)
    dialog.available.connect(lambda: tray.pair.setVisible(True))
    window.header.pair_requested.connect(dialog.bring_up)
    tray.pair_requested.connect(bring_up)


def _let_signals_end(application: QApplication) -> QTimer:
    """Ctrl+C, a polite kill and, on Windows, Ctrl+Break or a closing console end the application in order."""
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: application.quit())
    ticker = QTimer(interval=SIGNAL_CHECK_MS)
    ticker.timeout.connect(lambda: None)
    ticker.start()
    return ticker
