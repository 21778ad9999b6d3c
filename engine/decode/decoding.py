"""One sequence while it is answered: what is certain, what is guessed, what is under way. Pure book-keeping.

`tokens` are confirmed ids, then guesses of what follows. A segment covers positions of them; the id that the tail picks
from the row of position p stands at p + 1. Where it equals the guess there, the guess is accepted; where not, guesses
are cut off from there, the id is taken, and whatever is under way of this sequence is void: the next segment starts at
the corrected position, which voids it in the stages' caches as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from idlepool.engine.net.segments import Segment
from idlepool.engine.types import Sampling, SequenceId

SHORTEST_REPRODUCIBLE = 2
"""Rows of a segment below which the plugins take another attention kernel, which rounds otherwise."""


@dataclass(frozen=True, slots=True)
class Flight:
    """A segment under way."""

    segment: Segment
    ids: tuple[int, ...]
    epoch: int
    """Of its sequence when it was sent; it counts as long as that is the same."""
    guesses: int
    """How many of its ids are guesses."""


class Decoding:
    """A prompt and its answer so far.

    The stages hold `held` positions already, and `exact` of those to the bit as a reproducible sequence would have
    them. Nothing is guessed beyond `longest` tokens. `parent` is another sequence that they hold the same positions of.
    """

    def __init__(
        self,
        sequence: SequenceId,
        prompt: Sequence[int],
        sampling: Sampling,
        *,
        longest: int = 2**31,
        reproducible: bool = False,
        held: int = 0,
        exact: int = 0,
        parent: SequenceId | None = None,
    ) -> None:
        self.id = sequence
        self.tokens = list(prompt)
        self.confirmed = len(self.tokens)
        """Tokens that are certain; the rest are guesses."""
        self.sampling = sampling
        self.reproducible = reproducible
        self.held = held
        """Positions that every stage has computed, with the tokens that stand there now."""
        self.exact = exact
        """Of those, how many a reproducible sequence may build on."""
        self.awaits_guesses = False
        """Whether a drafter is at work on what is sent next."""
        self.cancelled = False
        self.tested = 0
        """Guesses that the tail has judged so far."""
        self.accepted = 0
        """Guesses that it picked itself."""
        self.epoch = 0
        self._longest = longest
        self._parent = parent
        # The row of the last token gives the next id, so it is always computed.
        self._sent = min(held, self.confirmed - 1)
        self._flights: deque[Flight] = deque()

    @property
    def prefilling(self) -> bool:
        """Whether some of the prompt, or of what must be sent again, waits to be sent."""
        return self._sent < self.confirmed - 1

    @property
    def can_send(self) -> bool:
        """Whether there is anything to send."""
        return self.to_send > 0

    @property
    def to_send(self) -> int:
        """How many tokens wait to be sent."""
        return len(self.tokens) - self._sent

    @property
    def under_way(self) -> int:
        """Segments that count and have not landed."""
        return len(self._flights)

    @property
    def guessed(self) -> int:
        """Guesses under way or to be sent."""
        return len(self.tokens) - self.confirmed

    @property
    def can_guess(self) -> bool:
        """Whether guesses may be added: not in the middle of a prompt.

        A reproducible prompt of a single token goes alone, since its only row cannot be computed in company of itself.
        """
        return not self.prefilling and not (self.reproducible and self.confirmed < SHORTEST_REPRODUCIBLE)

    def guess(self, ids: Sequence[int]) -> None:
        """Add guesses of what follows all tokens; those that no answer has room for are left out."""
        self.tokens += ids[: max(0, self._longest - len(self.tokens))]

    def next_segment(self, most: int) -> Flight:
        """The next segment, of at most `most` new tokens; it counts as sent."""
        start = self._sent
        end = min(len(self.tokens), start + most)
        if self.reproducible and end - start < SHORTEST_REPRODUCIBLE:
            start = max(0, end - SHORTEST_REPRODUCIBLE)
        ids = tuple(self.tokens[start:end])
        sample = max(0, end - max(self.confirmed - 1, self._sent))
        segment = Segment(
            self.id,
            start,
            end - start,
            sample,
            self.sampling if sample else None,
            parent=self._parent or 0,
            tokens=ids if self.sampling.penalises else (),
        )
        self._parent = None
        self._sent = end
        flight = Flight(segment, ids, self.epoch, guesses=max(0, end - max(self.confirmed, start)))
        self._flights.append(flight)
        return flight

    def land(self, flight: Flight, chosen: Sequence[int]) -> list[int]:
        """Take the ids that the tail picked for a segment; returns those that are certain now, in order."""
        if flight.epoch != self.epoch:
            return []
        self._flights.remove(flight)
        segment = flight.segment
        end = segment.start + segment.count
        for row, token in enumerate(chosen, end - segment.sample):
            if not self._confirm(row + 1, token):
                self._computed(segment, row + 1)
                self._void(row + 1)
                return list(chosen[: row + 1 - (end - segment.sample)])
        self._computed(segment, end)
        return list(chosen)

    def cancel(self) -> bool:
        """Nobody waits for it any more: whatever is under way counts for nothing. Returns whether anything is."""
        loose = bool(self._flights)
        self.cancelled = True
        self._void(self.confirmed - 1)
        return loose

    def replay(self, held: int) -> None:
        """A stage holds less than was thought: `held` positions, or the segments from there on were not computed."""
        self.held = min(self.held, held)
        self.exact = min(self.exact, held)
        self._void(held)

    def _confirm(self, position: int, token: int) -> bool:
        """An id is certain; returns whether what was guessed beyond it still may be."""
        self.confirmed = position + 1
        if position == len(self.tokens):
            self.tokens.append(token)
            return True
        accepted = self.tokens[position] == token
        self.tested += 1
        self.accepted += accepted
        if not accepted:
            self.tokens[position:] = [token]
        return accepted

    def _computed(self, segment: Segment, end: int) -> None:
        if segment.count >= SHORTEST_REPRODUCIBLE and self.exact >= segment.start:
            self.exact = max(end, self.exact)
        self.held = max(end, self.held)

    def _void(self, start: int) -> None:
        """What was sent from `start` on does not count."""
        self._sent = min(self._sent, start, self.confirmed - 1)
        self._flights.clear()
        self.epoch += 1
