"""What the stages of a pipeline hold of one conversation: the head's side of the cache protocol."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from idlepool.engine.types import SequenceId


class HeldSequence:
    """The tokens that every stage holds of a sequence, as far as the head knows."""

    def __init__(self, sequence: SequenceId) -> None:
        self.id = sequence
        self.tokens: list[int] = []

    def keep_common(self, tokens: list[int]) -> int:
        """Forget what `tokens` does not begin with; returns where the next segment starts.

        The last token is always fed again, since its row gives the next id.
        """
        longest = min(len(self.tokens), len(tokens) - 1)
        if self.tokens[:longest] == tokens[:longest]:  # nearly always, and much quicker than one by one
            common = longest
        else:
            pairs = zip(self.tokens, tokens[:longest], strict=False)
            common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self.truncate(common)
        return common

    def truncate(self, length: int) -> None:
        """A stage holds only `length` positions."""
        del self.tokens[length:]

    def reached(self, tokens: Sequence[int]) -> None:
        """Every stage has computed these tokens, which follow those held."""
        self.tokens += tokens
