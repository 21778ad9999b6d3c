"""Prompt look-up: guesses copied from where the text said the same before. It costs next to nothing and serves best
where an answer repeats its prompt: code that is edited, summaries, lists, translations of names.

The idea is Saxena's "Prompt Lookup Decoding" (2023); finding the place by an index instead of a search makes it O(1) a
token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idlepool.engine.decode.drafter import Wanted, common_length
from idlepool.engine.types import SequenceId

ORDERS = (3, 2)
"""Lengths of the n-grams, the first that is found wins. Single tokens are found everywhere and predict little."""

MOST_TOKENS = 131_072
"""Indexed in all sequences together; a token takes about 0.4 kB."""

_NOWHERE = -1


class LookupDrafter:
    """A drafter that looks the last tokens up in the sequence itself. See Drafter.

    `orders`: lengths of the n-grams that are looked up, the longest first.
    """

    def __init__(self, *, orders: Sequence[int] = ORDERS, most_tokens: int = MOST_TOKENS) -> None:
        self._orders = tuple(orders)
        self._most_tokens = most_tokens
        self._indexes: dict[SequenceId, _Index] = {}
        """The one not used for longest first."""

    def cost_ms(self, sequences: int) -> float:
        """See Drafter.cost_ms: all of it comes at once, in microseconds."""
        return 0.0

    def at_once(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """See Drafter.at_once."""
        return [self._propose(each) for each in wanted]

    def propose(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """See Drafter.propose."""
        return [self._propose(each) for each in wanted]

    def end(self, sequence: SequenceId) -> None:
        """See Drafter.end."""
        self._indexes.pop(sequence, None)

    def _propose(self, wanted: Wanted) -> list[int]:
        index = self._indexes.pop(wanted.sequence, None) or _Index(self._orders)
        self._indexes[wanted.sequence] = index
        index.follow(wanted.tokens, most=self._most_tokens)
        self._bound()
        return index.continuation(wanted.count)

    def _bound(self) -> None:
        held = sum(len(index) for index in self._indexes.values())
        while held > self._most_tokens:
            oldest = next(iter(self._indexes))
            held -= len(self._indexes.pop(oldest))


class _Index:
    """Where each n-gram of a text, from its token `origin` on, was last followed by another token.

    Places are those of the tokens that follow. An n-gram's earlier places are a chain, so that a rewind can bring the
    one before back.
    """

    def __init__(self, orders: Sequence[int]) -> None:
        self._orders = orders
        self._origin = 0
        self._tokens: list[int] = []
        self._latest: dict[tuple[int, ...], int] = {}
        self._earlier: list[tuple[int, ...]] = []
        """For each token, an entry an order: the place before it of the n-gram that it follows."""

    def __len__(self) -> int:
        return len(self._tokens)

    def follow(self, tokens: Sequence[int], *, most: int) -> None:
        """Become the index of `tokens`, of at most their last `most`."""
        if not self._origin <= len(tokens) <= self._origin + most:
            # Half of what is allowed, so that a text that grows on and on is not indexed anew for each token.
            self._origin = max(0, len(tokens) - most // 2) if len(tokens) > most else 0
            self._cut(0)
        text = tokens if not self._origin else tokens[self._origin :]
        self._cut(common_length(self._tokens, text))
        for token in text[len(self._tokens) :]:
            self._append(token)

    def continuation(self, count: int) -> list[int]:
        """At most `count` tokens that followed the latest place like the end; it may run into what it guesses."""
        for ngram in self._ending(len(self._tokens)):
            place = self._latest.get(ngram, _NOWHERE)
            if place != _NOWHERE:
                break
        else:
            return []
        guesses = self._tokens[place : place + count]
        while len(guesses) < count:  # a text that repeats itself goes round: what was guessed is what follows
            guesses += guesses[: count - len(guesses)]
        return guesses

    def _append(self, token: int) -> None:
        place = len(self._tokens)
        earlier = []
        for ngram in self._ending(place):
            earlier.append(self._latest.get(ngram, _NOWHERE))
            self._latest[ngram] = place
        self._earlier.append(tuple(earlier))
        self._tokens.append(token)

    def _cut(self, length: int) -> None:
        while len(self._tokens) > length:
            self._tokens.pop()
            place = len(self._tokens)
            for ngram, earlier in zip(self._ending(place), self._earlier.pop(), strict=True):
                if earlier == _NOWHERE:
                    del self._latest[ngram]
                else:
                    self._latest[ngram] = earlier

    def _ending(self, place: int) -> Iterator[tuple[int, ...]]:
        """The n-grams that end right before `place`, the longest first."""
        for order in self._orders:
            if order <= place:
                yield tuple(self._tokens[place - order : place])
