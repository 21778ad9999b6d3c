"""The icon in the system tray: the state at a glance, and the way to the window and out."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from idlepool.ui.app_icon import app_icon


def tray_available() -> bool:
    """Whether the desktop shows tray icons now; plain GNOME does not."""
    return QSystemTrayIcon.isSystemTrayAvailable()


class Tray(QObject):
    """Icon and menu; pairing is in it where the node can.

    The tooltip stays the same: a changing one flickers on Windows while the pointer rests on it.
    """

    open_requested = Signal()
    pair_requested = Signal()
    quit_requested = Signal()

    def __init__(self, title: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._told_where = False
        self.menu = QMenu()
        self.menu.addAction(self.tr("Open chat"), self.open_requested.emit)
        self.state = self.menu.addAction(self.tr("Starting …"))
        self.state.setEnabled(False)
        self.pair = self.menu.addAction(self.tr("Pair PCs …"), self.pair_requested.emit)
        self.pair.setVisible(False)
        self.menu.addSeparator()
        self.menu.addAction(self.tr("Quit"), self.quit_requested.emit)
        self.icon = QSystemTrayIcon(app_icon(ready=False), self)
        self.icon.setToolTip(title)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_activated)

    def show(self) -> None:
        """Put the icon into the tray."""
        self.icon.show()

    def set_state(self, words: str, ready: bool) -> None:
        """Show the state in the menu and in the icon's colour."""
        self.state.setText(words)
        self.icon.setIcon(app_icon(ready=ready))

    def tell_hidden(self) -> None:
        """Tell once that the window went into the tray: some systems hide the icon."""
        if not self._told_where:
            self._told_where = True
            self.icon.showMessage(self._title, self.tr("Idlepool goes on here. Quit it from this icon's menu."))

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.open_requested.emit()
