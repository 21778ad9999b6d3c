"""A question as the head takes it, and what comes back of its answer: its place in the queue, tokens, the end."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal

from idlepool.engine.types import Sampling


@dataclass(frozen=True, slots=True)
class Request:
    """Continue `prompt` by at most `max_tokens` tokens, up to but without one of `end_ids`."""

    conversation: str
    """What the stages hold of the same conversation is not computed again."""
    prompt: tuple[int, ...]
    sampling: Sampling
    end_ids: frozenset[int]
    max_tokens: int
    reproducible: bool
    """Whether the same seed must give the same ids in any company."""
    resumed: bool = False
    """Its answer has begun, on a pipeline that broke: the prompt ends with what was given, and nobody refuses it."""


@dataclass(frozen=True, slots=True)
class Queued:
    """The request waits; with position 1 it is the next to be admitted, with 0 it was, after it waited."""

    position: int


@dataclass(frozen=True, slots=True)
class Token:
    """The next id of the answer; `logprob` and `top` (id and log-probability, best first) only where asked for.

    `drafted` and `accepted`: as in Finished, of the answer so far.
    """

    id: int
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = ()
    drafted: int = 0
    accepted: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The last item: an end id came ("stop") or `max_tokens` are reached ("length").

    `drafted` tokens were guessed, of which `accepted` stand in the answer.
    """

    reason: Literal["stop", "length"]
    drafted: int = 0
    accepted: int = 0


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The pipeline broke, or there is none now; the sentence says why and for what the answer waits. It goes on."""

    sentence: str


Answer = AsyncGenerator[Queued | Token | Finished | Interrupted]
"""Closing it cancels the request: everything of it is freed at once."""
