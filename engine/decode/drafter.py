"""What proposes tokens before the model has computed them: a draft model or the text itself. The head asks, the tail
decides; a guess that the tail does not pick costs time and never changes a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from idlepool.engine.types import SequenceId


@dataclass(frozen=True, slots=True)
class Wanted:
    """At most `count` guesses are wanted of what follows `tokens`, the whole sequence from its first token on."""

    sequence: SequenceId
    tokens: Sequence[int]
    count: int


class Drafter(Protocol):
    """Proposes what follows. May be slow: called in a thread of its own, one call at a time."""

    @property
    def cost_ms(self) -> float:
        """Milliseconds that one drafted token takes, as measured; 0.0 where it is not worth counting."""

    def propose(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """For each of `wanted` at most `count` ids, the likeliest continuation; none where there is no idea.

        The tokens of a sequence may differ from those of the call before from any position on.
        """

    def end(self, sequence: SequenceId) -> None:
        """Free what is held of a sequence; unknown ones are ignored."""
