"""An answer while it grows: what its window is told of it, from its place in the queue to the numbers at its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from idlepool.engine.decode.request import Finished, Token
from idlepool.engine.decode.stop_strings import StopStrings
from idlepool.engine.decode.text_stream import TextStream
from idlepool.engine.events import (
    AnswerDone,
    AnswerEvent,
    AnswerPaused,
    AnswerQueued,
    AnswerStarted,
    AnswerText,
    FinishReason,
)
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.pool.context_fit import Fitted
from idlepool.engine.pool.text_maker import DecodeAll, TextMaker


def _nothing(sequences: Sequence[Sequence[int]]) -> list[str]:
    return ["" for _ in sequences]


class GrowingAnswer:
    """The answer to `request`; `emit` takes its events, and `texts` makes its text, the first of it at once."""

    def __init__(self, request: int, emit: Callable[[AnswerEvent], None], texts: TextMaker) -> None:
        self.request = request
        self.prompt_tokens = 0
        self.decode_all: DecodeAll = _nothing
        self._emit = emit
        self._texts = texts
        self._asked = time.monotonic()
        self._first = self._latest = 0.0
        self._position = 0
        self._tokens: list[Token] = []
        self._decode: Callable[[Sequence[int]], str] = lambda _: ""
        self._text = TextStream(self._decode)
        self._stops = StopStrings(())
        self._shown = ""
        self._unshown: list[int] = []
        self._watches_stops = False
        self._finished = Finished("stop")
        self._told_end: AnswerDone | None = None
        self._context = 0

    def start(
        self,
        fitted: Fitted,
        tokenizer: Tokenizer,
        *,
        stops: Sequence[str],
        context: int,
        max_tokens: int,
        begun: str = "",
    ) -> None:
        """The model will see what was `fitted`; `tokenizer` makes its text, which ends before any of `stops`.

        `begun` is the part of it that the asker has already.
        """
        self.prompt_tokens = len(fitted.prompt)
        self._context = context
        self.decode_all = tokenizer.decode_all
        self._decode = tokenizer.decode
        self._text = TextStream(tokenizer.decode, before=tokenizer.encode_content(begun) if begun else ())
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

    def pause(self, sentence: str) -> None:
        """Its pipeline broke: what is there is shown, and why no more comes for the moment."""
        self._show_tokens()
        self._emit(AnswerPaused(self.request, sentence))

    def add(self, token: Token) -> bool:
        """It is one token longer; returns whether it ends here because a stop string is complete."""
        self._latest = time.monotonic()
        self._first = self._first or self._latest
        self._tokens.append(token)
        self._unshown.append(token.id)
        if self._watches_stops or not self._shown:
            self._show_tokens()
        else:
            self._texts.want(self)
        if self._stops.found is None:
            return False
        self._finished = Finished("stop", token.drafted, token.accepted)
        return True

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

    def done(self, finish: FinishReason, detail: str = "", *, refused: bool = False, own_plan: bool = False) -> None:
        """It is over; `detail` says why where that is no end of its own, `refused` and `own_plan` whether the question,
        or a plan made by hand, is to blame."""
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
                refused,
                own_plan,
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

    def to_decode(self) -> Sequence[int]:
        """See text_maker.Growing."""
        tokens, self._unshown = self._unshown, []
        return self._text.to_decode(tokens) if tokens else ()

    def decoded(self, text: str) -> None:
        """See text_maker.Growing."""
        self._show(self._stops.push(self._text.decoded(text)))

    def _show_tokens(self) -> None:
        """Make text of the tokens that came since the last time, without waiting for others."""
        if tokens := self.to_decode():
            self.decoded(self._decode(tokens))

    def _show(self, text: str) -> None:
        if text:
            self._shown += text
            self._emit(AnswerText(self.request, text, len(self._tokens), self._tokens_per_second))
