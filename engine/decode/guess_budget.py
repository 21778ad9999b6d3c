"""How many guesses pay: from what steps, drafting and links were measured to take, and how often guesses were right.
Pure; see speculation.py for a single sequence's rule."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from idlepool.engine.decode.decoding import SHORTEST_REPRODUCIBLE, Decoding
from idlepool.engine.decode.scheduler import MicroBatch
from idlepool.engine.decode.speculation import Costs, Speculation, StepCost, expected_tokens
from idlepool.engine.types import SequenceId

MAX_DEPTH = 8
"""Segments of a sequence under way at once."""

TRIED_AGAIN = 64
"""Frames without guesses that would not pay, until some are sent to see whether that still holds."""

FREE_ROWS = 16
"""Rows that cost a stage little more than one: reading its weights takes longer than computing with them."""

MOST_AHEAD = 32
"""Guesses of a sequence at once, however good they are."""


@dataclass(frozen=True, slots=True)
class Budget:
    """At most `count` guesses, fewer where the chance that all are right falls below `least_hope`."""

    count: int
    least_hope: float = 0.0


@dataclass(slots=True)
class _Record:
    """What is known of a sequence's guesses: of those that cost nothing, and of drafted ones."""

    free: Speculation
    drafted: Speculation
    latest: Speculation
    """The one of the two whose guesses are under way."""
    tested: int = 0
    accepted: int = 0


class GuessBudget:
    """Decides for each sequence. `stages_ms`: what each stage takes for one token, none where that is unknown."""

    def __init__(
        self, stages_ms: Sequence[float] = (), *, speculation: Callable[[], Speculation] = Speculation
    ) -> None:
        self.sharing = 1
        """Sequences that go in one frame, about."""
        self.first_ms = stages_ms[0] if stages_ms else 0.0
        """What the stage on the head's own PC takes for one token."""
        self._compute_ms = sum(stages_ms)
        self._slowest_ms = max(stages_ms, default=0.0)
        self._speculation = speculation
        self._steps, self._guessing_steps = StepCost(), StepCost()
        self._refused = 0
        self._records: dict[SequenceId, _Record] = {}
        self._links_ms: deque[float] = deque(maxlen=16)
        """What the latest round trips took that was no computing."""

    @property
    def depth(self) -> int:
        """How many segments of a sequence may be under way: as many more as fit into the time that the links take."""
        if not self._compute_ms or not self._links_ms:
            return 1
        return min(MAX_DEPTH, 1 + int(min(self._links_ms) / self._compute_ms))

    def measured(self, batch: MicroBatch, milliseconds: float, *, alone: bool) -> None:
        """A frame took so long to come back; `alone`: nothing was under way in front of it.

        One with a piece of a prompt says little of a step: it is bound by arithmetic, a step by reading weights.
        """
        rows, flights = len(batch.ids), [flight for _, flight in batch.parts]
        if all(flight.segment.count - flight.guesses <= SHORTEST_REPRODUCIBLE for flight in flights):
            steps = self._guessing_steps if any(flight.guesses for flight in flights) else self._steps
            steps.add(rows, milliseconds)
        if alone and rows <= FREE_ROWS:
            self._links_ms.append(max(0.0, milliseconds - self._compute_ms))

    def landed(self, decoding: Decoding) -> None:
        """A segment of the sequence was judged."""
        record = self._record(decoding)
        tested, accepted = decoding.tested - record.tested, decoding.accepted - record.accepted
        record.tested, record.accepted = decoding.tested, decoding.accepted
        if tested > 0:
            record.latest.landed(tested, accepted)

    def free(self, decoding: Decoding) -> Budget:
        """For guesses that cost nothing but their rows."""
        return self._budget(decoding, self._record(decoding).free, draft_ms=0.0)

    def drafted(self, decoding: Decoding, draft_ms: float) -> Budget:
        """For guesses that cost so much each."""
        return self._budget(decoding, self._record(decoding).drafted, draft_ms=draft_ms)

    def guess(self, decoding: Decoding, ids: Sequence[int], *, free: bool) -> None:
        """Add guesses to a sequence."""
        record = self._record(decoding)
        record.latest = record.free if free else record.drafted
        decoding.guess(ids)

    def pay(self, decodings: Sequence[Decoding], proposed: Sequence[Sequence[int]]) -> bool:
        """Whether a frame yields more tokens a millisecond with these free guesses than without.

        Where few of many sequences have any, all pay for the slower kernel. Now and then it is tried all the same, so
        that its cost is known.
        """
        guesses = sum(map(len, proposed))
        together = max(self.sharing, len(decodings))
        costs = self._costs(0.0)
        plain_ms, guessing_ms = costs.step.ms(together), costs.guessing_ms(together + guesses)
        if not guesses or self.sharing == 1 or not plain_ms:
            return True
        chances = (self._record(decoding).free.acceptance for decoding in decodings)
        more = sum(expected_tokens(p, len(ids)) - 1 for p, ids in zip(chances, proposed, strict=True))
        if (together + more) / guessing_ms > together / plain_ms:
            return True
        self._refused = (self._refused + 1) % TRIED_AGAIN
        return self._refused == 0

    def end(self, sequence: SequenceId) -> None:
        """Forget a sequence."""
        self._records.pop(sequence, None)

    def _budget(self, decoding: Decoding, speculation: Speculation, *, draft_ms: float) -> Budget:
        """As many as pay. Those that go ahead cost a step: the slower the links, the more idle the stages are."""
        costs = self._costs(draft_ms)
        length = speculation.length(costs)
        p = min(max(speculation.acceptance, 0.01), 0.99)
        least_hope = costs.least_hope(p, length)
        if self.depth == 1 or not length:
            return Budget(length, least_hope)
        # The chance that n guesses are right is p^n.
        most = min(MOST_AHEAD, math.ceil(math.log(max(least_hope, 0.001)) / math.log(p)))
        piece = max(1, min(length, most, self._piece(draft_ms)))
        ahead = decoding.guessed
        count = min(piece, most - ahead)
        worth_a_step = count * self.depth >= 2 * piece or count == piece
        return Budget(count if worth_a_step else 0, min(1.0, least_hope / p**ahead))

    def _piece(self, draft_ms: float) -> int:
        """Guesses of a segment where others follow: while a stage is busy with it, the next ones are drafted."""
        if not self._slowest_ms or draft_ms * MOST_AHEAD <= self._slowest_ms:
            return MOST_AHEAD
        return math.ceil(self._slowest_ms / draft_ms)

    def _costs(self, draft_ms: float) -> Costs:
        return Costs(self._steps, draft_ms, sequences=self.sharing, guessing=self._guessing_steps)

    def _record(self, decoding: Decoding) -> _Record:
        record = self._records.get(decoding.id)
        if record is None:
            free, drafted = self._speculation(), self._speculation()
            record = self._records[decoding.id] = _Record(free, drafted, latest=drafted)
        elif record.tested > decoding.tested:  # another turn of the conversation counts anew
            record.tested = record.accepted = 0
        return record
