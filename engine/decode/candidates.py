"""The best tokens of rows of logits: the few among which a choice nearly always falls.

There is one order of a row's tokens: the larger logit first, of equal ones the lower id. Candidates are a beginning of
it, with a bound for everything that comes after.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

WIDTH = 64
"""Candidates of a row that are looked at first."""

_STRIDES = 64
"""A row is taken for so many strips, see first_of()."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Of each row the first `counts` tokens in order; behind them in an array's row is padding: id 0, logit -inf."""

    ids: Ids
    """`[rows, width]`"""
    logits: Floats
    """`[rows, width]`"""
    counts: Ids
    """`[rows]`; 0 where even the first token is not certain."""
    floors: Floats
    """`[rows]`: no other token's logit is larger; -inf where there is no other."""
    vocabulary: int

    @classmethod
    def of_best(cls, ids: NDArray[Any], logits: NDArray[Any], *, vocabulary: int) -> Candidates:
        """From what a graph picked, both `[rows, k]`: the k largest logits of each row, in order.

        Of tokens whose logits equal the last one a graph may have picked any, so they do not count.
        """
        floors = logits[:, -1].astype(np.float64)
        if ids.shape[1] == vocabulary:
            counts = np.full(len(ids), vocabulary)
            floors = np.full(len(ids), -np.inf)
        else:
            counts = (logits > logits[:, -1:]).sum(axis=1)
        inside = np.arange(ids.shape[1]) < counts[:, None]
        return cls(np.where(inside, ids, 0), np.where(inside, logits, -np.inf), counts, floors, vocabulary)

    @classmethod
    def of_rows(cls, rows: NDArray[Any], *, width: int = WIDTH) -> Candidates:
        """From whole rows `[rows, vocabulary]` of logits."""
        vocabulary = rows.shape[1]
        width = min(width, vocabulary)
        ids = np.empty((len(rows), width), np.int64)
        for index, row in enumerate(rows):
            ids[index] = first_of(row, width)
        logits = np.take_along_axis(rows, ids, 1).astype(np.float64)
        floors = logits[:, -1].copy() if width < vocabulary else np.full(len(rows), -np.inf)
        return cls(ids, logits, np.full(len(rows), width), floors, vocabulary)

    def take(self, rows: Ids) -> Candidates:
        """Those of some rows."""
        return Candidates(self.ids[rows], self.logits[rows], self.counts[rows], self.floors[rows], self.vocabulary)

    def replace(self, row: int, ids: Ids, logits: Floats) -> None:
        """Give the tokens `ids` other logits, in place; `ids` has each once.

        Tokens that were no candidates and keep their logits come after all those above the floor. At the floor itself
        they come after the last candidate, where that stands there.
        """
        count = int(self.counts[row])
        if not count:
            return
        kept = ~np.isin(self.ids[row, :count], ids, kind="table")  # a quarter of the time of sorting
        merged = np.concatenate([self.ids[row, :count][kept], ids])
        values = np.concatenate([self.logits[row, :count][kept], logits])
        if count < self.vocabulary:
            last, floor = self.ids[row, count - 1], self.floors[row]
            tie = (values == floor) & (merged <= last) & (self.logits[row, count - 1] == floor)
            certain = (values > floor) | tie
            merged, values = merged[certain], values[certain]
        order = np.lexsort((merged, -values))
        if len(order) > self.ids.shape[1]:
            order = order[: self.ids.shape[1]]
            self.floors[row] = values[order[-1]]
        self._put(row, merged[order], values[order])

    def _put(self, row: int, ids: Ids, logits: Floats) -> None:
        count = len(ids)
        self.counts[row] = count
        self.ids[row, :count], self.ids[row, count:] = ids, 0
        self.logits[row, :count], self.logits[row, count:] = logits, -np.inf


def first_of(row: NDArray[Any], count: int) -> Ids:
    """The first `count` tokens of `row` [vocabulary] in order."""
    found = np.flatnonzero(row >= _limit(row, count)) if count < len(row) else np.arange(len(row))
    order: Ids = found[np.argsort(-row[found], kind="stable")[:count]]
    return order


def _limit(row: NDArray[Any], count: int) -> np.floating[Any]:
    """A value that at least `count` tokens reach, and hardly more.

    The largest of each of many columns are nearly the largest of all, and found in a tenth of the time of sorting: the
    count-th largest of them is reached by at least `count` tokens.
    """
    columns = len(row) // _STRIDES
    if columns >= 2 * count:
        row = row[: columns * _STRIDES].reshape(_STRIDES, columns).max(axis=0)
    limit: np.floating[Any] = np.partition(row, len(row) - count)[len(row) - count]
    return limit
