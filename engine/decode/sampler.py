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
from idlepool.engine.decode.cuts import Cuts, Mass, Scored, kept
from idlepool.engine.decode.history import Seen
from idlepool.engine.decode.noise import MOST, gumbel, gumbel_above, keys_of
from idlepool.engine.decode.penalties import changed
from idlepool.engine.errors import PoolError, RequestError
from idlepool.engine.sampling_rules import broken_rule
from idlepool.engine.types import Sampling

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

_WIDER = (1_024, 16_384)
"""How many of a row's best tokens are looked at where fewer did not suffice; then all."""

_ROUNDING = 1e-9
"""Sums of a score and its noise are off by less."""

_ROUGH = 1e-4
"""Relative; more than a sum of float32 exponentials is off."""


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
        _check_finite(np.where(candidates.counts > 0, candidates.logits[:, 0], 0))
    for index, place in enumerate(places):
        if place.sampling.penalises or place.sampling.logit_bias:
            candidates.replace(index, *changed(logits[index], place.sampling, place.seen))
    ids, certain = _settle(candidates, _settings(places))
    for row in np.flatnonzero(~certain).tolist():
        ids[row] = _from_row(logits[row], places[row])
    return ids


@dataclass(frozen=True, slots=True)
class _Settings:
    """Of each row, all `[rows]`."""

    temperature: Floats
    keys: NDArray[np.uint64]
    cuts: Cuts


def _settings(places: Sequence[Place]) -> _Settings:
    samplings = [place.sampling for place in places]
    cuts = Cuts(
        np.array([sampling.top_k for sampling in samplings], np.int64),
        np.array([sampling.top_p for sampling in samplings]),
        np.array([sampling.min_p for sampling in samplings]),
    )
    keys = keys_of([sampling.seed for sampling in samplings], [place.position for place in places])
    return _Settings(np.array([sampling.temperature for sampling in samplings]), keys, cuts)


def _check_finite(best: NDArray[Any]) -> None:
    if not np.isfinite(best).all():
        raise PoolError(
            "The model's last layers gave no usable numbers.", "Ask again; if it stays, add the model anew."
        )


def _scores(logits: NDArray[Any], best: NDArray[Any], temperature: Floats | float) -> NDArray[Any]:
    with np.errstate(over="ignore"):  # a tiny temperature sends all but the best to -inf, as it should
        scores: NDArray[Any] = (logits - best) / temperature
    return scores


def _settle(candidates: Candidates, settings: _Settings, mass: Mass | None = None) -> tuple[Ids, NDArray[np.bool_]]:
    """The winner among the candidates of each row, and whether it certainly is that of the whole row."""
    greedy = settings.temperature == 0
    known = candidates.counts > 0
    if greedy.all():
        return candidates.ids[:, 0].copy(), known
    temperature = np.where(greedy, 1.0, settings.temperature)
    best = np.where(known, candidates.logits[:, 0], 0.0)
    scored = Scored(
        _scores(candidates.logits, best[:, None], temperature[:, None]),
        candidates.counts,
        _scores(candidates.floors, best, temperature),
        candidates.vocabulary - candidates.counts,
    )
    at_least, at_most = kept(scored, settings.cuts, mass)
    totals = scored.scores + gumbel(settings.keys[:, None], candidates.ids)
    inside = np.arange(totals.shape[1]) < at_most[:, None]
    winners = np.where(inside, totals, -np.inf).argmax(axis=1)
    winners[greedy] = 0
    height = np.take_along_axis(totals, winners[:, None], 1)[:, 0]
    beyond_reach = (at_most <= candidates.counts) | (height > scored.floors + MOST)
    certain = known & (greedy | ((winners < at_least) & beyond_reach))
    return np.take_along_axis(candidates.ids, winners[:, None], 1)[:, 0], certain


def _from_row(row: NDArray[Any], place: Place) -> int:
    """The choice where the first candidates did not suffice."""
    sampling = place.sampling
    wide = row.astype(np.float64)
    if sampling.penalises or sampling.logit_bias:
        ids, logits = changed(row, sampling, place.seen)
        wide[ids] = logits
    settings = _settings([place])
    uncut = not 0 < sampling.top_k < len(row) and sampling.top_p == 1 and sampling.min_p == 0
    if sampling.temperature and uncut:
        return _from_all(wide, sampling.temperature, settings.keys[0])
    mass = _mass(wide, sampling.temperature) if sampling.temperature and sampling.top_p < 1 else None
    for width in (*_WIDER, len(row)):
        if width >= min(sampling.top_k, len(row)):
            ids, certain = _settle(Candidates.of_rows(wide[None], width=width), settings, mass)
            if certain[0]:
                break
    return int(ids[0])


def _mass(row: Floats, temperature: float) -> Mass:
    """The sum of exp(score) over a row: half the time in float32, and good enough to know the nucleus nearly always."""
    scores = _scores(row, row.max(), temperature).astype(np.float32)
    total = np.array([np.exp(scores).sum()], np.float64)
    return Mass(total * (1 - _ROUGH), total * (1 + _ROUGH))


def _from_all(row: Floats, temperature: float, key: np.uint64) -> int:
    """A draw from all tokens of `row`. Only those whose noise can lift them above the best candidate are looked at."""
    first = Candidates.of_rows(row[None])
    scores = _scores(row, row.max(), temperature)
    candidates = first.ids[0]
    noise = gumbel(key, candidates)
    height = (scores[candidates] + noise).max()
    near = np.flatnonzero(scores > height - MOST)
    others, lifts = gumbel_above(key, near, height - scores[candidates[-1]] - _ROUNDING)
    tokens, noise = np.concatenate([candidates, others]), np.concatenate([noise, lifts])
    totals = scores[tokens] + noise
    tied = tokens[totals == totals.max()]
    return int(tied[np.lexsort((tied, -scores[tied]))[0]])
