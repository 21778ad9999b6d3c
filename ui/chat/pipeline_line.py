"""The one line below the chat: which PC holds which layers, what it is doing, and how fast it goes."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from idlepool.engine.events import AnswerDone, PipelineChanged, PipelineState, StageInfo
from idlepool.ui.elided_label import ElidedLabel
from idlepool.ui.numbers import decimal
from idlepool.ui.theme import colours, plain_tooltip, styled

WORTH_SAYING_S = 3
"""From then on it is said for how long a PC has been preparing."""


class PipelineLine(QWidget):
    """A dot for the state, the chain of PCs (shortened in the middle where it is too long), and the speed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: PipelineState = "none"
        self._dot = QLabel("●")
        self._chain = styled(ElidedLabel(Qt.TextElideMode.ElideMiddle), "muted")
        self._speed = styled(QLabel(), "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(8)
        row.addWidget(self._dot)
        row.addWidget(self._chain, 1)
        row.addWidget(self._speed)

    @property
    def text(self) -> str:
        """All that the line says, not shortened."""
        return "   ·   ".join(filter(None, (self._chain.text(), self._speed.text())))

    def show_pipeline(self, pipeline: PipelineChanged | None) -> None:
        """Show the pipeline of the chosen model."""
        self._show(describe(pipeline), pipeline.state if pipeline else "none")

    def show_elsewhere(self, pc: str) -> None:
        """Show that another PC's pipeline answers; which layers are where is not known here."""
        self._show(self.tr("{pc} answers: this model runs there").format(pc=pc), "ready")

    def show_words(self, words: str) -> None:
        """Show why there is no pipeline to speak of."""
        self._show(words, "none")

    def show_speed(self, tokens_per_second: float, details: str = "") -> None:
        """Show how fast the answer comes or came; 0 shows nothing. `details` are for who points at it."""
        text = self.tr("{speed} tokens/s").format(speed=decimal(tokens_per_second)) if tokens_per_second else ""
        self._speed.setText(text)
        self._speed.setToolTip(plain_tooltip(details))

    def show_end(self, done: AnswerDone) -> None:
        """Show how fast an answer came that is over."""
        details = [self.tr("First word after {seconds} s").format(seconds=decimal(done.time_to_first_token_ms / 1e3))]
        if done.drafted:
            drafts = self.tr("{accepted} of {drafted} guessed tokens were right")
            details.append(drafts.format(accepted=done.accepted, drafted=done.drafted))
        failed = done.finish == "failed"
        self.show_speed(0 if failed else done.tokens_per_second, "" if failed else "\n".join(details))

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_dot()

    def _show(self, words: str, state: PipelineState) -> None:
        self._state = state
        self._chain.show_text(words)
        self._colour_dot()
        if state != "ready":
            self._speed.clear()

    def _colour_dot(self) -> None:
        theme = colours()
        colours_of = {"none": theme.muted, "preparing": theme.busy, "ready": theme.good, "broken": theme.error}
        colour = colours_of[self._state]
        style = f"color: {colour}"
        if self._dot.styleSheet() != style:
            self._dot.setStyleSheet(style)


def describe(pipeline: PipelineChanged | None) -> str:
    """The chain of a pipeline in words, e.g. "idle-1: layers 0–12 (CPU) → idle-2: layers 13–29 (CPU)"."""
    if pipeline is None or pipeline.state == "none":
        return _tr("The layers are spread over the PCs with your first message.")
    if pipeline.state == "broken":
        return pipeline.detail or _tr("The chain of PCs is broken.")
    chain = " → ".join(_describe_stage(stage) for stage in pipeline.stages)
    if pipeline.state == "preparing":
        return _tr("Preparing: {chain}").format(chain=chain) if chain else pipeline.detail or _tr("Preparing …")
    return chain


def _describe_stage(stage: StageInfo) -> str:
    last = stage.last - 1
    if stage.first == last:
        layers = _tr("layer {first}").format(first=stage.first)
    else:
        layers = _tr("layers {first}–{last}").format(first=stage.first, last=last)
    doing = _describe_phase(stage)
    return f"{stage.name}: {layers} ({doing})" if doing else f"{stage.name}: {layers}"


def _describe_phase(stage: StageInfo) -> str:
    words = {"fetching": _fetching(stage), "loading": _tr("loading"), "compiling": _tr("getting ready")}
    words["waiting"] = _tr("waiting")
    if stage.phase in words:
        seconds = _tr(", {seconds} s").format(seconds=stage.phase_s) if stage.phase_s >= WORTH_SAYING_S else ""
        return words[stage.phase] + seconds
    if stage.phase == "lost":
        return _tr("gone")
    return stage.device


def _fetching(stage: StageInfo) -> str:
    share = stage.bytes_on_disk / stage.bytes_needed if stage.bytes_needed else 0.0
    return _tr("fetching {percent} %").format(percent=int(100 * min(share, 1.0)))


def _tr(text: str) -> str:
    return QCoreApplication.translate("PipelineLine", text)
