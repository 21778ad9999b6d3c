"""Answers in OpenAI's shape: of one piece, or chunk by chunk as a stream of server-sent events."""

from __future__ import annotations

import secrets
import time
from typing import Any, Final

import msgspec

from idlepool.engine.events import AnswerDone, FinishReason

_STREAM_END: Final = b"data: [DONE]\n\n"
STILL_THERE: Final = b": waiting\n\n"
"""A comment, which clients pass over: nobody takes a long silence for a lost connection."""

_REASONS: Final[dict[FinishReason, str]] = {"stop": "stop", "length": "length", "cancelled": "stop", "failed": "stop"}


class Reply:
    """The envelope that all parts of one answer share. `with_usage`: a stream tells its numbers too."""

    def __init__(self, model: str, *, with_usage: bool = False) -> None:
        self._base = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": model}
        self._with_usage = with_usage

    def whole(self, text: str, done: AnswerDone) -> dict[str, Any]:
        """All of it."""
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _REASONS[done.finish]}
        return {**self._base, "object": "chat.completion", "choices": [choice], "usage": _usage(done)}

    def first(self) -> bytes:
        """The chunk before any text."""
        return self._chunk(_choice({"role": "assistant", "content": ""}))

    def text(self, text: str) -> bytes:
        """More of it."""
        return self._chunk(_choice({"content": text}))

    def last(self, done: AnswerDone) -> bytes:
        """Why it ends, its numbers where they are wanted, and the end of the stream."""
        end = self._chunk(_choice({}, _REASONS[done.finish]))
        return end + (self._chunk(usage=_usage(done)) if self._with_usage else b"") + _STREAM_END

    def _chunk(self, *choices: dict[str, Any], usage: dict[str, int] | None = None) -> bytes:
        chunk = {**self._base, "object": "chat.completion.chunk", "choices": choices}
        return event(chunk | {"usage": usage} if self._with_usage else chunk)


def event(value: object) -> bytes:
    """A server-sent event (HTML Living Standard, 9.2)."""
    return b"data: " + msgspec.json.encode(value) + b"\n\n"


def _choice(delta: dict[str, str], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}


def _usage(done: AnswerDone) -> dict[str, int]:
    answered = len(done.token_ids)
    return {
        "prompt_tokens": done.prompt_tokens,
        "completion_tokens": answered,
        "total_tokens": done.prompt_tokens + answered,
    }
