"""The tokens of sequences as the tail knows them, for penalties: kept by the rule of `start`, like a cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import SequenceId

MAX_TOKENS = 4 * 2**20
"""Of all histories together; some 100 bytes each at worst. The one not used for longest is dropped first."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Tokens that stand before a position, and how often."""

    ids: npt.NDArray[np.int64]
    """`[distinct]`, in any order, each once."""
    counts: npt.NDArray[np.int64]
    """`[distinct]`; may be 0."""


class History:
    """The tokens of one sequence from its first position on, and how often each stands there."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self._slots: dict[int, int] = {}
        self._ids = np.zeros(256, np.int64)
        self._counts = np.zeros(256, np.int64)

    def __len__(self) -> int:
        return len(self.tokens)

    def append(self, token: int) -> None:
        """The next position holds `token`."""
        self.tokens.append(token)
        slot = self._slots.setdefault(token, len(self._slots))
        if slot == len(self._ids):
            self._ids = np.concatenate([self._ids, np.zeros_like(self._ids)])
            self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
        self._ids[slot] = token
        self._counts[slot] += 1

    def truncate(self, length: int) -> None:
        """Forget the positions from `length` on."""
        while len(self.tokens) > length:
            self._counts[self._slots[self.tokens.pop()]] -= 1

    def seen(self, *, but: Sequence[int] = ()) -> Seen:
        """All tokens held but one occurrence of each of `but`, which are among them."""
        distinct = len(self._slots)
        counts = self._counts[:distinct].copy()
        for token in but:
            counts[self._slots[token]] -= 1
        return Seen(self._ids[:distinct].copy(), counts)


class Histories:
    """Histories of the sequences whose segments bring their tokens, bounded by the tokens of all."""

    def __init__(self, *, max_tokens: int = MAX_TOKENS) -> None:
        self._max_tokens = max_tokens
        self._held: dict[int, History] = {}
        """Least recently used first."""

    def take(self, segment: Segment) -> None:
        """Keep the tokens of a segment; without tokens, forget what it voids.

        Raises:
            NeedsReplay: less than its `start` is known of the sequence, and of its parent.
        """
        history = self._held.pop(segment.sequence, None)
        if not segment.tokens:
            if history is not None and segment.start:
                history.truncate(segment.start)
                self._held[segment.sequence] = history
            return
        history = history or History()
        self._held[segment.sequence] = history
        if len(history) < segment.start:
            self._fork(history, segment)
        history.truncate(segment.start)
        for token in segment.tokens:
            history.append(token)
        self._make_room(segment.sequence)

    def seen(self, segment: Segment) -> list[Seen]:
        """For each sampled row of the segment taken last of its sequence: the tokens up to that row, it included."""
        history = self._held[segment.sequence]
        return [history.seen(but=segment.tokens[segment.count - after :]) for after in _after(segment)]

    def end(self, sequence: SequenceId) -> None:
        """Forget a sequence; unknown ones are ignored."""
        self._held.pop(sequence, None)

    def _fork(self, history: History, segment: Segment) -> None:
        parent = self._held.get(segment.parent)
        if parent is None or len(parent) < segment.start:
            raise NeedsReplay(SequenceId(segment.sequence), len(history))
        history.truncate(0)
        for token in parent.tokens[: segment.start]:
            history.append(token)

    def _make_room(self, keep: int) -> None:
        """Drop the histories that were not used for longest, but never `keep`."""
        total = sum(map(len, self._held.values()))
        for sequence in list(self._held):
            if total <= self._max_tokens:
                return
            if sequence != keep:
                total -= len(self._held.pop(sequence))


def _after(segment: Segment) -> range:
    """For each sampled row, how many rows of the segment follow it."""
    return range(segment.sample - 1, -1, -1)
