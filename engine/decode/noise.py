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

_LEAST = -4.0
"""All noise is larger."""

_STEP = np.uint64(0x9E3779B97F4A7C15)

_BLOCK = 16_384
"""Tokens at once: arrays that stay in the cache."""

_BLOCK_STEPS = np.arange(1, _BLOCK + 1, dtype=np.uint64) * _STEP


def keys_of(seeds: Sequence[int], positions: Sequence[int]) -> Words:
    """One key a place: mix(mix(seed) + (position + 1) * step). The inner mix keeps near seeds from sharing keys."""
    start = _mix(np.array(seeds, dtype=np.uint64))
    return _mix(start + (np.array(positions, dtype=np.uint64) + np.uint64(1)) * _STEP)


def gumbel(keys: Words | np.uint64, tokens: NDArray[Any]) -> Floats:
    """Noise of `tokens` at the places that `keys` stand for; the two are broadcast against each other.

    Token t takes output t of the generator whose state starts at the key. Its upper 52 bits, moved by a half, make u:
    a float64 cannot round that to 0 or 1, so the noise is finite (between -3.6 and 36.8).
    """
    states = tokens.astype(np.uint64)
    states += np.uint64(1)
    states *= _STEP
    uniform = ((_mix(states + keys) >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52
    noise: Floats = -np.log(-np.log(uniform))
    return noise


def gumbel_above(key: np.uint64, vocabulary: int, least: float) -> tuple[NDArray[np.int64], Floats]:
    """At one place, those tokens of a vocabulary whose noise may be above `least`, in order, and their noise.

    Only few are, and the bits tell which without a logarithm: the noise is above g where 1 - u < 1 - exp(-exp(-g)).
    """
    share = -math.expm1(-math.exp(-least)) if least > _LEAST else 1.0
    lowest = max(0, int((1 - share * (1 + 1e-9)) * 2**52) - 2) << 12
    bound = np.uint64(lowest >> 33 << 33)  # the generator's last step leaves the upper bits alone, so it can be spared
    found: list[NDArray[np.int64]] = []
    for start in range(0, vocabulary, _BLOCK):
        state = np.uint64((int(key) + start * int(_STEP)) % 2**64)
        words = _BLOCK_STEPS[: vocabulary - start] + state
        _scramble(words)
        found.append(np.flatnonzero(words >= bound) + start)
    above = np.concatenate(found)
    return above, gumbel(key, above)


def _mix(words: Words) -> Words:
    """The generator's output function; `words` is overwritten, because new arrays cost as much as the sums."""
    _scramble(words)
    words ^= words >> np.uint64(31)
    return words


def _scramble(words: Words) -> None:
    scratch = words >> np.uint64(30)
    words ^= scratch
    words *= np.uint64(0xBF58476D1CE4E5B9)
    np.right_shift(words, np.uint64(27), out=scratch)
    words ^= scratch
    words *= np.uint64(0x94D049BB133111EB)
