"""The choice among the candidates of many rows at once, and whether it certainly is that of the whole rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idlepool.engine.decode.candidates import Candidates
from idlepool.engine.decode.cuts import Cuts, Mass, Scored, kept
from idlepool.engine.decode.noise import MOST, gumbel

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """How each row is sampled, all `[rows]`."""

    temperature: Floats
    keys: NDArray[np.uint64]
    cuts: Cuts

    def take(self, rows: Ids | slice) -> Settings:
        """Those of some rows."""
        cuts = Cuts(self.cuts.top_k[rows], self.cuts.top_p[rows], self.cuts.min_p[rows])
        return Settings(self.temperature[rows], self.keys[rows], cuts)


def scores_of(logits: NDArray[Any], best: NDArray[Any], temperature: Floats) -> Floats:
    """Logits over the temperature, moved so that the best one is 0."""
    with np.errstate(over="ignore"):  # a tiny temperature sends all but the best to -inf, as it should
        scores: Floats = (logits - best) / temperature
    return scores


def settle(candidates: Candidates, settings: Settings, mass: Mass | None = None) -> tuple[Ids, NDArray[np.bool_]]:
    """The winner among the candidates of each row, and whether it certainly is that of the whole row: `[rows]` each.

    It is where the cuts leave nothing but candidates, or where no noise could lift another token above the winner.
    """
    greedy = settings.temperature == 0
    known = candidates.counts > 0
    if greedy.all():
        return candidates.ids[:, 0].copy(), known
    scored = _scored(candidates, np.where(greedy, 1.0, settings.temperature))
    at_least, at_most = kept(scored, settings.cuts, mass)
    totals = scored.scores + gumbel(settings.keys[:, None], candidates.ids)
    inside = np.arange(totals.shape[1]) < at_most[:, None]
    winners = np.where(inside, totals, -np.inf).argmax(axis=1)
    winners[greedy] = 0
    height = np.take_along_axis(totals, winners[:, None], 1)[:, 0]
    beyond_reach = (at_most <= candidates.counts) | (height > scored.floors + MOST)
    certain = known & (greedy | ((winners < at_least) & beyond_reach))
    return np.take_along_axis(candidates.ids, winners[:, None], 1)[:, 0], certain


def surely_kept(candidates: Candidates, settings: Settings, mass: Mass) -> int:
    """How many of the candidates of one row top-p and min-p certainly leave; top-k does not cut it."""
    if not settings.cuts.cut_by_probability[0]:
        return int(candidates.counts[0])
    at_least, _ = kept(_scored(candidates, settings.temperature), settings.cuts, mass)
    return int(min(at_least[0], candidates.counts[0]))


def _scored(candidates: Candidates, temperature: Floats) -> Scored:
    best = np.where(candidates.counts > 0, candidates.logits[:, 0], 0.0)
    return Scored(
        scores_of(candidates.logits, best[:, None], temperature[:, None]),
        candidates.counts,
        scores_of(candidates.floors, best, temperature),
        candidates.vocabulary - candidates.counts,
    )
