"""An answer while it grows: what its window is told of it, from its place in the queue to the numbers at its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from idlepool.engine.decode.request import Finished, Token
from idlepool.engine.decode.stop_strings import StopStrings
from idlepool.engine.decode.text_stream import TextStream
from idlepool.engine.events import AnswerDone, AnswerEvent, AnswerQueued, AnswerStarted, AnswerText, FinishReason
from idlepool.engine.pool.context_fit import Fitted

SHOW_EVERY_S = 0.06
"""Text is made and told so often, and the first of an answer at once: more often nobody can read, and making it of
every token by itself would cost the head's PC more than the rest of its work for many users."""


class GrowingAnswer:
    """The answer to `request`; `emit` takes its events."""

    def __init__(self, request: int, emit: Callable[[AnswerEvent], None]) -> None:
        self.request = request
        self.prompt_tokens = 0
        self._emit = emit
        self._asked = time.monotonic()
        self._first = self._latest = 0.0
        self._position = 0
        self._tokens: list[Token] = []
        self._decode: Callable[[Sequence[int]], str] = lambda _: ""
        self._text = TextStream(self._decode)
        self._stops = StopStrings(())
        self._shown = ""
        self._unshown: list[int] = []
        self._latest_shown = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._watches_stops = False
        self._finished = Finished("stop")
        self._told_end: AnswerDone | None = None
        self._context = 0

    def start(
        self,
        fitted: Fitted,
        decode: Callable[[Sequence[int]], str],
        *,
        stops: Sequence[str],
        context: int,
        max_tokens: int,
    ) -> None:
        """The model will see what was `fitted`; `decode` makes text of its tokens, which ends before any of `stops`."""
        self.prompt_tokens = len(fitted.prompt)
        self._context = context
        self._decode = decode
        self._text = TextStream(decode)
        self._stops = StopStrings(stops)
        self._watches_stops = bool(stops)
        self._emit(
            AnswerStarted(
                self.request,
                len(fitted.prompt),
                context,
                max_tokens,
                fitted.kept_messages,
                fitted.dropped_messages,
                fitted.dropped_tokens,
            )
        )

    def queue(self, position: int) -> None:
        """It waits."""
        if position != self._position:
            self._position = position
            self._emit(AnswerQueued(self.request, position))

    def add(self, token: Token) -> bool:
        """It is one token longer; returns whether it ends here because a stop string is complete."""
        self._latest = time.monotonic()
        self._first = self._first or self._latest
        self._tokens.append(token)
        self._unshown.append(token.id)
        if self._watches_stops or self._latest - self._latest_shown >= SHOW_EVERY_S:
            self._show_tokens()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SHOW_EVERY_S, self._show_tokens)
        return self._stops.found is not None

    def flush(self) -> None:
        """No more tokens come: what was held back is text now, and tokens that are no part of the text are let go."""
        self._show_tokens()
        self._show(self._stops.push(self._text.flush()) + self._stops.flush())
        if self._stops.found is not None:
            ids = self._ids
            while ids and self._decode(ids[:-1]).startswith(self._shown):
                ids = ids[:-1]
            del self._tokens[len(ids) :]

    def relay(self, event: AnswerEvent) -> None:
        """Another PC makes it and tells this of it; its end is told by done()."""
        if isinstance(event, AnswerDone):
            self._told_end = event
        else:
            self._emit(event)

    def finish(self, finished: Finished) -> None:
        """The head has nothing more to say of it."""
        self._finished = finished

    def done(self, finish: FinishReason, detail: str = "") -> None:
        """It is over; `detail` says why where that is no end of its own."""
        if self._told_end is not None:
            self._emit(self._told_end)
            return
        if finish == "length" and self.prompt_tokens + len(self._tokens) >= self._context:
            detail = (
                f"The model can hold {self._context:,} tokens: {self.prompt_tokens:,} of the conversation and "
                f"{len(self._tokens):,} of this answer have filled it."
            )
        self._emit(
            AnswerDone(
                self.request,
                finish,
                self._ids,
                self.prompt_tokens,
                self._tokens_per_second,
                1e3 * (self._first - self._asked) if self._tokens else 0.0,
                detail,
                self._finished.drafted,
                self._finished.accepted,
                tuple(token.logprob for token in self._tokens if token.logprob is not None),
                tuple(token.top for token in self._tokens if token.top),
            )
        )

    @property
    def _tokens_per_second(self) -> float:
        """From the first token on; prefill does not count."""
        seconds = self._latest - self._first
        return (len(self._tokens) - 1) / seconds if seconds > 0 else 0.0

    @property
    def _ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self._tokens)

    def _show_tokens(self) -> None:
        """Make text of the tokens that came since the last time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._unshown:
            self._latest_shown = self._latest
            tokens, self._unshown = self._unshown, []
            self._show(self._stops.push(self._text.push(tokens)))

    def _show(self, text: str) -> None:
        if text:
            self._shown += text
            self._emit(AnswerText(self.request, text, len(self._tokens), self._tokens_per_second))
