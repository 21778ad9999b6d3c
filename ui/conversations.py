"""The conversation list and the chat page tell each other what is done in them; and what the history has to tell."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QDeadlineTimer, QObject, QTimer

from idlepool.ui.banner import Banner, Banners
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.chat.conversation_list import ConversationList
from idlepool.ui.history.history import History
from idlepool.ui.sidebar import Sidebar

RETRY_MS: Final = 10_000
"""Between looks for a disk that takes nothing."""

TIDY_MS: Final = 500
"""Between steps of cleaning up after what an earlier run erased; none of them is felt."""

LAST_TIDY_MS: Final = 100
"""Nobody waits longer for that at the end: the next run goes on with it."""


class Conversations(QObject):
    """Joins `list` with the chat page; `end` when the window goes."""

    def __init__(self, history: History, chat: ChatPage, sidebar: Sidebar, banners: Banners) -> None:
        super().__init__(chat)
        self._history = history
        self._chat = chat
        self._sidebar = sidebar
        self._banners = banners
        self._banner: Banner | None = None
        self.list = ConversationList(history)
        self._retry = QTimer(self, interval=RETRY_MS)
        self._retry.timeout.connect(history.retry)
        self._tidy_soon = QTimer(self, interval=TIDY_MS)
        self._tidy_soon.timeout.connect(self._tidy)
        self._tidy_soon.start()
        self._join()
        history.on_problem = self._on_problem
        self._on_problem(history.problem)

    def search(self) -> None:
        """Have the user type what to search for."""
        self._sidebar.open_below()
        self.list.focus_search()

    def end(self) -> None:
        """Erase what was deleted, and let go of the file."""
        self._retry.stop()
        self._tidy_soon.stop()
        self._history.on_problem = lambda _: None
        self._history.purge_deleted()
        deadline = QDeadlineTimer(LAST_TIDY_MS)
        while self._history.tidy() and not deadline.hasExpired():
            pass
        self._history.close()

    def _join(self) -> None:
        chat, shown = self._chat, self.list
        shown.chosen.connect(self._open)
        shown.found.connect(chat.show_found)
        shown.new_requested.connect(self._begin)
        shown.deleted.connect(chat.close_conversation)
        shown.told.connect(self._banners.add)
        shown.left.connect(chat.composer.setFocus)
        chat.conversation_changed.connect(shown.show_current)
        chat.conversations_changed.connect(shown.reload)
        chat.answering_changed.connect(shown.show_answering)

    def _open(self, conversation: int) -> None:
        self._chat.open_conversation(conversation)
        self.list.show_current(conversation)
        self._sidebar.close_below()
        self._chat.composer.setFocus()

    def _begin(self) -> None:
        self._chat.new_conversation()
        self._sidebar.close_below()

    def _tidy(self) -> None:
        if not self._history.tidy():
            self._tidy_soon.stop()

    def _on_problem(self, sentence: str) -> None:
        if self._banner is not None:
            self._banners.remove(self._banner)
            self._banner = None
        if sentence:
            self._banner = self._banners.add(sentence)
            self._retry.start()
        else:
            self._retry.stop()
        self.list.reload()
