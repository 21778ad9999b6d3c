"""Keeps the transcript the picture of the session's path: what is the same in both stays as it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import takewhile

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from idlepool.engine.events import AnswerEvent
from idlepool.ui.chat.bubble import AnswerBubble, Bubble, QuestionBubble
from idlepool.ui.chat.message_tools import Act
from idlepool.ui.chat.session import ChatSession
from idlepool.ui.chat.thought_view import ThoughtState
from idlepool.ui.chat.transcript import Later, Transcript
from idlepool.ui.history.values import Message


class ShownPath(QObject):
    """The bubbles by the numbers of their messages."""

    wanted = Signal(object, object)
    """A Bubble and the Act that its user wants of it."""

    def __init__(self, session: ChatSession, transcript: Transcript, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._transcript = transcript
        self._shown: list[int] = []
        """The numbers of the messages that have their place in the transcript."""
        self.edited = 0
        """The number of the question that is being edited; 0: none."""
        self._unfolded: set[int] = set()
        """The numbers of the answers whose details are seen."""
        self._thoughts: dict[int, dict[int, ThoughtState]] = {}
        """How the thoughts of answers were seen that are not drawn now."""
        self._focused: Bubble | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus)

    def bubble(self, message: int) -> Bubble | None:
        """The bubble of a message, if it is shown."""
        return self._transcript.bubble_at(self._shown.index(message)) if message in self._shown else None

    def last(self, kind: type[Bubble]) -> Bubble | None:
        """The newest question or answer."""
        return next((bubble for bubble in reversed(self._transcript.bubbles) if isinstance(bubble, kind)), None)

    def show(self) -> None:
        """Draw what the path has and the transcript has not, below what both have."""
        path = self._session.path
        numbers = [message.id for message in path]
        pairs = zip(numbers, self._shown, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if same < len(self._shown):
            self._transcript.truncate(same)
        for message in path[same:]:
            self._transcript.add(Later(partial(self._make, message), len(message.text), self._remember))
        self._shown = numbers
        for place in range(max(same, len(path) - 2), len(path)):  # what is being said, also in a hidden window
            self._transcript.bubble_at(place)
        for bubble in self._transcript.bubbles:
            self._set_place(bubble)
        self.set_busy(self._session.answering is not None)

    def find(self, message: int) -> None:
        """Scroll to a message that was searched for, and mark it for a moment."""
        if message in self._shown:
            self._transcript.go_to(self._shown.index(message)).mark_found()

    def mark_edited(self, question: int) -> None:
        """Mark the question that is being edited; 0: none is."""
        before, self.edited = self.edited, question
        for bubble in self._transcript.bubbles:
            if isinstance(bubble, QuestionBubble) and bubble.message in (before, question):
                bubble.set_edited(bubble.message == question)

    def turn_details(self, bubble: AnswerBubble) -> None:
        """Unfold what is known of how an answer came, or fold it again."""
        self._unfolded ^= {bubble.message}
        unfolded = bubble.message in self._unfolded
        bubble.show_details(self._session.message(bubble.message) if unfolded else None)

    def focus_after(self, bubble: Bubble, act: Act) -> Callable[[], None]:
        """To be called when another version has taken the place of `bubble`: who paged with the keyboard goes on."""
        place, focused = self._shown.index(bubble.message), bubble.tools.has_focus(act)
        return lambda: self._transcript.bubble_at(place).tools.take_focus(act) if focused else None

    def take(self, message: int, event: AnswerEvent) -> bool:
        """Draw what is told of an answer; False: it is not shown."""
        bubble = self.bubble(message)
        if not isinstance(bubble, AnswerBubble):
            return False
        bubble.take(event)
        return True

    def set_busy(self, busy: bool) -> None:
        """Whether an answer is being written, so that the conversation must not be rewritten."""
        for bubble in self._transcript.bubbles:
            bubble.tools.set_busy(busy)

    def _make(self, added: Message) -> Bubble:
        """The bubble of a message that was added, as that is now."""
        message = next((now for now in self._session.path if now.id == added.id), added)
        bubble = self._make_question(message) if message.role == "user" else self._make_answer(message)
        bubble.message = message.id
        bubble.wanted.connect(partial(self.wanted.emit, bubble))
        bubble.tools.set_busy(self._session.answering is not None)
        versions = self._session.history.siblings(message.id)
        if len(versions) > 1:
            bubble.tools.show_place(versions.index(message.id) + 1, len(versions))
        self._set_place(bubble)
        return bubble

    def _make_question(self, message: Message) -> QuestionBubble:
        bubble = QuestionBubble(message.text)
        bubble.set_edited(message.id == self.edited)
        return bubble

    def _make_answer(self, message: Message) -> AnswerBubble:
        bubble = AnswerBubble()
        coming = self._session.coming(message.id)
        own_plan = message.id in self._session.own_plan_failed
        bubble.show_message(message, coming=coming is not None, own_plan=own_plan)
        if coming and coming.waits_for:
            bubble.take(coming.waits_for)
        bubble.text.restore_thoughts(self._thoughts.pop(message.id, {}))
        if message.id in self._unfolded:
            bubble.show_details(message)
        return bubble

    def _remember(self, bubble: Bubble) -> None:
        """It is drawn anew when somebody comes near it."""
        if thoughts := bubble.text.thoughts:
            self._thoughts[bubble.message] = thoughts

    def _set_place(self, bubble: Bubble) -> None:
        """Only the last answer can be tried again or gone on with."""
        if isinstance(bubble, AnswerBubble) and bubble.message != self._session.path[-1].id:
            bubble.forbid_retry()

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Show the tools of the message that has the focus, and hide those of the one that had it."""
        bubble = now
        while bubble is not None and not isinstance(bubble, Bubble):
            bubble = bubble.parentWidget()
        if self._focused and self._focused is not bubble and self._focused in self._transcript.bubbles:
            self._focused.reveal_tools(self._focused.underMouse())
        if bubble and bubble is not self._focused:
            bubble.reveal_tools(True)
        self._focused = bubble
