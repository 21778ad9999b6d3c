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
    least_hope: float = 0.0
    """No more are wanted once the chance that all so far are right is smaller, where the drafter knows it."""


class Drafter(Protocol):
    """Proposes what follows. The tokens of a sequence may differ from those of the call before from any position on."""

    def cost_ms(self, sequences: int) -> float:
        """Milliseconds that one more token for each of so many sequences adds to a call of propose(), by experience.

        0.0 where at_once() gives all there is.
        """

    def at_once(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """For each of `wanted` at most `count` ids that cost next to nothing; called on the event loop.

        None of them for a sequence means that propose() may have some. Also called while that runs elsewhere.
        """

    def propose(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """For each of `wanted` at most `count` ids, the likeliest continuation; none where there is no idea.

        Slow: called in a thread, one call at a time.
        """

    def end(self, sequence: SequenceId) -> None:
        """Free what is held of a sequence, also while propose() runs elsewhere; unknown ones are ignored."""


_AGREEING = 64
"""So many equal tokens in a row are taken for an equal beginning."""


def common_length(held: Sequence[int], tokens: Sequence[int]) -> int:
    """How many tokens `held` and `tokens` begin with in common, found from the end of the shorter one.

    From a call to the next only the end changes, so it costs the change and not the length. An edit further up that
    keeps the places of the 64 tokens before the end goes unseen; guesses made of the old text are guesses as well.
    """
    end = min(len(held), len(tokens))
    common = end
    while end > 0:
        first = max(0, end - _AGREEING)
        ours, theirs = list(held[first:end]), list(tokens[first:end])
        if ours == theirs:
            break
        common = first + next(place for place, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1])
        end = first
    return common
