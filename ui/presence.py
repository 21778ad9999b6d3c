"""What of Idlepool is on the desktop: the window with its dialogs and the tray icon, in one language.

All texts are made with their widgets. Another language is spoken by another window: it gets the node, the history and
what was shown, and the one before goes. That waits until nothing is under way that would be lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from idlepool.ui.bridge import Bridge
from idlepool.ui.desktop import join
from idlepool.ui.dock import HAS_DOCK, DockClicks
from idlepool.ui.history.history import History
from idlepool.ui.language import language_of, speak
from idlepool.ui.main_window import MainWindow
from idlepool.ui.mishaps import Mishaps
from idlepool.ui.preferences import Preferences
from idlepool.ui.tray import Tray

if TYPE_CHECKING:
    from idlepool.ui.pool.pairing_dialog import PairingDialog
    from idlepool.ui.settings.window_section import StartsWithPc

LOOK_MS: Final = 300
"""How often it is looked whether the window can be made anew."""


class Presence(QObject):
    """`window`, `tray` and `bridge` are others after a change of the language; `end` when the application does."""

    def __init__(
        self,
        application: QApplication,
        bridge: Bridge,
        preferences: Preferences,
        *,
        title: str,
        autostart: StartsWithPc | None = None,
        hidden: bool = False,
    ) -> None:
        """`hidden`: it is being started without a window."""
        super().__init__(application)
        self._application = application
        self._preferences = preferences
        self._title = title
        self._autostart = autostart
        self.bridge = bridge
        self._language = speak(application, preferences.chosen.language)
        self.window = self._new_window(None)
        self._furnish(hidden=hidden)
        self._soon = QTimer(self, interval=LOOK_MS)
        self._soon.timeout.connect(self._renew_if_quiet)

    def bring_to_front(self) -> None:
        """Show the window above the others."""
        self.window.bring_to_front()

    def end(self) -> None:
        """Remember how the window was; the node goes last."""
        self._soon.stop()
        self.window.revival.stop()
        self.window.remember()
        self.window.hide()
        self.tray.hide()
        self.bridge.stop()
        self.window.conversations.end()
        self._mishaps.uninstall()

    def _new_window(self, history: History | None) -> MainWindow:
        return MainWindow(
            self.bridge,
            title=self._title,
            preferences=self._preferences,
            autostart=self._autostart,
            history=history,
        )

    def _furnish(self, *, hidden: bool) -> None:
        """What belongs to a new window."""
        window = self.window
        self._mishaps = Mishaps(window)
        self._mishaps.install()
        self.tray = Tray(self._title, window.watch, window.requests, window)
        join(self._application, window, self.tray)
        if HAS_DOCK:
            DockClicks(self._application, window, window.bring_to_front, hidden=hidden)
        window.completed.connect(self._on_completed)

    def build_rest(self) -> None:
        """Build what nobody has asked for yet, piece by piece: a key that is pressed meanwhile does not wait long."""
        if self.window.build_next():
            QTimer.singleShot(0, self, self.build_rest)

    def _on_completed(self) -> None:
        from idlepool.ui.pool.pairing_dialog import PairingDialog  # late, as the pages are

        _let_pair(PairingDialog(self.bridge, self.window), self.window)
        self.window.settings_page.look.language_chosen.connect(self._on_language)

    # --- another language --------------------------------------------------------------------------------------------

    def _on_language(self, chosen: str) -> None:
        if language_of(chosen) == self._language:
            self._soon.stop()
        else:
            self._soon.start()

    def _renew_if_quiet(self) -> None:
        opened = self._application.activeModalWidget() or self._application.activePopupWidget()
        if opened is None and self.window.can_be_replaced:
            self._soon.stop()
            self._renew()

    def _renew(self) -> None:
        before, tray = self.window, self.tray
        before.remember()
        before.conversations.leave()
        before.revival.stop()
        self._mishaps.uninstall()
        self._language = speak(self._application, self._preferences.chosen.language)
        self.bridge = self.bridge.hand_over()
        self.window = self._new_window(before.history)
        tray.hide()
        self._furnish(hidden=False)
        self.window.take_over(before)
        self.bridge.tell_again()
        before.hide()
        before.deleteLater()


def _let_pair(dialog: PairingDialog, window: MainWindow) -> None:
    """The header's button, the menu and the pool page lead to the pairing dialog, once the node can pair."""

    def bring_up() -> None:
        window.bring_to_front()
        dialog.bring_up()

    dialog.available.connect(window.chat.header.show_pairing)
    window.chat.header.pair_requested.connect(dialog.bring_up)
    window.requests.pair_requested.connect(bring_up)
    pool = window.pool_page
    pool.pair_requested.connect(dialog.bring_up)
    pool.stranger_requested.connect(dialog.bring_up_with)
    pool.remove_requested.connect(dialog.ask_to_remove)
    pool.leave_requested.connect(dialog.ask_to_leave)
