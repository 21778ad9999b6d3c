"""When guesses are made: between the head's loop, which only asks, and a drafter, which may be slow.

Guesses for a sequence that waits for nothing are made before its next segment leaves. On slow links more of them follow
while that is under way: the next segment then leaves before the verdict on the last one is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence

from idlepool.engine.decode.decoding import Decoding
from idlepool.engine.decode.drafter import Drafter, Wanted
from idlepool.engine.decode.guess_budget import Budget, GuessBudget
from idlepool.engine.types import SequenceId

log = logging.getLogger("idlepool.draft")

_Asked = list[tuple[Decoding, Budget]]


class Drafting:
    """Adds guesses of `drafter` to sequences, as many as `budget` says."""

    def __init__(self, drafter: Drafter, budget: GuessBudget) -> None:
        self.budget = budget
        self._drafter = drafter
        self._waiting: _Asked = []
        self._failed = False
        self._busy: set[Decoding] = set()
        """Those that wait for the drafter, or that it is at work for."""
        self._worker: asyncio.Task[None] | None = None

    def draft(self, decodings: Iterable[Decoding], proceed: Callable[[], None]) -> None:
        """See to guesses for those sequences; `proceed` is called when some come later."""
        wanting = [decoding for decoding in decodings if self._wants(decoding)]
        wanting = self._guess_at_once(wanting)
        draft_ms = self._drafter.cost_ms(self.budget.sharing)
        if not draft_ms:
            return
        asked = [(d, budget) for d in wanting if (budget := self.budget.drafted(d, draft_ms)).count]
        if not asked:
            return
        for decoding, _ in asked:
            decoding.awaits_guesses = not decoding.under_way
        self._waiting += asked
        self._busy.update(decoding for decoding, _ in asked)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(proceed))

    def ahead(self, decodings: Iterable[Decoding], proceed: Callable[[], None]) -> bool:
        """See to guesses beyond what is under way, where links are slow; returns whether there are more to send."""
        if self.budget.depth == 1:
            return False
        waiting = [decoding for decoding in decodings if decoding.under_way]
        self.draft(waiting, proceed)
        return any(decoding.can_send for decoding in waiting)

    def end(self, sequence: SequenceId) -> None:
        """Forget a sequence."""
        self.budget.end(sequence)
        self._drafter.end(sequence)

    def _wants(self, decoding: Decoding) -> bool:
        """Whether guesses are missing: there are none yet, or there is time for more than those under way."""
        if self._failed or decoding in self._busy or decoding.cancelled or not decoding.can_guess:
            return False
        if not decoding.under_way:
            return not decoding.guessed
        return decoding.under_way < self.budget.depth and not decoding.can_send

    def _guess_at_once(self, decodings: Sequence[Decoding]) -> list[Decoding]:
        """Add what guesses there are for nothing; returns the sequences that got none."""
        if not decodings:
            return []
        asked = [Wanted(d.id, d.tokens, self.budget.free(d).count) for d in decodings]
        proposed = self._drafter.at_once(asked)
        if not self.budget.pay(decodings, proposed):
            return list(decodings)
        for decoding, ids in zip(decodings, proposed, strict=True):
            if ids:
                self.budget.guess(decoding, ids, free=True)
        return [decoding for decoding, ids in zip(decodings, proposed, strict=True) if not ids]

    async def _work(self, proceed: Callable[[], None]) -> None:
        """Ask the drafter in a thread, for all sequences that wait at once, until none does."""
        try:
            while self._waiting:
                if all(decoding.under_way for decoding, _ in self._waiting):
                    # The segment that has just left is on this PC still, which draws on the same cores.
                    await asyncio.sleep(self.budget.first_ms / 1000)
                asked, self._waiting = self._waiting, []
                await self._ask(asked)
                proceed()
                self.draft([decoding for decoding, _ in asked], proceed)
        except Exception:
            # Whatever went wrong in it, answers go on without its guesses.
            log.exception("the drafter failed; nothing is guessed from now on")
            self._failed = True
            for decoding in list(self._busy):
                self._release(decoding)
            proceed()
        finally:
            self._worker = None

    async def _ask(self, asked: _Asked) -> None:
        states = [(decoding.epoch, len(decoding.tokens)) for decoding, _ in asked]
        wanted = [Wanted(d.id, tuple(d.tokens), budget.count, budget.least_hope) for d, budget in asked]
        proposed = await asyncio.to_thread(self._drafter.propose, wanted)
        for (decoding, _), state, ids in zip(asked, states, proposed, strict=True):
            self._release(decoding)
            if ids and state == (decoding.epoch, len(decoding.tokens)) and not decoding.cancelled:
                self.budget.guess(decoding, ids, free=False)

    def _release(self, decoding: Decoding) -> None:
        self._busy.discard(decoding)
        decoding.awaits_guesses = False
