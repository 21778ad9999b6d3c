"""The main window: the sidebar, troubles that concern all of it, and the page that is shown."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from idlepool.ui.app_icon import app_icon
from idlepool.ui.app_menu import Requests
from idlepool.ui.banner import Banners
from idlepool.ui.bridge import Bridge
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.conversations import Conversations
from idlepool.ui.details import show_details
from idlepool.ui.history.history import History
from idlepool.ui.lending_status import LendingStatus
from idlepool.ui.node_deaths import NodeDeaths
from idlepool.ui.node_state import NodeState
from idlepool.ui.pc_status import StatusWatch
from idlepool.ui.preferences import Preferences
from idlepool.ui.revival import Revival
from idlepool.ui.shortcut_list import ShortcutList
from idlepool.ui.shortcuts import bind
from idlepool.ui.showing import replace_widget
from idlepool.ui.sidebar import Sidebar
from idlepool.ui.silence import Silence
from idlepool.ui.theme import WidgetT
from idlepool.ui.trouble_report import Reports

if TYPE_CHECKING:
    from idlepool.ui.models.models_page import ModelsPage
    from idlepool.ui.pool.pool_page import PoolPage
    from idlepool.ui.settings.settings_page import SettingsPage
    from idlepool.ui.settings.window_section import StartsWithPc

SMALLEST: Final = (420, 480)
DEFAULT: Final = (1120, 720)

PAGES: Final = ("chat", "pool_page", "models_page", "settings_page")
"""Attributes of the window, in the order of the sidebar."""


class MainWindow(QMainWindow):
    """Pages beside a sidebar. Closing only hides it; what that means depends on whether there is a tray.

    The chat is there at once. Another page is built, and what it takes imported, when somebody goes to it; all of them
    are before the node says its first word, as they show what it says.
    """

    closed = Signal()
    completed = Signal()
    """All pages are built."""

    def __init__(
        self,
        bridge: Bridge,
        *,
        title: str = "Idlepool",
        preferences: Preferences | None = None,
        autostart: StartsWithPc | None = None,
        history: History | None = None,
    ) -> None:
        """`autostart` None: it cannot be chosen here, as in a demo. `history`: of a window that this one replaces."""
        super().__init__()
        self.preferences = preferences or Preferences(None)
        self.history = history or History(self.preferences.folder, translate=QCoreApplication.translate)
        self.state = NodeState(bridge, self)
        self.reports = Reports(self.state)
        self.watch = StatusWatch(self.state, self)
        self.requests = Requests(self)
        self.revival = Revival(bridge, parent=self)
        self.setWindowTitle(title)
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*SMALLEST)
        self.banners = Banners(self.preferences)
        self.banners.report_requested.connect(self.show_report)
        self.sidebar, self.pages = Sidebar(), QStackedWidget()
        self._build()
        self.chat = ChatPage(self.state, self.banners, self.history)
        self.conversations = Conversations(self.history, self.chat, self.sidebar, self.banners)
        self.complete, self._autostart = False, autostart
        self._add_page(self.tr("Chat"), self.chat, self.conversations.list, icon="chat")
        self._add_page(self.tr("Pool"), QWidget(), icon="pool")
        self._add_page(self.tr("Models"), QWidget(), icon="models")
        self._add_page(self.tr("Settings"), QWidget(), icon="settings")
        bridge.begins.connect(self.build_all)
        self.sidebar.set_footer(LendingStatus(self.watch, self.requests))
        self.sidebar.page_chosen.connect(self.show_page)
        self.revival.restarted.connect(self.chat.show_starting)
        deaths = NodeDeaths(bridge, self.revival, self.banners, self.conversations, self.show_report)
        self.state.ready_changed.connect(deaths.on_ready)
        self.silence = Silence(self.state, self.banners, lambda: self.chat.session.busy)
        self.silence.restart_wanted.connect(bridge.give_up)
        self._bind()
        self._restore()
        self.chat.conversation_changed.connect(self._remember_conversation)
        self.chat.composer.setFocus()

    @cached_property
    def pool_page(self) -> PoolPage:
        """How a model runs, on which PCs."""
        from idlepool.ui.pool.pool_page import PoolPage

        page = PoolPage(self.state)
        self.chat.header.model_chosen.connect(page.show_model)
        page.show_model(self.chat.header.model)  # which may have been chosen before
        return self._replace_page("pool_page", page)

    @cached_property
    def models_page(self) -> ModelsPage:
        """The models here, on other PCs, and to be added."""
        from idlepool.ui.models.models_page import ModelsPage

        page = ModelsPage(self.state)
        page.chat_requested.connect(self.chat_with)
        return self._replace_page("models_page", page)

    @cached_property
    def settings_page(self) -> SettingsPage:
        """What can be chosen."""
        from idlepool.ui.settings.settings_page import SettingsPage

        page = SettingsPage(self.state, self.preferences, self._autostart)
        page.pair_requested.connect(self.requests.pair_requested)
        page.introduction_requested.connect(self.show_introduction)
        page.report_requested.connect(self.show_report)
        return self._replace_page("settings_page", page, page.section_list)

    def build_next(self) -> bool:
        """Build a page that is not there yet, and say whether another one is left: for when there is time."""
        missing = [name for name in PAGES if name not in self.__dict__]
        if missing:
            getattr(self, missing[0])
        elif not self.complete:
            self.complete = True
            self.completed.emit()
        return not self.complete

    def build_all(self) -> None:
        """Build what is not there yet, now."""
        while self.build_next():
            pass

    def show_page(self, page: int | QWidget) -> None:
        """Show a page; a number that none has changes nothing."""
        number = page if isinstance(page, int) else self.pages.indexOf(page)
        if 0 <= number < len(PAGES):
            getattr(self, PAGES[number])
            self.pages.setCurrentIndex(number)
            self.sidebar.choose(number)

    def bring_to_front(self) -> None:
        """Show the window above the others, also when it was hidden or minimised."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def show_introduction(self) -> None:
        """Open the introduction."""
        from idlepool.ui.first_run.first_run import FirstRun  # most people see it once

        introduction = FirstRun(self.state, self.preferences, self)
        introduction.pair_requested.connect(self.requests.pair_requested)
        introduction.accepted.connect(self.show_chat)
        introduction.open()

    def begin_conversation(self) -> None:
        """Begin a conversation, from whichever page."""
        self.show_page(self.chat)
        self.chat.new_conversation()

    def show_chat(self) -> None:
        """Go to the chat page, ready to write."""
        self.show_page(self.chat)
        self.chat.composer.setFocus()

    def chat_with(self, model: str) -> None:
        """Begin a conversation with a model."""
        self.chat.new_conversation()
        self.chat.header.choose(model)
        self.show_chat()

    def show_settings(self) -> None:
        """Bring up the settings."""
        self.bring_to_front()
        self.show_page(self.settings_page)

    def show_shortcuts(self) -> None:
        """Open the list of all keys."""
        ShortcutList(self).open()

    def show_report(self, wrote: str | None = None) -> None:
        """Open what helps whoever is to help; `wrote`: by a node that is gone."""
        show_details(self, self.reports.text(wrote))

    def remember(self) -> None:
        """Keep where the window stands and what it shows, for the next start, and what is being written."""
        self.chat.keep()
        chosen = self.preferences.chosen
        chosen.last_conversation = self.chat.session.id
        chosen.geometry = bytes(self.saveGeometry().toHex().data()).decode("ascii")
        chosen.page = self.pages.currentIndex()
        self.preferences.save()

    @property
    def can_be_replaced(self) -> bool:
        """Whether another window could go on from here: no answer comes, nothing is being edited, written or read."""
        busy = self.chat.session.busy or self.chat.composer.editing or self.conversations.list.files.busy
        return self.state.ready is not None and not busy

    def take_over(self, before: MainWindow) -> None:
        """Show what that window showed, beyond what `remember` kept of it."""
        self.reports.take_over(before.reports)
        self.chat.header.prefer(before.chat.header.model)
        if not self.chat.session.id:
            self.chat.session.save_settings(before.chat.session.settings)
        for trouble in before.banners.troubles:
            self.banners.tell_anew(self.state.bridge.said_anew(trouble))
        self.setVisible(before.isVisible())
        if before.isActiveWindow():
            self.activateWindow()
        if self.pages.currentWidget() is self.settings_page:
            QTimer.singleShot(0, self.settings_page.show_language)  # not before it has a size

    def _remember_conversation(self, conversation: int) -> None:
        """At once: where the PC or the program breaks down, what was being written is in sight at the next start."""
        self.preferences.chosen.last_conversation = conversation
        self.preferences.save()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the page the room of the sidebar in a narrow window; what that offers is in the header then."""
        super().resizeEvent(event)
        self.sidebar.fit(self.width())
        self.chat.header.fresh.setVisible(self.sidebar.narrow)

    def search(self) -> None:
        """Have the user search all conversations."""
        self.show_page(self.chat)
        self.conversations.search()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Only hide."""
        self.remember()
        super().closeEvent(event)
        self.closed.emit()

    def _add_page(self, title: str, page: QWidget, below: QWidget | None = None, *, icon: str) -> None:
        """`below`: what the sidebar shows beside it; `icon` is one of ui/icons/symbol-*.svg."""
        self.pages.addWidget(page)
        self.sidebar.add(title, below, icon=icon)

    def _replace_page(self, name: str, page: WidgetT, below: QWidget | None = None) -> WidgetT:
        """A page takes its place, which was kept free for it."""
        replace_widget(self.pages, PAGES.index(name), page)
        if below is not None:
            self.sidebar.set_below(PAGES.index(name), below)
        return page

    def _build(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.banners)
        right.addWidget(self.pages, 1)
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        row.addLayout(right, 1)
        self.setCentralWidget(whole)

    def _bind(self) -> None:
        bind(self, "list shortcuts", self.show_shortcuts)
        for number, name in enumerate(("chat page", "pool page", "models page", "settings page")):
            bind(self, name, partial(self.show_page, number))
        bind(self, "new conversation", self.begin_conversation)
        bind(self, "search", self.search)
        bind(self, "hide", self.close)
        bind(self, "quit", self.requests.quit_requested.emit)

    def _restore(self) -> None:
        """As it was left; what does not fit to the screens of today is put right by Qt.

        At first it is in the middle: a dialog that opens together with it knows only a place that was asked for.
        """
        self.resize(*DEFAULT)
        chosen = self.preferences.chosen
        self.show_page(chosen.page)
        if not self.restoreGeometry(QByteArray.fromHex(QByteArray(chosen.geometry.encode("ascii", "ignore")))):
            self.move(self.screen().availableGeometry().center() - self.rect().center())
        if chosen.last_conversation:
            self.chat.open_conversation(chosen.last_conversation)
        if self.preferences.problem:
            self.banners.add(self.preferences.problem)
