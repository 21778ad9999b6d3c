"""The choice from whole rows, where their candidates do not suffice: a wide nucleus, or no cut at all.

Sorting a vocabulary would take milliseconds. Instead the tokens that come out above the best of those certainly kept
are asked in turn, the highest first, whether the cuts keep them: the first that is kept is the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idlepool.engine.decode.candidates import Candidates
from idlepool.engine.decode.cuts import Mass
from idlepool.engine.decode.noise import gumbel, gumbel_above
from idlepool.engine.decode.settle import Settings, scores_of, settle, surely_kept

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROUNDING = 1e-9
"""The sum of a score and its noise is off by less."""

_ROUGH = 1e-4
"""Relative; a sum of float32 exponentials is off by less."""

_COLDEST = 1e-30
"""The lowest temperature that float32 holds well enough."""


def from_rows(rows: Sequence[NDArray[Any]], candidates: Candidates, settings: Settings) -> Ids:
    """The tokens chosen from `rows`, each [vocabulary]: `[rows]`.

    What the whole row adds up to often settles it; `candidates` and `settings` are those of the rows.
    """
    sums = [_Sums(row, *pair) for row, *pair in zip(rows, settings.temperature, settings.cuts.top_p, strict=True)]
    ids, certain = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_)
    if any(one.known for one in sums):
        ids, certain = settle(candidates, settings, _mass(sums))
    for index in np.flatnonzero(~certain).tolist():
        one = np.array([index])
        ids[index] = _from_row(rows[index], candidates.take(one), settings.take(one), sums[index])
    return ids


class _Sums:
    """Sums of exp(logit / T) over parts of a row, in float32: quick, and nearly always good enough for top-p."""

    def __init__(self, row: NDArray[Any], temperature: float, top_p: float) -> None:
        self._row = row
        self.total = np.inf
        """Relative to the best token."""
        self.known = temperature > _COLDEST and top_p < 1
        if self.known:
            with np.errstate(over="ignore"):
                scores = (row - row.max()) / row.dtype.type(temperature)
                self._weights = np.exp(scores, dtype=np.float32, casting="same_kind")
            self.total = float(self._weights.sum())

    def share_before(self, token: int) -> float:
        """The share of the tokens that come before `token` in order."""
        logit = self._row[token]
        before = float(self._weights[self._row > logit].sum())
        before += float(self._weights[token]) * np.count_nonzero(self._row[:token] == logit)
        return before / self.total


def _mass(sums: Sequence[_Sums]) -> Mass:
    low = [one.total * (1 - _ROUGH) if one.known else 0.0 for one in sums]
    return Mass(np.array(low), np.array([one.total * (1 + _ROUGH) for one in sums]))


def _from_row(row: NDArray[Any], candidates: Candidates, settings: Settings, sums: _Sums) -> int:
    """The choice from one row; `candidates` and `settings` have one row."""
    top_k = int(settings.cuts.top_k[0])
    if settings.temperature[0] == 0 or 0 < top_k < len(row):
        return _from_first(row, settings, count=max(top_k, 1))
    if not candidates.counts[0]:
        candidates = Candidates.of_rows(row[None])
    token = _draw(row, candidates, settings, sums)
    return _from_first(row, settings, count=len(row)) if token is None else token


def _from_first(row: NDArray[Any], settings: Settings, *, count: int) -> int:
    """The choice where the cuts leave none but the first `count`."""
    ids, _ = settle(Candidates.of_rows(row[None], width=count), settings)
    return int(ids[0])


def _draw(row: NDArray[Any], candidates: Candidates, settings: Settings, sums: _Sums) -> int | None:
    """A draw from a row that top-k does not cut; None where only exact sums can tell it."""
    sure = surely_kept(candidates, settings, _mass([sums]))
    tokens, logits = candidates.ids[0, :sure], candidates.logits[0, :sure]
    best, temperature, key = logits[0], settings.temperature, settings.keys[0]
    scores = scores_of(logits, best, temperature)
    totals = scores + gumbel(key, tokens)
    leader, height = int(tokens[totals.argmax()]), totals.max()
    rivals, noise = gumbel_above(key, len(row), height - scores[-1] - _ROUNDING)
    totals = scores_of(row[rivals].astype(np.float64), best, temperature) + noise
    reach = totals >= height
    rivals, totals = rivals[reach], totals[reach]
    for index in np.lexsort((rivals, -row[rivals], -totals)):
        token = int(rivals[index])
        if token == leader:
            break
        is_kept = _keeps(token, (row[token] - best) / temperature[0], settings, sums)
        if is_kept is not False:
            return token if is_kept else None
    return leader


def _keeps(token: int, score: float, settings: Settings, sums: _Sums) -> bool | None:
    """Whether top-p and min-p keep a token; None where the sums are not exact enough to tell."""
    top_p = settings.cuts.top_p[0]
    with np.errstate(divide="ignore"):
        if score < np.log(settings.cuts.min_p[0]):
            return False
    if top_p == 1:
        return True
    if not sums.known:
        return None
    share = sums.share_before(token)
    return None if abs(share - top_p) <= 2 * _ROUGH else bool(share < top_p)
