"""The head's loop: a prompt goes in, token ids come out one by one.

    prompt -> chunks -> stages -> chosen id -> yield -> one more token -> stages -> ...

Every segment says where it starts, so nothing has to be undone: an answer that is stopped, or a message that is edited,
makes the next segment start earlier.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.sequence import HeldSequence
from idlepool.engine.errors import PoolError
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Sampling

PREFILL_CHUNK = 256
"""Tokens of a prompt sent at once: long enough to be computed well, short enough that the stages overlap."""

CHUNKS_IN_FLIGHT = 4

MAX_REPLAYS = 3
"""Times a step is sent again because a stage holds less than was thought; more means that it never will."""


class Stages(Protocol):
    """The pipeline as the head sees it."""

    def submit(self, segment: Segment, ids: Sequence[int]) -> asyncio.Future[list[int]]:
        """Send a segment on its way; its future gives the ids of its sampled rows.

        It fails with NeedsReplay where a stage holds less than the segment's start, with PoolError where the pipeline
        broke.
        """


async def generate(
    stages: Stages, sequence: HeldSequence, prompt: Sequence[int], *, sampling: Sampling, end_ids: frozenset[int]
) -> AsyncGenerator[int]:
    """Yield the ids that follow `prompt`, up to but without an end id. The caller stops when it has enough.

    Raises:
        PoolError: the pipeline broke; what was yielded stays right.
    """
    tokens = list(prompt)
    while (chosen := await _next(stages, sequence, tokens, sampling)) not in end_ids:
        yield chosen
        tokens.append(chosen)


async def _next(stages: Stages, sequence: HeldSequence, tokens: list[int], sampling: Sampling) -> int:
    """The id that follows `tokens`, of which the stages get what they do not hold."""
    for _ in range(1 + MAX_REPLAYS):
        try:
            return await _feed(stages, sequence, tokens, sampling)
        except NeedsReplay as need:
            sequence.truncate(need.held)
    raise PoolError("A stage keeps forgetting this conversation.", "Start a new one if asking again does not help.")


async def _feed(stages: Stages, sequence: HeldSequence, tokens: list[int], sampling: Sampling) -> int:
    """Send `tokens` from where they are not held, in chunks, several in flight; only the last one samples."""
    start = sequence.keep_common(tokens)
    flight: deque[tuple[list[int], asyncio.Future[list[int]]]] = deque()
    ids: list[int] = []
    try:
        while start < len(tokens) or flight:
            if start < len(tokens) and len(flight) < CHUNKS_IN_FLIGHT:
                chunk = tokens[start : start + PREFILL_CHUNK]
                end = start + len(chunk)
                sample = int(end == len(tokens))
                segment = Segment(sequence.id, start, len(chunk), sample, sampling if sample else None)
                flight.append((chunk, stages.submit(segment, chunk)))
                start = end
            else:
                chunk, landing = flight.popleft()
                ids = await landing
                sequence.reached(chunk)
    finally:
        for _, abandoned in flight:
            abandoned.cancel()
    return ids[0]
