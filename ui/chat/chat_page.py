"""The chat page: what the user does becomes the session's doing, and what the session hears becomes a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QTimer, Signal

from idlepool.engine.events import AnswerDone, AnswerEvent, AnswerStarted, AnswerText
from idlepool.ui.banner import Banners
from idlepool.ui.chat.attachments import CHARACTERS_PER_TOKEN, AttachmentRefused, read_attachment
from idlepool.ui.chat.bubble import AnswerBubble, Bubble, QuestionBubble
from idlepool.ui.chat.chat_layout import ChatLayout
from idlepool.ui.chat.conversation_settings import ConversationSettings
from idlepool.ui.chat.message_tools import Act
from idlepool.ui.chat.node_picture import NodePicture
from idlepool.ui.chat.prompt import DEFAULT_MAX_TOKENS
from idlepool.ui.chat.session import ChatSession
from idlepool.ui.chat.shown_path import ShownPath
from idlepool.ui.history.history import History
from idlepool.ui.node_state import NodeState
from idlepool.ui.shortcuts import bind

DRAFT_REST_MS: Final = 400
"""What is being written is kept when no key was struck for so long."""


class ChatPage(ChatLayout):
    """One conversation is shown; others may be answered meanwhile."""

    state_changed = Signal(str, bool)
    """The state in a few words, and whether questions can be answered."""

    conversation_changed = Signal(int)
    """Which one is shown; 0: one that is not begun yet."""

    conversations_changed = Signal()
    """A title, or the order: who lists them reads them again."""

    answering_changed = Signal(object)
    """frozenset[int]: the conversations in which an answer is being written."""

    def __init__(self, state: NodeState, banners: Banners, history: History) -> None:
        super().__init__()
        self.session = ChatSession(history, state.bridge, self)
        self.node = NodePicture(state, banners, self)
        self._shown = ShownPath(self.session, self.transcript, self)
        self._shown_id = 0
        self._draft_soon = QTimer(self, singleShot=True, interval=DRAFT_REST_MS)
        self._connect()
        self._bind()
        self._update_state()

    def _connect(self) -> None:
        self.node.changed.connect(self._update_state)
        self.session.told.connect(self._on_told)
        self.session.answering_changed.connect(self._on_answering)
        self.session.listing_changed.connect(self.conversations_changed)
        self._shown.wanted.connect(self._act)
        self.header.new_conversation.connect(self.new_conversation)
        self.header.settings_requested.connect(self.show_settings)
        self.welcome.example_chosen.connect(self.ask)
        self.composer.submitted.connect(self._on_submitted)
        self.composer.stop_requested.connect(self.stop)
        self.composer.changed.connect(self._draft_soon.start)
        self.composer.files_given.connect(self.attach)
        self.composer.edit_given_up.connect(lambda: self._shown.mark_edited(0))
        self.composer.field.went_up.connect(self.edit_last)
        self._draft_soon.timeout.connect(self.keep_draft)

    def _bind(self) -> None:
        bind(self, "stop", self.give_up)
        bind(self, "copy answer", self.copy_last)
        bind(self, "answer again", self.ask_again)
        bind(self, "attach", self.composer.choose_files)
        bind(self, "conversation settings", self.show_settings)

    # --- which conversation ------------------------------------------------------------------------------------------

    def open_conversation(self, conversation: int) -> None:
        """Show a conversation, at its end; one that is not there any more: one that is not begun yet."""
        self._leave()
        try:
            self.session.open(conversation)
        except LookupError:
            self.session.leave()
        self._enter()

    def new_conversation(self) -> None:
        """Show one that is not begun yet. An answer that comes goes on coming."""
        self._show_none()
        self.composer.setFocus()

    def show_found(self, message: int) -> None:
        """Bring a message of the shown conversation in sight that was searched for."""
        self._shown.find(message)

    def close_conversation(self, conversation: int) -> None:
        """It was deleted: no answer is written in it any more, and if it is shown, another one is. The keyboard stays
        in the list, where more may be deleted."""
        self.session.stop(conversation)
        if conversation == self.session.id:
            self._show_none()

    def keep(self) -> None:
        """Write all that is not written yet: the application ends."""
        self.keep_draft()
        self.session.write()

    def keep_draft(self) -> None:
        """Keep what is being written."""
        self._draft_soon.stop()
        self.session.save_draft(self.composer.draft)
        self._tell_shown()

    def _show_none(self) -> None:
        self._leave()
        self.session.leave()
        self._enter()

    def _leave(self) -> None:
        self.composer.end_edit()
        self.keep_draft()

    def _enter(self) -> None:
        self.context_notice.reset()
        self.pipeline_line.show_speed(0)
        if self.session.conversation and self.session.conversation.model:
            self.header.prefer(self.session.conversation.model)
        self.composer.write(self.session.draft)
        self._draft_soon.stop()
        self._show()
        self.transcript.follow()

    def _show(self) -> None:
        self.show_begun(bool(self.session.path))
        self._shown.show()
        self.show_fill(*self.session.fill)
        self._update_state()
        self._tell_shown()

    def _tell_shown(self) -> None:
        if self.session.id != self._shown_id:
            self._shown_id = self.session.id
            self.conversation_changed.emit(self._shown_id)

    # --- what the user does ------------------------------------------------------------------------------------------

    def ask(self, question: str) -> None:
        """Show the question and send the conversation with it."""
        if self._can_ask:
            self.session.ask(question, model=self.header.model, overflow=self.context_notice.overflow)
            self._begin()
            self.transcript.follow()

    def ask_again(self) -> None:
        """Have the last question answered once more."""
        if last := self._shown.last(AnswerBubble):
            self._act(last, Act.AGAIN)

    def edit_last(self) -> None:
        """Write the last question anew."""
        if last := self._shown.last(QuestionBubble):
            self._act(last, Act.EDIT)

    def copy_last(self) -> None:
        """Put the last answer on the clipboard."""
        if last := self._shown.last(AnswerBubble):
            last.copy()

    def stop(self) -> None:
        """Stop the answer; what came so far stays."""
        if answer := self.session.answering:
            bubble = self._shown.bubble(answer.message)
            self.session.stop(self.session.id)
            if isinstance(bubble, AnswerBubble):
                bubble.finish(self.tr("Stopped"))

    def give_up(self) -> None:
        """Stop the answer, or else the editing of an earlier message."""
        if self.session.answering:
            self.stop()
        else:
            self.composer.end_edit()

    def show_settings(self) -> None:
        """Open the settings of this conversation."""
        dialog = ConversationSettings(self.session.history, self.session.settings, self)
        dialog.chosen.connect(self.session.save_settings)
        dialog.open()

    def attach(self, paths: list[Path]) -> None:
        """Put text files into the message; those that cannot go in are named."""
        refused = []
        for path in paths:
            try:
                self.composer.attach(read_attachment(path, room=self._room))
            except AttachmentRefused as error:
                refused.append(str(error))
        self.composer.refuse(*refused)

    def _on_submitted(self, message: str) -> None:
        edited = self._shown.edited
        self.composer.end_edit()
        if edited:
            self.session.edit(edited, message, model=self.header.model, overflow=self.context_notice.overflow)
            self._begin()
            self.transcript.follow()
        else:
            self.ask(message)

    def _act(self, bubble: Bubble, act: Act) -> None:
        match act:
            case Act.COPY:
                bubble.copy()
            case Act.DETAILS if isinstance(bubble, AnswerBubble):
                self._shown.turn_details(bubble)
            case Act.EDIT if isinstance(bubble, QuestionBubble):
                self.composer.edit(bubble.source)
                self._shown.mark_edited(bubble.message)
            case Act.PREVIOUS | Act.NEXT if not self.session.answering:
                restore_focus = self._shown.focus_after(bubble, act)
                self.session.turn(bubble.message, 1 if act == Act.NEXT else -1)
                self._show()
                restore_focus()
            case Act.AUTOMATIC if self._can_ask:
                self.node.plan_automatically(self.session.message(bubble.message).model)
                self._act(bubble, Act.AGAIN)
            case Act.AGAIN | Act.GO_ON if self._can_ask and isinstance(bubble, AnswerBubble):
                do = self.session.regenerate if act == Act.AGAIN else self.session.go_on
                do(bubble.message, model=self.header.model, overflow=self.context_notice.overflow)
                if bubble.message == self.session.path[-1].id:
                    bubble.resume()
                self._begin()

    def _begin(self) -> None:
        self.pipeline_line.show_speed(0)
        self.keep_draft()
        self._show()
        self.composer.setFocus()

    @property
    def _room(self) -> int:
        """Tokens that may still come into the message; 0: not known."""
        context = self.node.context
        if not context:
            return 0
        written = len(self.composer.message) // CHARACTERS_PER_TOKEN
        answer = min(DEFAULT_MAX_TOKENS, context // 4)
        return max(1, context - self.session.fill[0] - written - answer)

    # --- what the session hears --------------------------------------------------------------------------------------

    def _on_told(self, message: int, event: AnswerEvent) -> None:
        if not self._shown.take(message, event):
            return
        match event:
            case AnswerStarted():
                self.node.tell_started(event)
                self.composer.meter.show_fill(*self.session.fill)
                if notice := self.context_notice.tell_dropped(event):
                    self.transcript.add_notice(notice)
            case AnswerText():
                self.pipeline_line.show_speed(event.tokens_per_second)
            case AnswerDone():
                self.pipeline_line.show_end(event)
                self.show_fill(*self.session.fill)

    def _on_answering(self) -> None:
        self._shown.set_busy(self.session.answering is not None)
        self._update_state()
        self.answering_changed.emit(self.session.answering_in)

    # --- keeping the picture true ------------------------------------------------------------------------------------

    def show_starting(self) -> None:
        """The node was started again."""
        self.node.show_starting()

    @property
    def _can_ask(self) -> bool:
        return self.node.can_answer and self.session.answering is None

    @property
    def state_words(self) -> str:
        """What the page does now, in a few words."""
        return self.node.words(answering=self.session.answering is not None)

    def _update_state(self) -> None:
        answering = self.session.answering is not None
        self.composer.set_ready(self.node.can_answer)
        self.composer.set_answering(answering)
        self.header.set_locked(answering)
        self.node.show_pipeline()
        self.load_view.show_pipeline(self.node.pipeline if answering else None)
        self.state_changed.emit(self.state_words, self.node.can_answer)
