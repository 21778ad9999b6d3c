"""The noise: the published generator, and the large values of a vocabulary found without computing all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.noise import MOST, gumbel, gumbel_above, keys_of


def test_noise_is_splitmix64() -> None:
    """Words that the generator is published to give for the state 1234567."""
    words = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    uniform = [((word >> 12) + 0.5) / 2**52 for word in words]
    assert gumbel(np.uint64(1234567), np.arange(3)) == pytest.approx([-math.log(-math.log(u)) for u in uniform])


@settings(deadline=None)
@given(
    key=st.integers(0, 2**64 - 1),
    vocabulary=st.sampled_from([1, 300, 16_384, 16_385, 40_000]),
    least=st.floats(-5, 15) | st.sampled_from([-math.inf, 36.7, MOST, 1e6, math.inf]),
)
def test_no_noise_above_the_bound_is_missed(key: int, vocabulary: int, least: float) -> None:
    noise = gumbel(np.uint64(key), np.arange(vocabulary))
    found, values = gumbel_above(np.uint64(key), vocabulary, least)
    assert set(np.flatnonzero(noise > least).tolist()) <= set(found.tolist())
    assert values.tolist() == noise[found].tolist()
    assert (noise[found] > least - 1e-3).all() or least > 10  # hardly more than those above


def test_keys_of_neighbours_have_nothing_in_common() -> None:
    keys = keys_of([0, 0, 1, 1, 2**63 - 1], [0, 1, 0, 1, 2**31])
    assert len(set(keys.tolist())) == 5
    assert keys_of([1], [1])[0] == keys[3]
