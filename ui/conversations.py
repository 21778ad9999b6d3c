"""The conversation list and the chat page tell each other what is done in them; and what the history has to tell."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QDeadlineTimer, QObject, QTimer, Signal

from idlepool.ui.banner import Banner, Banners
from idlepool.ui.chat.chat_page import ChatPage
from idlepool.ui.chat.conversation_list import ConversationList
from idlepool.ui.history.history import History
from idlepool.ui.history.trouble import Reason
from idlepool.ui.sidebar import Sidebar

RETRY_MS: Final = 10_000
"""Between looks for a disk that takes nothing."""

TIDY_MS: Final = 500
"""Between steps of cleaning up after what an earlier run erased, of about 15 ms each; after 8,000 conversations of ten
messages it takes two minutes until the last words of them are out of the file."""

LAST_TIDY_MS: Final = 100
"""Nobody waits longer for that at the end: the next run goes on with it."""


OF_THE_DISK: Final = frozenset({Reason.FULL, Reason.READ_ONLY, Reason.UNREACHABLE})
"""Why the conversations cannot be written, where it is likely that nothing else can."""


class Conversations(QObject):
    """Joins `list` with the chat page; `end` when the window goes."""

    recovered = Signal()
    """The conversations are on the disk again."""

    def __init__(self, history: History, chat: ChatPage, sidebar: Sidebar, banners: Banners) -> None:
        super().__init__(chat)
        self._history = history
        self._chat = chat
        self._sidebar = sidebar
        self._banners = banners
        self._banner: Banner | None = None
        self._told: Banner | None = None
        self._hushed = False
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

    def hush(self) -> bool:
        """Leave it to the caller to tell of a disk that takes nothing; whether there is anything to tell."""
        self._hushed = True
        self._show_problem()
        return self._history.reason in OF_THE_DISK

    def speak(self) -> None:
        """Say it again."""
        self._hushed = False
        self._show_problem()

    def leave(self) -> None:
        """Touch the history no more: another window has it from now on."""
        self._retry.stop()
        self._tidy_soon.stop()
        self.list.files.give_up()
        self._history.on_problem = lambda _: None

    def end(self) -> None:
        """Erase what was deleted, and let go of the file."""
        self.leave()
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
        shown.told.connect(self._tell)
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

    def _tell(self, sentence: str) -> None:
        """In the place of what was told before: what became of an earlier file is known by now."""
        if self._told is not None:
            self._banners.remove(self._told)
        self._told = self._banners.add(sentence)

    def _tidy(self) -> None:
        if not self._history.tidy():
            self._tidy_soon.stop()

    def _on_problem(self, sentence: str) -> None:
        self._show_problem()
        if sentence:
            self._retry.start()
        else:
            self._retry.stop()
            self.recovered.emit()
        self.list.reload()

    def _show_problem(self) -> None:
        if self._banner is not None:
            self._banners.remove(self._banner)
            self._banner = None
        if self._history.problem and not (self._hushed and self._history.reason in OF_THE_DISK):
            self._banner = self._banners.add_with_report(self._history.problem)
