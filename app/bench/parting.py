"""Where texts part without the reproducible mode: the same questions asked alone and in company, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from idlepool.engine.events import AnswerDone


@dataclass(frozen=True, slots=True)
class Parting:
    """Of `answers` those that differ; for each, by how much the best token led the second where they part.

    The lead is a difference of logits: log-probabilities differ from them by the same for both.
    """

    answers: int
    leads: tuple[float, ...]

    @property
    def share(self) -> float:
        """Of the answers that part."""
        return len(self.leads) / self.answers


def parting(alone: Sequence[AnswerDone], together: Sequence[AnswerDone]) -> Parting:
    """Compare answers to the same questions; `alone` with the two best tokens at each place."""
    leads = []
    for one, other in zip(alone, together, strict=True):
        pairs = zip_longest(one.token_ids, other.token_ids)
        place = next((place for place, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
        if place is not None:
            leads.append(_lead(one, min(place, len(one.top) - 1)))
    return Parting(len(alone), tuple(leads))


def _lead(answer: AnswerDone, place: int) -> float:
    (_, best), (_, second) = answer.top[place][:2]
    return best - second
