"""Two drafters as one: the text itself where it repeats itself, a draft model elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from idlepool.engine.decode.drafter import Drafter, Wanted
from idlepool.engine.decode.lookup import LookupDrafter
from idlepool.engine.types import SequenceId

SURE_ORDERS = (5,)
"""Five equal tokens in a row, and what followed the first time follows again 95 times of 100 in the starter model's
answers; after three or four it is 66, and a draft model does as well. Such places are a third of what it writes."""


class RepeatOrDraft:
    """A drafter that asks `model` only where a long stretch of the text has not occurred before. See Drafter."""

    def __init__(self, model: Drafter, *, orders: Sequence[int] = SURE_ORDERS) -> None:
        self._lookup = LookupDrafter(orders=orders)
        self._model = model

    def cost_ms(self, sequences: int) -> float:
        """See Drafter.cost_ms: the model's."""
        return self._model.cost_ms(sequences)

    def at_once(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """See Drafter.at_once: what was said before."""
        return self._lookup.at_once(wanted)

    def propose(self, wanted: Sequence[Wanted]) -> list[list[int]]:
        """See Drafter.propose: what the model says."""
        return self._model.propose(wanted)

    def end(self, sequence: SequenceId) -> None:
        """See Drafter.end."""
        self._lookup.end(sequence)
        self._model.end(sequence)
