"""The tail's choice of tokens: from a row of logits to the one id that comes next, the same on every PC.

Sampling uses the Gumbel-max trick (Maddison, Tarlow and Minka, "A* Sampling", 2014): with independent noise
g[t] = -log(-log(u[t])), u uniform in (0, 1), the token argmax(logits[t] / T + g[t]) is a draw from softmax(logits / T).
The noise is no stream but a function of (seed, position, token), so a choice depends on nothing that was chosen,
batched or thrown away before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idlepool.engine.errors import PoolError, RequestError
from idlepool.engine.sampling_rules import broken_rule
from idlepool.engine.types import Sampling

Floats = NDArray[np.float64]
Words = NDArray[np.uint64]
Ids = NDArray[np.intp]

_NUCLEUS_GUESS = 256
"""Tokens looked at first for top-p; nearly always enough, and far cheaper than sorting a whole vocabulary."""


def check_sampling(sampling: Sampling) -> None:
    """Raise RequestError, naming the setting, where a value has no meaning."""
    rule = broken_rule(sampling)
    if rule is not None:
        raise RequestError(f"The {rule.name} is {rule.shown(sampling)}.", rule.must)


def choose(logits: NDArray[np.float32], positions: Sequence[int], sampling: Sampling) -> list[int]:
    """Choose one token for each row of `logits` [rows, vocabulary].

    `positions[i]` is the place in the sequence where the token chosen from row i will stand. Rows do not influence one
    another. Temperature 0 takes the largest logit, the lowest id where several are equal; otherwise top-k cuts first,
    then top-p on what top-k left, both at the given temperature. `sampling` was checked by `check_sampling`.

    Raises:
        PoolError: a row has a NaN, an infinity, or no token that may be chosen (all -inf).
    """
    if logits.ndim != 2 or len(positions) != len(logits):
        raise ValueError(f"logits of shape {logits.shape} for {len(positions)} positions")
    best = logits.max(axis=1)
    if not np.isfinite(best).all():
        raise PoolError(
            "The model's last layers gave no usable numbers.", "Ask again; if it stays, add the model anew."
        )
    if sampling.temperature == 0:
        return [int(token) for token in logits.argmax(axis=1)]
    keys = _keys(sampling.seed, positions)
    return [_draw(row, key, sampling) for row, key in zip(logits, keys, strict=True)]


def gumbel(key: np.uint64, tokens: NDArray[Any]) -> Floats:
    """Noise of `tokens` at the place that `key` stands for.

    Token t takes output t of the splitmix64 generator whose state starts at the key. Its upper 52 bits, moved by a
    half, make u: a float64 cannot round that to 0 or 1, so the noise is finite (between -3.6 and 36.8).
    """
    words = _mix(key + (tokens.astype(np.uint64) + np.uint64(1)) * _STEP)
    uniform = ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52
    noise: Floats = -np.log(-np.log(uniform))
    return noise


def _draw(row: NDArray[np.float32], key: np.uint64, sampling: Sampling) -> int:
    wide = row.astype(np.float64)
    with np.errstate(over="ignore"):  # a tiny temperature sends all but the best to -inf, as it should
        scores = (wide - wide.max()) / sampling.temperature
    tokens = _candidates(scores, sampling)
    return int(tokens[np.argmax(scores[tokens] + gumbel(key, tokens))])


def _candidates(scores: Floats, sampling: Sampling) -> Ids:
    """Tokens that top-k and top-p leave; `scores` [vocabulary] are logits / T, the largest being 0."""
    tokens: Ids = np.arange(len(scores))
    if 0 < sampling.top_k < len(scores):
        tokens = _best(scores, sampling.top_k)
    if sampling.top_p < 1:
        tokens = tokens[_nucleus(scores[tokens], sampling.top_p)]
    return tokens


def _best(scores: Floats, count: int) -> Ids:
    """Indices of the `count` largest scores, best first, the lower index first among equals."""
    if count < len(scores):
        limit = np.partition(scores, len(scores) - count)[len(scores) - count]
        above = np.flatnonzero(scores > limit)
        level = np.flatnonzero(scores == limit)[: count - len(above)]
        found = np.concatenate([above, level])
    else:
        found = np.arange(len(scores))
    order: Ids = found[np.lexsort((found, -scores[found]))]
    return order


def _nucleus(scores: Floats, share: float) -> Ids:
    """Indices of the fewest best scores whose softmax adds up to `share`."""
    wanted = share * np.exp(scores).sum()
    count = min(_NUCLEUS_GUESS, len(scores))
    while True:
        best = _best(scores, count)
        mass = np.cumsum(np.exp(scores[best]))
        if mass[-1] >= wanted or count == len(scores):
            return best[: np.searchsorted(mass, wanted) + 1]
        count = min(16 * count, len(scores))


# splitmix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014. All sums and products
# are modulo 2**64, which is what NumPy does with arrays of uint64.
_STEP = np.uint64(0x9E3779B97F4A7C15)


def _mix(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _keys(seed: int, positions: Sequence[int]) -> Words:
    """One key a position: mix(mix(seed) + (position + 1) * step). The inner mix keeps near seeds from sharing keys."""
    start = _mix(np.array([seed], dtype=np.uint64))
    return _mix(start + (np.array(positions, dtype=np.uint64) + np.uint64(1)) * _STEP)
