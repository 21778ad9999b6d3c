"""When guesses are made and how many: between the head's loop, which only asks, and a drafter, which may be slow.

Guesses for a sequence that waits for nothing are made before its next segment leaves. On slow links more of them follow
while that is under way: the next segment then leaves before the verdict on the last one is back.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from idlepool.engine.decode.decoding import Decoding
from idlepool.engine.decode.drafter import Drafter, Wanted
from idlepool.engine.decode.speculation import Costs, Speculation, StepCost, expected_tokens
from idlepool.engine.types import SequenceId

log = logging.getLogger("idlepool.draft")

MAX_DEPTH = 8
"""Segments of a sequence under way at once."""

TRIED_AGAIN = 64
"""Frames without guesses that would not pay, until some are sent to see whether that still holds."""

FREE_ROWS = 16
"""Rows that cost a stage little more than one: reading its weights takes longer than computing with them."""

LEAST_HOPE = 0.1
"""Guesses go ahead as long as the chance that all of them are right is larger. With that much, a round trip brings nine
tenths of what endless guessing would, since (1 - p^n) / (1 - p) of 1 / (1 - p) tokens come of n - 1 guesses."""

MOST_AHEAD = 32
"""Guesses of a sequence at once, however good they are."""


@dataclass(slots=True)
class _Record:
    """What is known of a sequence's guesses."""

    speculation: Speculation
    tested: int = 0
    accepted: int = 0


class Drafting:
    """Adds guesses to sequences. `compute_ms`: what all stages together take for one token, 0 where it is unknown."""

    def __init__(
        self, drafter: Drafter, *, compute_ms: float = 0.0, speculation: Callable[[], Speculation] = Speculation
    ) -> None:
        self._drafter = drafter
        self._speculation = speculation
        self._compute_ms = compute_ms
        self._steps, self._guessing_steps = StepCost(), StepCost()
        self._refused = 0
        self._records: dict[SequenceId, _Record] = {}
        self._links_ms: deque[float] = deque(maxlen=16)
        """What the latest round trips took that was no computing."""
        self._sharing = 1
        self._waiting: list[tuple[Decoding, int]] = []
        self._failed = False
        self._asked: set[Decoding] = set()
        """Those that wait for the drafter, or that it is at work for."""
        self._worker: asyncio.Task[None] | None = None

    @property
    def depth(self) -> int:
        """How many segments of a sequence may be under way: as many more as fit into the time that the links take."""
        if not self._compute_ms or not self._links_ms:
            return 1
        return min(MAX_DEPTH, 1 + int(min(self._links_ms) / self._compute_ms))

    def measured(self, rows: int, milliseconds: float, *, guesses: bool, alone: bool) -> None:
        """A frame of so many rows took so long to come back.

        `guesses`: some were among them. `alone`: nothing was under way in front of it.
        """
        (self._guessing_steps if guesses else self._steps).add(rows, milliseconds)
        if alone and rows <= FREE_ROWS:
            self._links_ms.append(max(0.0, milliseconds - self._compute_ms))

    def landed(self, decoding: Decoding) -> None:
        """A segment of the sequence was judged."""
        record = self._record(decoding)
        tested, accepted = decoding.tested - record.tested, decoding.accepted - record.accepted
        record.tested, record.accepted = decoding.tested, decoding.accepted
        if tested > 0:
            record.speculation.landed(tested, accepted)

    def draft(self, decodings: Iterable[Decoding], proceed: Callable[[], None], *, sharing: int = 1) -> None:
        """See to guesses for those sequences, of which about `sharing` go in one frame.

        `proceed` is called when guesses come later.
        """
        self._sharing = sharing
        wanted = [(d, count) for d in decodings if d not in self._asked and (count := self._count(d)) > 0]
        if not wanted:
            return
        if not self._drafter.cost_ms and self._worker is None:
            self._propose(wanted)
            return
        for decoding, _ in wanted:
            decoding.awaits_guesses = not decoding.under_way
        self._waiting += wanted
        self._asked.update(decoding for decoding, _ in wanted)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(proceed))

    def ahead(self, decodings: Iterable[Decoding], proceed: Callable[[], None]) -> bool:
        """See to guesses beyond what is under way, where links are slow; returns whether there are more to send."""
        if self.depth == 1:
            return False
        waiting = [decoding for decoding in decodings if decoding.under_way]
        self.draft(waiting, proceed, sharing=self._sharing)
        return any(decoding.can_send for decoding in waiting)

    def end(self, sequence: SequenceId) -> None:
        """Forget a sequence."""
        self._records.pop(sequence, None)
        self._drafter.end(sequence)

    def _count(self, decoding: Decoding) -> int:
        """How many guesses to add now."""
        if self._failed or decoding.cancelled or not decoding.can_guess:
            return 0
        speculation = self._record(decoding).speculation
        if not decoding.under_way:
            return speculation.length(self._costs()) if not decoding.guessed else 0
        if decoding.under_way >= self.depth or decoding.can_send:
            return 0
        hope = min(max(speculation.acceptance, 0.01), 0.99)
        most = min(MOST_AHEAD, math.ceil(math.log(LEAST_HOPE) / math.log(hope)))
        return max(0, min(speculation.length(self._costs()), most - decoding.guessed))

    def _costs(self) -> Costs:
        return Costs(self._steps, self._drafter.cost_ms, sequences=self._sharing, guessing=self._guessing_steps)

    def _record(self, decoding: Decoding) -> _Record:
        record = self._records.get(decoding.id)
        if record is None or record.tested > decoding.tested:  # another turn of the conversation counts anew
            speculation = record.speculation if record else self._speculation()
            record = self._records[decoding.id] = _Record(speculation)
        return record

    def _propose(self, wanted: list[tuple[Decoding, int]]) -> None:
        asked = [Wanted(decoding.id, decoding.tokens, count) for decoding, count in wanted]
        proposed = self._drafter.propose(asked)
        if self._pay(wanted, proposed):
            for (decoding, _), ids in zip(wanted, proposed, strict=True):
                decoding.guess(ids)

    def _pay(self, wanted: list[tuple[Decoding, int]], proposed: list[list[int]]) -> bool:
        """Whether a frame yields more tokens a millisecond with these guesses than without.

        Where few of many sequences have any, all pay for the slower kernel. Now and then it is tried all the same, so
        that its cost is known.
        """
        guesses = sum(map(len, proposed))
        together = max(self._sharing, len(wanted))
        costs = self._costs()
        plain_ms, guessing_ms = costs.step.ms(together), costs.guessing_ms(together + guesses)
        if not guesses or self._sharing == 1 or not plain_ms:
            return True
        chances = (self._record(decoding).speculation.acceptance for decoding, _ in wanted)
        more = sum(expected_tokens(p, len(ids)) - 1 for p, ids in zip(chances, proposed, strict=True))
        if (together + more) / guessing_ms > together / plain_ms:
            return True
        self._refused = (self._refused + 1) % TRIED_AGAIN
        return self._refused == 0

    async def _work(self, proceed: Callable[[], None]) -> None:
        """Ask the drafter in a thread, for all sequences that wait at once, until none does."""
        try:
            while self._waiting:
                wanted, self._waiting = self._waiting, []
                states = [(decoding.epoch, len(decoding.tokens)) for decoding, _ in wanted]
                asked = [Wanted(decoding.id, tuple(decoding.tokens), count) for decoding, count in wanted]
                proposed = await asyncio.to_thread(self._drafter.propose, asked)
                for (decoding, _), state, ids in zip(wanted, states, proposed, strict=True):
                    self._release(decoding)
                    if state == (decoding.epoch, len(decoding.tokens)) and not decoding.cancelled:
                        decoding.guess(ids)
                proceed()
                self.draft([decoding for decoding, _ in wanted], proceed, sharing=self._sharing)
        except Exception:
            # Whatever went wrong in it, answers go on without its guesses.
            log.exception("the drafter failed; nothing is guessed from now on")
            self._failed = True
            for decoding in list(self._asked):
                self._release(decoding)
            proceed()
        finally:
            self._worker = None

    def _release(self, decoding: Decoding) -> None:
        self._asked.discard(decoding)
        decoding.awaits_guesses = False
