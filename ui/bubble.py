"""The bubbles of the transcript: a question as it was typed, an answer that grows while it is streamed."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from idlepool.engine.events import AnswerDone, AnswerEvent, AnswerPaused, AnswerQueued, AnswerStarted, AnswerText
from idlepool.ui.failure import Failure
from idlepool.ui.fitted_label import FittedLabel
from idlepool.ui.message_text import MessageText
from idlepool.ui.theme import styled

RENDER_INTERVAL_MS: Final = 55
"""A growing answer is drawn at most 18 times a second: the eye sees no more, and Markdown is read anew each time."""

REST_PER_RENDER: Final = 3
"""A very long answer is drawn less often: at least this many times as long as drawing it took lies in between."""

MARGIN_X: Final = 16
MARGIN_Y: Final = 10


class Bubble(QFrame):
    """A rounded frame around one text."""

    def __init__(self, name: str, *, markdown: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.text = MessageText(markdown=markdown)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(MARGIN_X, MARGIN_Y, MARGIN_X, MARGIN_Y)
        self.column.setSpacing(8)
        self.column.addWidget(self.text)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What the tab key stops at, in its order."""
        return (self.text,)

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        self.setMaximumWidth(limit)
        self.text.fit(limit - 2 * MARGIN_X - 2)


class QuestionBubble(Bubble):
    """What the user wrote, letter by letter as it was written."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__("question", markdown=False, parent=parent)
        self.text.setAccessibleName(self.tr("Your message"))
        self.text.show_text(question)


class AnswerBubble(Bubble):
    """An answer: first three dots, then text that grows, at the end perhaps a note or a failure."""

    ask_again = Signal()
    go_on = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("answer", markdown=True, parent=parent)
        self.source = ""
        self._answered_by = ""
        self.text.setAccessibleName(self.tr("Answer"))
        self.text.hide()
        self._dots = ThinkingDots(self.tr("Thinking"))
        self._wait = styled(FittedLabel(), "muted")
        self._note = styled(FittedLabel(), "muted")
        self._failure = Failure()
        self._failure.hide()
        self._failure.again.connect(self.ask_again)
        self._failure.go_on.connect(self.go_on)
        for widget in (self._dots, self._wait, self._note, self._failure):
            self.column.addWidget(widget)
        self._render_soon = QTimer(self, singleShot=True, interval=RENDER_INTERVAL_MS)
        self._render_soon.timeout.connect(self._render)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """The text, and the buttons below a failure; those are skipped while they are hidden."""
        return self.text, *self._failure.buttons

    def take(self, event: AnswerEvent) -> None:
        """Show what is told of the answer."""
        match event:
            case AnswerStarted(answered_by=pc):  # it reads the conversation
                self._answered_by = self.tr("Answered by {pc}").format(pc=pc) if pc else ""
                self._note.show_text(self._answered_by)
            case AnswerQueued(position=position):
                places = {0: "", 1: self.tr("Next in line")}
                ordinal = self.tr("{place} in line").format(place=event.ordinal)
                self._wait.show_text(places.get(position, ordinal))
            case AnswerPaused(sentence=sentence):
                self._render_soon.stop()
                self._render()
                self._wait.show_text(sentence)
            case AnswerText(text=text):
                self.append(text)
            case AnswerDone(finish="failed"):
                self.fail(event.detail or self.tr("The answer broke off."))
            case AnswerDone(finish=finish):
                notes = {"length": event.detail or self.tr("Longest length reached"), "cancelled": self.tr("Stopped")}
                self.finish(notes.get(finish, ""))

    def append(self, text: str) -> None:
        """Add streamed text; it is drawn with what comes in the next moment."""
        self.source += text
        if not self._render_soon.isActive():
            self._render_soon.start()

    def finish(self, note: str = "") -> None:
        """No more text comes; `note` says why, where that is worth saying."""
        self._end()
        if not self.source and not note:
            note = self.tr("The model had nothing to say")
        self._note.show_text(" · ".join(filter(None, (note, self._answered_by))))

    def fail(self, sentence: str) -> None:
        """The answer broke off: the text so far stays, the sentence and a way to go on come below it."""
        self._end()
        self._failure.show_sentence(sentence, begun=bool(self.source))

    def resume(self) -> None:
        """The rest of the text comes after all."""
        self._failure.hide()
        self._dots.show()

    def forbid_retry(self) -> None:
        """The conversation went on: asking this again would rewrite what followed."""
        self._failure.forbid()

    def fit(self, limit: int) -> None:
        """Be at most `limit` pixels wide."""
        super().fit(limit)
        for part in (self._wait, self._note, self._failure):
            part.fit(limit - 2 * MARGIN_X - 2)

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
        self._render_soon.setInterval(max(RENDER_INTERVAL_MS, REST_PER_RENDER * watch.elapsed()))


class ThinkingDots(QWidget):
    """Three dots that take turns, until the first word comes."""

    PHASES: Final = 3
    PHASE_MS: Final = 320

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._phase = 0
        self._timer = QTimer(self, interval=self.PHASE_MS)
        self._timer.timeout.connect(self._advance)

    def sizeHint(self) -> QSize:
        """Three dots in a line of text."""
        line = self.fontMetrics().height()
        return QSize(2 * line, line + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dots, the one whose turn it is in full strength."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(QPalette.ColorRole.PlaceholderText))
        dot = round(self.fontMetrics().height() * 0.4)
        for index in range(self.PHASES):
            painter.setOpacity(1.0 if index == self._phase else 0.35)
            painter.drawEllipse(index * (dot + 4), (self.height() - dot) // 2, dot, dot)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to count."""
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody sees the dots."""
        super().hideEvent(event)
        self._timer.stop()

    def _advance(self) -> None:
        self._phase = (self._phase + 1) % self.PHASES
        self.update()
