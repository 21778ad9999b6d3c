"""The icon in the system tray: the state at a glance, and the way to the window and out."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

from idlepool.ui.app_icon import status_icon
from idlepool.ui.app_menu import AppMenu, Requests
from idlepool.ui.pc_status import StatusWatch

LOOK_AGAIN_MS: Final = 5000
"""How often a tray is looked for where there is none: a panel may start late, or anew."""


def tray_available() -> bool:
    """Whether the desktop shows tray icons now; plain GNOME does not."""
    return QSystemTrayIcon.isSystemTrayAvailable()


class Tray(QObject):
    """Icon and menu.

    The tooltip stays the same: a changing one flickers on Windows while the pointer rests on it.
    """

    available_changed = Signal(bool)
    """A tray came or went."""

    def __init__(self, title: str, watch: StatusWatch, requests: Requests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._watch = watch
        self._requests = requests
        self.available = False
        """Whether the icon is in a tray."""
        self.menu = AppMenu(watch, requests)
        self.icon = QSystemTrayIcon(self)
        self.icon.setToolTip(title)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_activated)
        self.icon.messageClicked.connect(requests.open_requested)
        watch.changed.connect(self._show_status)
        self._show_status()
        self._timer = QTimer(self, interval=LOOK_AGAIN_MS)
        self._timer.timeout.connect(self.look)

    def show(self) -> None:
        """Put the icon into the tray: now where there is one, or as soon as one comes."""
        self.look()
        self._timer.start()

    def hide(self) -> None:
        """Take it out."""
        self._timer.stop()
        self.icon.hide()

    def look(self) -> None:
        """Find out whether there is a tray."""
        available = tray_available()
        if available and not self.available:
            self.icon.hide()  # an icon that was put into a tray that went away is not moved by all desktops
            self.icon.show()
        if available != self.available:
            self.available = available
            self.available_changed.emit(available)

    def tell(self, title: str, words: str) -> None:
        """Show a notification, where there is a tray; a click on it opens the window."""
        if self.available:
            self.icon.showMessage(title, words)

    def tell_hidden(self) -> None:
        """Tell that the window went into the tray: some systems hide the icon."""
        self.tell(self._title, self.tr("Idlepool goes on here. Quit it from this icon's menu."))

    def _show_status(self) -> None:
        self.icon.setIcon(status_icon(self._watch.now.kind))

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self._requests.open_requested.emit()
