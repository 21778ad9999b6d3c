"""Top-k, top-p and min-p: each keeps a beginning of a row's order, so what they leave is one number a row.

Of the candidates alone that number is often certain, and else lies between two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

MARGIN = 1e-9
"""Relative; sums of the same numbers in another order differ less, in float64 and over any vocabulary."""

_ALL = np.int64(2**62)


@dataclass(frozen=True, slots=True)
class Cuts:
    """The three settings of each row, all `[rows]`. A top-k of 0, a top-p of 1 and a min-p of 0 cut nothing."""

    top_k: Ids
    top_p: Floats
    min_p: Floats

    @property
    def cut_by_probability(self) -> NDArray[np.bool_]:
        """`[rows]`: whether top-p or min-p cut."""
        return (self.top_p < 1) | (self.min_p > 0)


@dataclass(frozen=True, slots=True)
class Scored:
    """The candidates of rows in order: logits / T, moved so that the best is 0."""

    scores: Floats
    """`[rows, width]`, -inf behind the last candidate."""
    counts: Ids
    """`[rows]`: how many candidates there are."""
    floors: Floats
    """`[rows]`: no other token has a larger score."""
    others: Ids
    """`[rows]`: how many other tokens there are."""


@dataclass(frozen=True, slots=True)
class Mass:
    """The sum of exp(score) over the whole vocabulary lies between these, `[rows]`."""

    low: Floats
    high: Floats


def kept(scored: Scored, cuts: Cuts, mass: Mass | None = None) -> tuple[Ids, Ids]:
    """How many of the first tokens the three cuts leave, top-k first, then top-p of what it left, then min-p: `[rows]`
    at least and at most; anything above the number of candidates stands for "more than these".
    """
    vocabulary = scored.counts + scored.others
    top_k = np.where(cuts.top_k > 0, np.minimum(cuts.top_k, vocabulary), vocabulary)
    lowest_p, highest_p = _nucleus(scored, cuts.top_p, top_k, mass)
    lowest_m, highest_m = _likely(scored, cuts.min_p)
    return np.minimum(np.minimum(top_k, lowest_p), lowest_m), np.minimum(np.minimum(top_k, highest_p), highest_m)


def _nucleus(scored: Scored, top_p: Floats, top_k: Ids, mass: Mass | None) -> tuple[Ids, Ids]:
    """The fewest first tokens whose share of what top-k left is `top_p`, at least and at most."""
    sums = np.cumsum(np.exp(scored.scores), axis=1)
    held = np.minimum(top_k, scored.counts)
    low = np.take_along_axis(sums, np.maximum(held, 1)[:, None] - 1, 1)[:, 0]
    high = low + (top_k - held) * np.exp(scored.floors)
    if mass is not None:
        whole = top_k == scored.counts + scored.others
        low = np.where(whole, np.maximum(low, mass.low), low)
        high = np.where(whole, np.minimum(high, mass.high), high)
    margin = np.where(top_k > scored.counts, MARGIN, 0)  # none where the sum is that of the candidates
    at_least = 1 + (sums < (top_p * low * (1 - margin))[:, None]).sum(axis=1)
    at_most = 1 + (sums < (top_p * high * (1 + margin))[:, None]).sum(axis=1)
    at_least = np.minimum(at_least, scored.counts + 1)
    at_most = np.where(at_most > scored.counts, _ALL, at_most)
    return np.where(top_p < 1, at_least, _ALL), np.where(top_p < 1, at_most, _ALL)


def _likely(scored: Scored, min_p: Floats) -> tuple[Ids, Ids]:
    """How many tokens are at least `min_p` times as probable as the best one, at least and at most."""
    with np.errstate(divide="ignore"):
        limits = np.log(min_p)
    count = (scored.scores >= limits[:, None]).sum(axis=1)
    certain = (count < scored.counts) | (scored.floors < limits)
    at_least = np.minimum(count, scored.counts)  # without a limit the padding is counted too
    return at_least, np.where(certain, at_least, _ALL)
