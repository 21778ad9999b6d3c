"""What the stages still hold of sequences that nobody is answering now: a conversation's next turn goes on from there,
and a new sequence that begins alike shares it. Pure; the one not used for longest goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from idlepool.engine.types import SequenceId

SHORTEST_SHARED = 32
"""Positions that two sequences must have in common to share them: a block of the CPU's cache."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The positions of `tokens`, held by every stage; the first `exact` are those of a reproducible sequence."""

    sequence: SequenceId
    tokens: Sequence[int]
    exact: int

    def common(self, prompt: Sequence[int], *, reproducible: bool) -> int:
        """How many of its positions a sequence that begins with `prompt` can build on; at most all but one of those."""
        length = shared_length(self.tokens, prompt[:-1])
        return min(length, self.exact) if reproducible else length


class KeptSequences:
    """Idle sequences by conversation."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Kept]:
        return iter(self._kept.values())

    def put(self, conversation: str, kept: Kept) -> Kept | None:
        """Keep a sequence; returns the one that was kept for the conversation before."""
        before = self._kept.pop(conversation, None)
        self._kept[conversation] = kept
        return before

    def take(self, conversation: str) -> Kept | None:
        """What is kept for a conversation; it is not kept any more."""
        return self._kept.pop(conversation, None)

    def touch(self, sequence: SequenceId) -> None:
        """It is used; one that is not kept is ignored."""
        for conversation, kept in self._kept.items():
            if kept.sequence == sequence:
                self._kept.move_to_end(conversation)
                return

    def evict(self) -> Kept | None:
        """The one not used for longest; it is not kept any more."""
        return self._kept.popitem(last=False)[1] if self._kept else None


def shared_length(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two sequences begin with alike."""
    shorter = min(len(one), len(other))
    if list(one[:shorter]) == list(other[:shorter]):  # nearly always, and much quicker than one by one
        return shorter
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def best_parent(prompt: Sequence[int], candidates: Sequence[Kept], *, reproducible: bool) -> tuple[Kept, int] | None:
    """Of `candidates` the one that shares most with `prompt`, and how many positions; None where that is too little."""
    shared = [(kept.common(prompt, reproducible=reproducible), kept) for kept in candidates]
    length, kept = max(shared, key=lambda pair: pair[0], default=(0, None))
    return (kept, length) if kept is not None and length >= SHORTEST_SHARED else None
