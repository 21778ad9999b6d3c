"""Gumbel noise as a function of (seed, position, token): no stream, so nothing chosen before has any influence.

The generator is splitmix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014. All sums
and products are modulo 2**64, which is what NumPy does with arrays of uint64.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

MOST = 36.8
"""No noise is larger: u is at most 1 - 2**-53, which gives 36.74."""

_STEP = np.uint64(0x9E3779B97F4A7C15)


def keys_of(seeds: Sequence[int], positions: Sequence[int]) -> Words:
    """One key a place: mix(mix(seed) + (position + 1) * step). The inner mix keeps near seeds from sharing keys."""
    start = _mix(np.array(seeds, dtype=np.uint64))
    return _mix(start + (np.array(positions, dtype=np.uint64) + np.uint64(1)) * _STEP)


def gumbel(keys: Words | np.uint64, tokens: NDArray[Any]) -> Floats:
    """Noise of `tokens` at the places that `keys` stand for; the two are broadcast against each other.

    Token t takes output t of the generator whose state starts at the key. Its upper 52 bits, moved by a half, make u:
    a float64 cannot round that to 0 or 1, so the noise is finite (between -3.6 and 36.8).
    """
    return _noise(_words(keys, tokens))


def gumbel_above(key: np.uint64, tokens: NDArray[Any], least: float) -> tuple[NDArray[Any], Floats]:
    """Those of `tokens` whose noise may be above `least`, at one place, and their noise.

    Only few of a vocabulary are, and the bits tell which without a logarithm: the noise is above g where
    1 - u < 1 - exp(-exp(-g)).
    """
    words = _words(key, tokens)
    share = -math.expm1(-math.exp(-least)) if least > -4 else 1.0
    lowest = max(0, int((1 - share * (1 + 1e-9)) * 2**52) - 2)
    found = np.flatnonzero(words >= np.uint64(lowest))
    return tokens[found], _noise(words[found])


def _words(keys: Words | np.uint64, tokens: NDArray[Any]) -> Words:
    """52 random bits for each token."""
    return _mix(keys + (tokens.astype(np.uint64) + np.uint64(1)) * _STEP) >> np.uint64(12)


def _noise(words: Words) -> Floats:
    uniform = (words.astype(np.float64) + 0.5) * 2.0**-52
    noise: Floats = -np.log(-np.log(uniform))
    return noise


def _mix(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
