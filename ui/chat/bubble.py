"""The messages of the transcript: a question as it was typed, an answer that grows while it is streamed."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from idlepool.engine.events import AnswerDone, AnswerEvent, AnswerPaused, AnswerQueued, AnswerStarted, AnswerText
from idlepool.ui.announcing import announce, announcing
from idlepool.ui.chat.answer_details import details
from idlepool.ui.chat.attachments import split
from idlepool.ui.chat.failure import Failure
from idlepool.ui.chat.message_text import MessageText
from idlepool.ui.chat.message_tools import Act, MessageTools
from idlepool.ui.chat.parts import without_thoughts
from idlepool.ui.chat.spoken_answer import SpokenAnswer
from idlepool.ui.chat.thinking_dots import ThinkingDots
from idlepool.ui.fitted_label import FittedLabel
from idlepool.ui.history.values import Message
from idlepool.ui.numbers import whole
from idlepool.ui.theme import styled

RENDER_INTERVAL_MS: Final = 55
"""A growing answer is drawn at most 18 times a second: the eye sees no more, and Markdown is read anew each time."""

REST_PER_RENDER: Final = 3
"""A very long answer is drawn less often: at least this many times as long as drawing it took lies in between."""

FOUND_MS: Final = 2500
"""How long the message is marked that was searched for."""

MARGIN_X: Final = 16
MARGIN_Y: Final = 10


class Bubble(QWidget):
    """A rounded frame around one text, and the tools of the message below it."""

    wanted = Signal(object)
    """An Act."""

    def __init__(self, name: str, offered: tuple[Act, ...], *, at_right: bool) -> None:
        super().__init__()
        self.message = 0
        """Its number in the history."""
        self.source = ""
        """Its text as it was written, files that went with it included."""
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.frame = styled(QFrame(), name)
        self.frame.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.text = MessageText(markdown=not at_right)
        self.tools = MessageTools(offered, at_right=at_right)
        self.tools.wanted.connect(self.wanted)
        self.column = QVBoxLayout(self.frame)
        self.column.setContentsMargins(MARGIN_X, MARGIN_Y, MARGIN_X, MARGIN_Y)
        self.column.setSpacing(8)
        self.column.addWidget(self.text)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.frame, 0, Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft)
        rows.addWidget(self.tools)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What the tab key stops at, in its order; the tools join it when they are made."""
        return self.text, *self.tools.controls

    @property
    def plain(self) -> str:
        """What a copy of the message brings."""
        return self.source

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        self.setMaximumWidth(limit)
        self.text.fit(limit - 2 * MARGIN_X - 2)

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.plain)
        self.tools.tell_copied()

    def reveal_tools(self, shown: bool) -> None:
        """Show what can be done with the message: it is pointed at, or has the focus."""
        made = len(self.tools.buttons)
        self.tools.reveal(shown)
        if len(self.tools.buttons) > made:
            stops = [*self.text.controls, *self.controls[1:]]
            for one, following in pairwise(stops):
                QWidget.setTabOrder(one, following)

    def mark_found(self) -> None:
        """Mark the message for a moment: it is the one that was searched for."""
        self._set_mark("found", True)
        QTimer.singleShot(FOUND_MS, self, lambda: self._set_mark("found", False))

    def _set_mark(self, name: str, marked: bool) -> None:
        self.frame.setProperty(name, marked)
        self.frame.style().unpolish(self.frame)
        self.frame.style().polish(self.frame)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the tools."""
        super().enterEvent(event)
        self.reveal_tools(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the tools, unless the focus is here."""
        super().leaveEvent(event)
        focus = self.window().focusWidget()
        self.reveal_tools(focus is not None and self.isAncestorOf(focus))


class QuestionBubble(Bubble):
    """What the user wrote, letter by letter as it was written; files that went with it by their names."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__("question", (Act.EDIT, Act.COPY), at_right=True)
        self.setParent(parent)
        self.source = question
        typed, attachments = split(question)
        self.text.setAccessibleName(self.tr("Your message"))
        self.text.show_text(typed)
        self.text.setVisible(bool(typed) or not attachments)
        self._files = [FittedLabel() for _ in attachments]
        for label, attachment in zip(self._files, attachments, strict=True):
            self.column.addWidget(styled(label, "attached"))
            label.show_text(self.tr("{name} (about {n} tokens)").format(name=attachment.name, n=attachment.tokens))

    def set_edited(self, edited: bool) -> None:
        """Mark the message that is being edited."""
        self._set_mark("edited", edited)

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        super().fit(limit)
        for label in self._files:
            label.fit(limit - 2 * MARGIN_X - 2)


class AnswerBubble(Bubble):
    """An answer: first three dots, then text that grows, at the end perhaps a note or a failure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("answer", (Act.COPY, Act.AGAIN, Act.GO_ON, Act.DETAILS), at_right=False)
        self.setParent(parent)
        self._answered_by = ""
        self._spoken = SpokenAnswer(self)
        self.text.setAccessibleName(self.tr("Answer"))
        self.text.hide()
        self._dots = ThinkingDots(self.tr("Thinking"))
        self._wait = styled(FittedLabel(), "muted")
        self._note = styled(FittedLabel(), "muted")
        self._details = styled(FittedLabel(), "muted")
        self._failure = Failure()
        self._failure.hide()
        self._failure.again.connect(lambda: self.wanted.emit(Act.AGAIN))
        self._failure.go_on.connect(lambda: self.wanted.emit(Act.GO_ON))
        self._failure.automatic.connect(lambda: self.wanted.emit(Act.AUTOMATIC))
        for widget in (self._dots, self._wait, self._note, self._failure, self._details):
            self.column.addWidget(widget)
        self._render_soon = QTimer(self, singleShot=True, interval=RENDER_INTERVAL_MS)
        self._render_soon.timeout.connect(self._render)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """The buttons below a failure too; those are skipped while they are hidden."""
        return self.text, *self._failure.buttons, *self.tools.controls

    @property
    def plain(self) -> str:
        """The Markdown that the model wrote, without what it thought before."""
        return without_thoughts(self.source)

    def show_message(self, message: Message, *, coming: bool, own_plan: bool = False) -> None:
        """Show an answer as the history keeps it; `coming`: more of it is being written, `own_plan`: see fail()."""
        self.source = message.text
        self._answered_by = self._words_for(message.figures.answered_by if message.figures else "")
        if coming:
            self._spoken.begin()
            self._render()
            return
        match message.state:
            case "failed":
                self.fail(message.detail or self.tr("The answer broke off."), own_plan=own_plan)
            case "partial":
                self.fail(self.tr("The answer broke off when Idlepool ended."))
            case state:
                self.finish(self._note_for(state, message.detail))

    def take(self, event: AnswerEvent) -> None:
        """Show what is told of the answer."""
        match event:
            case AnswerStarted(answered_by=pc):  # it reads the conversation
                self._answered_by = self._words_for(pc)
                self._note.show_text(self._answered_by)
            case AnswerQueued(position=position):
                places = {0: "", 1: self.tr("Next in line")}
                later = self.tr("Number {place} in line").format(place=whole(position))
                self._tell_wait(places.get(position, later))
            case AnswerPaused(sentence=sentence):
                self._render_soon.stop()
                self._render()
                self._tell_wait(sentence)
            case AnswerText(text=text):
                self.append(text)
            case AnswerDone(finish="failed"):
                self.fail(event.detail or self.tr("The answer broke off."), own_plan=event.own_plan)
            case AnswerDone(finish="cancelled"):
                self.finish(self._note_for("stopped", ""))
            case AnswerDone(finish=finish):
                self.finish(self._note_for("length" if finish == "length" else "done", event.detail))

    def append(self, text: str) -> None:
        """Add streamed text; it is drawn with what comes in the next moment."""
        self.source += text
        if not self._render_soon.isActive():
            self._render_soon.start()

    def finish(self, note: str = "") -> None:
        """No more text comes; `note` says why it ends early, if it does."""
        self._end()
        if not self.source and not note:
            note = self.tr("The model had nothing to say")
        self._note.show_text(" · ".join(filter(None, (note, self._answered_by))))
        self.tools.leave_out(Act.GO_ON, not (note and self.source))
        self._spoken.end(self.text.toPlainText(), self._note.text())

    def fail(self, sentence: str, *, own_plan: bool = False) -> None:
        """The answer broke off: the text so far stays, the sentence and a way to go on come below it.

        `own_plan`: because of a plan that was made by hand.
        """
        self._end()
        self._failure.show_sentence(sentence, begun=bool(self.source), own_plan=own_plan)
        self.tools.leave_out(Act.GO_ON, True)  # it stands below the sentence
        self._spoken.end(self.text.toPlainText(), sentence)

    def resume(self) -> None:
        """The rest of the text comes after all."""
        self._failure.hide()
        self._note.show_text("")
        self._spoken.begin(self.text.toPlainText())
        self._dots.show()

    def forbid_retry(self) -> None:
        """The conversation went on below: the buttons for what broke off are out of place."""
        self._failure.forbid()
        self.tools.leave_out(Act.GO_ON, True)

    def show_details(self, message: Message | None) -> None:
        """Unfold what is known of how the answer came; None: fold it again."""
        self._details.show_text(details(message) if message else "")
        self.tools.set_checked(Act.DETAILS, message is not None)

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        super().fit(limit)
        for part in (self._wait, self._note, self._failure, self._details):
            part.fit(limit - 2 * MARGIN_X - 2)

    def _tell_wait(self, words: str) -> None:
        self._wait.show_text(words)
        announce(self, words)

    def _note_for(self, state: str, detail: str) -> str:
        notes = {"length": detail or self.tr("Longest length reached"), "stopped": self.tr("Stopped")}
        return notes.get(state, "")

    def _words_for(self, pc: str) -> str:
        return self.tr("Answered by {pc}").format(pc=pc) if pc else ""

    def _end(self) -> None:
        self._render_soon.stop()
        self._render()
        self._dots.hide()
        self._wait.hide()

    def _render(self) -> None:
        if not self.source:
            return
        self._dots.hide()
        self._wait.hide()
        watch = QElapsedTimer()
        watch.start()
        self.text.show_text(self.source)
        self.text.show()
        if announcing():
            self._spoken.grow(self.text.toPlainText())
        self._render_soon.setInterval(max(RENDER_INTERVAL_MS, REST_PER_RENDER * watch.elapsed()))
