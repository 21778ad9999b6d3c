"""What the window and the desktop have to do with each other: a tray or none, closing, notifications, logging off."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

from idlepool.ui.farewell import may_quit
from idlepool.ui.main_window import MainWindow
from idlepool.ui.notifications import Notifications
from idlepool.ui.told import first_time
from idlepool.ui.tray import Tray

_HIDDEN: Final = "the window went into the tray"
_NO_TRAY: Final = "there is no tray"
"""What is told once for all, whatever the language."""

TRAY_PATIENCE_MS: Final = 15_000
"""What a desktop that just starts gets to show its tray, before the window shows up in its place."""


def join(application: QApplication, window: MainWindow, tray: Tray) -> None:
    """Closing the window hides it where a tray icon brings it back, and ends the application where none does."""
    requests = window.requests
    requests.open_requested.connect(window.bring_to_front)
    requests.settings_requested.connect(window.show_settings)
    requests.quit_requested.connect(lambda: application.quit() if may_quit(window) else None)
    application.commitDataRequest.connect(window.remember)  # the user logs off
    application.saveStateRequest.connect(_let_autostart_decide)
    window.closed.connect(lambda: _on_closed(application, window, tray))
    tray.available_changed.connect(lambda available: _on_tray(window, available=available))
    notifications = Notifications(
        window.state,
        tell=lambda title, words: _notify(window, tray, title, words),
        wanted=lambda: window.preferences.chosen.notifications and not _is_looked_at(window),
        parent=window,
    )
    window.revival.died.connect(lambda sentence, ms: notifications.tell_given_up(sentence) if ms < 0 else None)
    tray.show()
    if not tray.available and first_time(window.preferences, _NO_TRAY):
        _tell_of_no_tray(window)


def show_first(window: MainWindow, tray: Tray, *, hidden: bool) -> None:
    """Show the window; `hidden`: only where there will be no tray icon for it, and minimised."""

    def stand_in() -> None:
        if not tray.available and not window.isVisible():
            window.showMinimized()

    if hidden:
        QTimer.singleShot(TRAY_PATIENCE_MS, stand_in)
        return
    window.show()
    if window.preferences.folder is not None and not window.preferences.chosen.first_run_done:
        window.show_introduction()


def _is_looked_at(window: MainWindow) -> bool:
    return window.isVisible() and window.isActiveWindow()  # what was just hidden is active still for a moment


def _notify(window: MainWindow, tray: Tray, title: str, words: str) -> None:
    """A window that is only not in front has its entry in the task bar marked."""
    if window.isVisible() and (not window.isMinimized() or not tray.available):
        QApplication.alert(window)
    else:
        tray.tell(title, words)


def _let_autostart_decide(session: QSessionManager) -> None:
    """A desktop that brings back what ran before would start it though its user did not choose that."""
    session.setRestartHint(QSessionManager.RestartHint.RestartNever)


def _on_closed(application: QApplication, window: MainWindow, tray: Tray) -> None:
    if tray.available:
        if first_time(window.preferences, _HIDDEN):
            tray.tell_hidden()
    elif may_quit(window):
        application.quit()
    else:
        QTimer.singleShot(0, window.bring_to_front)  # not yet: it is just being hidden


def _on_tray(window: MainWindow, *, available: bool) -> None:
    """A tray came or went: without one the window is all there is."""
    if available:
        window.banners.withdraw(_no_tray())
        return
    _tell_of_no_tray(window)
    if not window.isVisible():
        window.showMinimized()


def _tell_of_no_tray(window: MainWindow) -> None:
    window.banners.add(
        _no_tray(), QCoreApplication.translate("Desktop", "Closing the window ends Idlepool; minimise it instead.")
    )


def _no_tray() -> str:
    return QCoreApplication.translate("Desktop", "This desktop shows no tray icons.")
