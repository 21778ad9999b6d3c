"""One answer that is being written: what came of it so far, whichever conversation is in sight meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from idlepool.engine.events import (
    AnswerDone,
    AnswerEvent,
    AnswerPaused,
    AnswerQueued,
    AnswerStarted,
    AnswerText,
    FinishReason,
)
from idlepool.ui.history.values import Figures, MessageState

STATES: dict[FinishReason, MessageState] = {
    "stop": "done",
    "length": "length",
    "cancelled": "stopped",
    "failed": "failed",
}


@dataclass(slots=True)
class Answering:
    """An answer on its way into the message called `message`."""

    request: int
    conversation: int
    message: int
    model: str
    text: str = ""
    started: AnswerStarted | None = None
    waits_for: AnswerQueued | AnswerPaused | None = None
    """What it was told to wait for, if it still does."""
    tokens: int = 0
    """Of this answer so far."""
    stopped: bool = False
    """Its user wants no more of it; only its figures are still to come."""
    unwritten: bool = False

    def take(self, event: AnswerEvent) -> None:
        """Keep what is told."""
        match event:
            case AnswerStarted():
                self.started = event
            case AnswerQueued() | AnswerPaused():
                self.waits_for = event
            case AnswerText():
                self.text += event.text
                self.tokens = event.tokens
                self.waits_for = None
                self.unwritten = True

    def figures(self, done: AnswerDone) -> Figures | None:
        """What is worth keeping of how it went; None: it never began."""
        if self.started is None or not done.token_ids:
            return None
        return Figures(
            tokens_per_second=done.tokens_per_second,
            time_to_first_token_ms=done.time_to_first_token_ms,
            tokens=len(done.token_ids),
            prompt_tokens=done.prompt_tokens,
            context=self.started.context,
            drafted=done.drafted,
            accepted=done.accepted,
            answered_by=self.started.answered_by,
        )
