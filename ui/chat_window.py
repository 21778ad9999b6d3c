"""The chat window: it turns what the user does into commands for the node, and what the node tells into a picture."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from idlepool.engine.events import (
    AddModel,
    AnswerDone,
    AnswerEvent,
    AnswerPaused,
    AnswerQueued,
    AnswerStarted,
    AnswerText,
    Event,
    ModelInfo,
    ModelProgress,
    ModelsChanged,
    NodeReady,
    PipelineChanged,
    PoolChanged,
    Stop,
    Trouble,
)
from idlepool.ui.app_icon import app_icon
from idlepool.ui.banner import Banner, Banners
from idlepool.ui.bridge import Bridge
from idlepool.ui.bubble import AnswerBubble
from idlepool.ui.composer import Composer
from idlepool.ui.context_notice import ContextNotice
from idlepool.ui.conversation import Conversation
from idlepool.ui.details import show_details
from idlepool.ui.header import Header
from idlepool.ui.pipeline_line import PipelineLine
from idlepool.ui.theme import column_width, styled
from idlepool.ui.transcript import MARGIN, Transcript
from idlepool.ui.welcome import Welcome

SMALLEST: Final = (420, 480)
DEFAULT: Final = (900, 680)
STARTER: Final = "starter"


class ChatWindow(QWidget):
    """One conversation at a time. An answer belongs to the request number that was sent with its question."""

    state_changed = Signal(str, bool)
    """The state in a few words, and whether questions can be answered."""

    closed = Signal()

    def __init__(self, bridge: Bridge, *, title: str = "Idlepool") -> None:
        super().__init__()
        self._bridge = bridge
        self._conversation = Conversation()
        self._request = 0
        self._answer: AnswerBubble | None = None
        self._last_answer: AnswerBubble | None = None
        self._node_ready = False
        self._pool_words = ""
        self._answered_by: dict[str, str] = {}
        self._pipelines: dict[str, PipelineChanged] = {}
        self.setWindowTitle(title)
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*SMALLEST)
        self.resize(*DEFAULT)
        self._build()
        self._connect()
        self._update_state()

    # --- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.header = Header()
        self.banners = Banners()
        self.welcome = Welcome()
        self.transcript = Transcript()
        self.context_notice = ContextNotice()
        self.composer = Composer()
        self.pipeline_line = PipelineLine()
        self._middle = QStackedWidget()
        self._middle.addWidget(self.welcome)
        self._middle.addWidget(self.transcript)
        footer = styled(QFrame(), "footer")
        self._footer = QVBoxLayout(footer)
        self._footer.setSpacing(8)
        self._footer.addWidget(self.context_notice)
        self._footer.addWidget(self.composer)
        self._footer.addWidget(self.pipeline_line)
        window = QVBoxLayout(self)
        window.setContentsMargins(0, 0, 0, 0)
        window.setSpacing(0)
        window.addWidget(self.header)
        window.addWidget(self.banners)
        window.addWidget(self._middle, 1)
        window.addWidget(footer)
        self.composer.setFocus()

    def _connect(self) -> None:
        self._bridge.received.connect(self._on_event)
        self._bridge.node_ended.connect(self._on_node_ended)
        self.header.model_chosen.connect(self._update_state)
        self.header.new_conversation.connect(self.new_conversation)
        self.welcome.example_chosen.connect(self.ask)
        self.welcome.starter_requested.connect(lambda: self._bridge.send(AddModel(STARTER)))
        self.composer.submitted.connect(self.ask)
        self.composer.stop_requested.connect(self.stop)
        QShortcut(QKeySequence(QKeySequence.StandardKey.New), self, self.new_conversation)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.stop)

    # --- what the user does ------------------------------------------------------------------------------------------

    def ask(self, question: str) -> None:
        """Show the question and send the conversation with it."""
        if not self._can_ask:
            return
        self._conversation.ask(question)
        self._middle.setCurrentWidget(self.transcript)
        self.transcript.add_question(question)
        self.composer.setFocus()
        self._begin_answer()

    def ask_again(self) -> None:
        """Ask the last question anew. The failed answer stays in sight, but the model is not told of it."""
        if self._can_ask and self._conversation.turns:
            self._conversation.retry()
            self.transcript.follow()
            self._begin_answer()

    def go_on(self) -> None:
        """Have the rest of the last answer, which broke off, written below what there is of it."""
        if self._can_ask and self._last_answer:
            self._answer = self._last_answer
            self._answer.resume()
            self._send_question()

    def stop(self) -> None:
        """Stop the answer; what came so far stays."""
        if self._answer:
            self._bridge.send(Stop(self._request))
            self._answer.finish(self.tr("Stopped"))
            self._end_answer()

    def new_conversation(self) -> None:
        """Stop the answer and begin with an empty transcript."""
        self.stop()
        self._conversation = Conversation()
        self._last_answer = None
        self.transcript.clear()
        self.context_notice.reset()
        self.pipeline_line.show_speed(0)
        self._middle.setCurrentWidget(self.welcome)
        self.composer.setFocus()

    def bring_to_front(self) -> None:
        """Show the window above the others, also when it was hidden or minimised."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the composer as wide as the conversation."""
        super().resizeEvent(event)
        width = column_width(self, self.width() - 2 * MARGIN)
        side = (self.width() - width) // 2
        self.context_notice.fit(width)
        self._footer.setContentsMargins(side, 4, side, 10)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Only hide; what closing means depends on whether there is a tray."""
        super().closeEvent(event)
        self.closed.emit()

    # --- what the node tells -----------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        match event:
            case NodeReady():
                self._node_ready = True
                self._pool_words = self.header.show_pool(())
                self._on_models(event.models)
            case ModelsChanged():
                self._on_models(event.models)
            case PoolChanged():
                self._pool_words = self.header.show_pool(event.peers)
                self.welcome.show_models(any_here=bool(self.header.model))
            case PipelineChanged():
                self._pipelines[event.model] = event
                self._answered_by.pop(event.model, None)
            case AnswerStarted() | AnswerQueued() | AnswerPaused() | AnswerText() | AnswerDone():
                self._on_answer(event)
                return  # hundreds a second; the end of an answer updates the state itself
            case ModelProgress():
                self.welcome.first_model.show_progress(event)
            case Trouble():
                self.welcome.first_model.reset()
                self.banners.tell(event)
        self._update_state()

    def _on_models(self, models: tuple[ModelInfo, ...]) -> None:
        self.header.show_models(models)
        self.welcome.first_model.reset()
        self.welcome.show_models(any_here=bool(self.header.model))

    def _on_answer(self, event: AnswerEvent) -> None:
        if self._answer is None or event.request != self._request:
            return  # late news of an answer that was stopped
        self._answer.take(event)
        match event:
            case AnswerStarted():
                self._answered_by[self.header.model] = event.answered_by
                self._show_pipeline()
                if notice := self.context_notice.start(event):
                    self.transcript.add_notice(notice)
            case AnswerText():
                self.pipeline_line.show_speed(event.tokens_per_second)
                self._conversation.extend_answer(event.text)
            case AnswerDone():
                self.pipeline_line.show_end(event)
                self.context_notice.end(event)
                self._end_answer()

    def _on_node_ended(self, sentence: str) -> None:
        self._node_ready = False
        self._pipelines.clear()
        self._answered_by.clear()
        self.header.show_stopped()
        self.welcome.show_waiting(self.tr("Not running"))
        if self._answer:
            self._answer.fail(sentence)
            self._end_answer()
        banner = self.banners.add(sentence, self.tr("Start it again to go on; the conversation is kept."))
        banner.add_action(self.tr("Details"), lambda: show_details(self, self._bridge.details))
        banner.add_action(self.tr("Start again"), lambda: self._restart(banner))
        self._update_state()

    def _restart(self, banner: Banner) -> None:
        self.banners.remove(banner)
        self.header.show_starting()
        self.welcome.show_waiting(self.tr("Starting …"))
        self._bridge.start()
        self._update_state()

    # --- keeping the picture true ------------------------------------------------------------------------------------

    @property
    def _can_ask(self) -> bool:
        return self._node_ready and bool(self.header.model) and self._answer is None

    def _begin_answer(self) -> None:
        if self._last_answer:
            self._last_answer.forbid_retry()
        self._answer = self._last_answer = self.transcript.add_answer()
        self._answer.ask_again.connect(self.ask_again)
        self._answer.go_on.connect(self.go_on)
        self._send_question()

    def _send_question(self) -> None:
        self._request += 1
        self.pipeline_line.show_speed(0)
        overflow = self.context_notice.overflow
        self._bridge.send(self._conversation.question(self._request, model=self.header.model, overflow=overflow))
        self._update_state()

    def _end_answer(self) -> None:
        self._answer = None
        self._update_state()

    def _show_pipeline(self) -> None:
        model = self.header.model
        if not self._node_ready or not model:
            self.pipeline_line.show_words(self.state_words)
        elif elsewhere := self._answered_by.get(model):
            self.pipeline_line.show_elsewhere(elsewhere)
        else:
            self.pipeline_line.show_pipeline(self._pipelines.get(model))

    def _update_state(self) -> None:
        self.composer.set_ready(self._node_ready and bool(self.header.model))
        self.composer.set_answering(self._answer is not None)
        self.header.set_locked(self._answer is not None)
        self._show_pipeline()
        self.state_changed.emit(self.state_words, self._node_ready and bool(self.header.model))

    @property
    def state_words(self) -> str:
        """What the window does now, in a few words."""
        if not self._node_ready:
            return self.tr("Starting …") if self._bridge.running else self.tr("Not running")
        if not self.header.model:
            return self.tr("No model yet")
        state = self.tr("Answering") if self._answer else self.tr("Ready")
        return f"{state} · {self._pool_words}"
