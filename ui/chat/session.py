"""The shown conversation as its history keeps it, and every answer that comes: to it, and to others left meanwhile.

What the user does becomes messages in the history and questions to the node; what the node tells of an answer goes into
the history four times a second and at its end, so that whoever dies takes a few words along, no more.
"""

from __future__ import annotations

import itertools
import uuid
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from idlepool.engine.events import AnswerDone, AnswerEvent, AnswerText, Ask, Event, Overflow, Stop
from idlepool.ui.bridge import Bridge
from idlepool.ui.chat.answering import STATES, Answering
from idlepool.ui.chat.prompt import DEFAULT_MAX_TOKENS, messages_for, repeatable, sampling_for
from idlepool.ui.history.history import History
from idlepool.ui.history.values import ChatSettings, Conversation, Figures, Message, MessageState

SHORTEST_INTERVAL_MS: Final = 250
LONGEST_INTERVAL_MS: Final = 1000
CHARACTERS_PER_MS: Final = 16


def write_interval_ms(characters: int) -> int:
    """Between two writes of an answer that has so many characters.

    A write costs 0.7 ms where there are 4,000 of them, and 2.4 ms where there are 16,000, since the index of words is
    written with them: the longer an answer is, the less often it is.
    """
    return min(LONGEST_INTERVAL_MS, max(SHORTEST_INTERVAL_MS, characters // CHARACTERS_PER_MS))


class ChatSession(QObject):
    """One conversation at a time is shown: `path` is what of its tree is in sight, from the first question on."""

    told = Signal(int, object)
    """A message's id and the AnswerEvent that the node told of it."""

    answering_changed = Signal()
    listing_changed = Signal()
    """The list of conversations is to be read again: a title, or the order."""

    def __init__(self, history: History, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = history
        self.conversation: Conversation | None = None
        """None: one that is not begun yet."""
        self.settings = ChatSettings()
        self.draft = ""
        self.path: list[Message] = []
        self.own_plan_failed: set[int] = set()
        """The answers that broke off because of a plan made by hand."""
        self._bridge = bridge
        self._name = uuid.uuid4().hex
        """What the node knows this window by: another one may count its conversations as this one does."""
        self._requests = itertools.count(1)
        self._coming: dict[int, Answering] = {}
        self._write_soon = QTimer(self, singleShot=True)
        self._write_soon.timeout.connect(self.write)
        bridge.received.connect(self._on_event)
        bridge.node_ended.connect(self._on_node_ended)

    # --- which conversation is shown ---------------------------------------------------------------------------------

    @property
    def id(self) -> int:
        """Of the shown conversation; 0: it is not begun yet."""
        return self.conversation.id if self.conversation else 0

    def open(self, conversation: int) -> None:
        """Show a conversation. Raises LookupError where there is none of this number."""
        opened = self.history.open(conversation)
        self.leave()
        self.conversation, self.settings, self.draft = opened, opened.settings, opened.draft
        self._read_path()

    def leave(self) -> None:
        """Show one that is not begun yet; answers that come are waited for all the same."""
        self.conversation, self.settings, self.draft, self.path = None, ChatSettings(), "", []

    def save_draft(self, text: str) -> None:
        """Keep what is being written; a first word begins the conversation."""
        if text != self.draft:
            self.draft = text
            self.history.save_draft(self._begun().id, text)
            self.listing_changed.emit()

    def save_settings(self, settings: ChatSettings) -> None:
        """Have the next answers of this conversation sampled so."""
        self.settings = settings
        if self.conversation:
            self.history.save_settings(self.conversation.id, settings)

    def _begun(self, model: str = "") -> Conversation:
        if self.conversation is None:
            self.conversation = self.history.create(model=model, settings=self.settings)
        return self.conversation

    def _read_path(self) -> None:
        texts = {answer.message: answer.text for answer in self._coming.values() if not answer.stopped}
        path = self.history.path(self.id) if self.conversation else []
        self.path = [replace(message, text=texts.get(message.id, message.text)) for message in path]

    # --- what the user does ------------------------------------------------------------------------------------------

    def ask(self, text: str, *, model: str, overflow: Overflow) -> None:
        """Add a question at the end of the path."""
        conversation = self._begun(model)
        parent = self.path[-1].id if self.path else None
        question = self.history.add_message(conversation.id, parent, "user", text)
        self._answer(question.id, model=model, overflow=overflow)

    def edit(self, question: int, text: str, *, model: str, overflow: Overflow) -> None:
        """Ask something else in the place of a question: what followed it stays, on a branch of its own."""
        edited = self.history.add_message(self.id, self.message(question).parent, "user", text)
        self._answer(edited.id, model=model, overflow=overflow)

    def regenerate(self, answer: int, *, model: str, overflow: Overflow) -> None:
        """Have the question answered once more. An answer without a word gives its place away, any other one stays."""
        old = self.message(answer)
        if old.text or old.parent is None:
            self._answer(old.parent, model=model, overflow=overflow)
        else:
            self._send(old.id, model=model, overflow=overflow)

    def go_on(self, answer: int, *, model: str, overflow: Overflow) -> None:
        """Have the rest of an answer written below what there is of it."""
        self._send(answer, model=model, overflow=overflow, text=self.message(answer).text)

    def turn(self, message: int, step: int) -> None:
        """Show another version of a message: the one so many further on, if there is one."""
        versions = self.history.siblings(message)
        at = versions.index(message) + step
        if 0 <= at < len(versions):
            self.history.choose(versions[at])
            self._read_path()

    def stop(self, conversation: int) -> None:
        """Stop the answer that is being written in a conversation; what came so far stays."""
        for answer in self._live():
            if answer.conversation != conversation:
                continue
            self._bridge.send(Stop(answer.request))
            answer.stopped = True
            self._end(answer, "stopped")

    def _answer(self, question: int | None, *, model: str, overflow: Overflow) -> None:
        answer = self.history.add_message(self.id, question, "assistant", "", model=model, state="partial")
        self._send(answer.id, model=model, overflow=overflow)

    def _send(self, answer: int, *, model: str, overflow: Overflow, text: str = "") -> None:
        """Ask the node for the answer, or for what follows `text` of it."""
        coming = Answering(next(self._requests), self.id, answer, model, text)
        self._coming[coming.request] = coming
        self.own_plan_failed.discard(answer)
        self.history.update_message(answer, state="partial", detail="")
        self._read_path()
        upto = next(at for at, message in enumerate(self.path) if message.id == answer)
        self._bridge.send(
            Ask(
                coming.request,
                f"{self._name}-{self.id}",
                model,
                messages_for(self.path[: upto + 1], self.settings),
                sampling_for(self.settings),
                self.settings.max_tokens or DEFAULT_MAX_TOKENS,
                reproducible=repeatable(self.settings),
                overflow=overflow,
            )
        )
        self.answering_changed.emit()
        self.listing_changed.emit()

    def message(self, message: int) -> Message:
        """One of the path."""
        return next(shown for shown in self.path if shown.id == message)

    # --- what the node tells -----------------------------------------------------------------------------------------

    @property
    def answering(self) -> Answering | None:
        """What is being answered in the shown conversation."""
        return next((answer for answer in self._live() if answer.conversation == self.id), None)

    @property
    def answering_in(self) -> frozenset[int]:
        """The conversations in which an answer is being written."""
        return frozenset(answer.conversation for answer in self._live())

    @property
    def busy(self) -> bool:
        """Whether the node has anything more to tell of an answer, also of one that was stopped."""
        return bool(self._coming)

    @property
    def fill(self) -> tuple[int, int]:
        """Tokens that the conversation has, and those that the model can hold; zeros: not known."""
        if (answer := self.answering) and answer.started:
            return answer.started.prompt_tokens + answer.tokens, answer.started.context
        for message in reversed(self.path):
            if (figures := message.figures) and figures.context:
                return figures.prompt_tokens + figures.tokens, figures.context
        return 0, 0

    def coming(self, message: int) -> Answering | None:
        """What comes into this message."""
        return next((answer for answer in self._live() if answer.message == message), None)

    def _live(self) -> list[Answering]:
        return [answer for answer in self._coming.values() if not answer.stopped]

    def _on_event(self, event: Event) -> None:
        answer = self._coming.get(event.request) if isinstance(event, AnswerEvent) else None
        if answer is None or not isinstance(event, AnswerEvent):
            return
        if isinstance(event, AnswerDone):
            del self._coming[event.request]
        if answer.stopped:
            if isinstance(event, AnswerDone):
                self._keep_figures(answer, event)
            return
        answer.take(event)
        if isinstance(event, AnswerText) and not self._write_soon.isActive():
            self._write_soon.start(write_interval_ms(len(answer.text)))
        if isinstance(event, AnswerDone):
            if event.own_plan:
                self.own_plan_failed.add(answer.message)
            self._end(answer, STATES[event.finish], event.detail, answer.figures(event))
        self.told.emit(answer.message, event)

    def _on_node_ended(self, sentence: str) -> None:
        coming, self._coming = self._live(), {}
        for answer in coming:
            self._end(answer, "failed", sentence)
            lost = AnswerDone(answer.request, "failed", (), 0, 0.0, 0.0, sentence)
            self.told.emit(answer.message, lost)

    def _end(self, answer: Answering, state: MessageState, detail: str = "", figures: Figures | None = None) -> None:
        self.history.update_message(answer.message, text=answer.text, state=state, detail=detail, figures=figures)
        self._read_path()
        self.answering_changed.emit()

    def _keep_figures(self, answer: Answering, done: AnswerDone) -> None:
        """Of a stopped answer, unless it goes on already."""
        if all(other.message != answer.message for other in self._coming.values()):
            self.history.update_message(answer.message, figures=answer.figures(done))
            self._read_path()

    def write(self) -> None:
        """Write what came since the last time."""
        for answer in self._live():
            if answer.unwritten:
                self.history.update_message(answer.message, text=answer.text)
                answer.unwritten = False
