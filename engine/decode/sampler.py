"""The tail's choice of tokens: from a row of logits to the one id that comes next, the same on every PC.

Sampling uses the Gumbel-max trick (Maddison, Tarlow and Minka, "A* Sampling", 2014): with independent noise
g[t] = -log(-log(u[t])), u uniform in (0, 1), the token argmax(logits[t] / T + g[t]) is a draw from softmax(logits / T).

A row's best tokens nearly always suffice to know that argmax; where they do not, more of the row is looked at. What is
looked at never changes what is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idlepool.engine.decode.candidates import Candidates
from idlepool.engine.decode.cuts import Cuts
from idlepool.engine.decode.history import Seen
from idlepool.engine.decode.noise import keys_of
from idlepool.engine.decode.penalties import changed
from idlepool.engine.decode.settle import Settings, settle
from idlepool.engine.decode.whole_row import from_rows
from idlepool.engine.errors import PoolError, RequestError
from idlepool.engine.sampling_rules import broken_rule
from idlepool.engine.types import Sampling

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chosen token will stand in its sequence, and how it is chosen; `seen` only where that penalises."""

    position: int
    sampling: Sampling
    seen: Seen | None = None


def check_sampling(sampling: Sampling, *, vocabulary: int | None = None) -> None:
    """Raise RequestError, naming the setting, where a value has no meaning, or a bias no token of the vocabulary."""
    rule = broken_rule(sampling)
    if rule is not None:
        raise RequestError(f"The {rule.name} is {rule.shown(sampling)}.", rule.must)
    largest = max((token for token, _ in sampling.logit_bias), default=-1)
    if vocabulary is not None and largest >= vocabulary:
        raise RequestError(
            f"The logit bias names token {largest}.", f"Tokens of this model must be below {vocabulary:,}."
        )


def choose(logits: NDArray[np.float32], positions: Sequence[int], sampling: Sampling) -> list[int]:
    """pick() for rows of one sequence that is not penalised, from whole rows of logits."""
    return [int(token) for token in pick(logits, [Place(position, sampling) for position in positions])]


def pick(logits: NDArray[Any], places: Sequence[Place], candidates: Candidates | None = None) -> Ids:
    """Choose one token for each row of `logits` [rows, vocabulary]: `[rows]`.

    Rows do not influence one another. The order: penalties, then bias (see penalties.changed), temperature, top-k,
    top-p of what top-k left, min-p, noise. Temperature 0 takes the largest logit after penalties and bias. Of equal
    logits the lowest id comes first everywhere. `candidates` are those of the unchanged rows, where they are known
    already; the call may change them. Settings were checked by `check_sampling`.

    Raises:
        PoolError: a row has a NaN, an infinity, or no token that may be chosen (all -inf).
    """
    if logits.ndim != 2 or len(places) != len(logits):
        raise ValueError(f"logits of shape {logits.shape} for {len(places)} places")
    if candidates is None:
        _check_finite(logits.max(axis=1))
        candidates = Candidates.of_rows(logits)
    else:
        _check_finite(candidates.logits[candidates.counts > 0, 0])
    for index, place in enumerate(places):
        if _changes(place.sampling):
            candidates.replace(index, *changed(logits[index], place.sampling, place.seen))
    settings = _settings(places)
    ids, certain = settle(candidates, settings)
    if not certain.all():
        left = np.flatnonzero(~certain)
        _check_finite(logits[left].max(axis=1))
        rows = [_changed_row(logits[row], places[row]) for row in left.tolist()]
        ids[left] = from_rows(rows, candidates.take(left), settings.take(left))
    return ids


def _settings(places: Sequence[Place]) -> Settings:
    samplings = [place.sampling for place in places]
    cuts = Cuts(
        np.array([sampling.top_k for sampling in samplings], np.int64),
        np.array([sampling.top_p for sampling in samplings]),
        np.array([sampling.min_p for sampling in samplings]),
    )
    keys = keys_of([sampling.seed for sampling in samplings], [place.position for place in places])
    return Settings(np.array([sampling.temperature for sampling in samplings]), keys, cuts)


def _check_finite(best: NDArray[Any]) -> None:
    if not np.isfinite(best).all():
        raise PoolError(
            "The model's last layers gave no usable numbers.", "Ask again; if it stays, add the model anew."
        )


def _changed_row(row: NDArray[Any], place: Place) -> NDArray[Any]:
    """A row of logits after penalties and bias."""
    if not _changes(place.sampling):
        return row
    wide = row.astype(np.float64)
    ids, logits = changed(row, place.sampling, place.seen)
    wide[ids] = logits
    return wide


def _changes(sampling: Sampling) -> bool:
    return sampling.penalises or bool(sampling.logit_bias)
