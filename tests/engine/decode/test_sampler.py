"""The choice of tokens: the right distribution, and the same choice whatever the company."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.noise import gumbel
from idlepool.engine.decode.sampler import check_sampling, choose
from idlepool.engine.errors import PoolError, RequestError
from idlepool.engine.sampling_rules import LARGEST_SEED
from idlepool.engine.types import Sampling

CHI_SQUARE_999 = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52, 6: 22.46, 7: 24.32}
"""The 0.999 quantile by degrees of freedom."""

LOGITS = np.array([1.5, -0.3, 0.0, 2.0, 1.9, -1.0, 0.7, 0.2], dtype=np.float32)
DRAWS = 20_000


def draw(sampling: Sampling, logits: np.ndarray = LOGITS, draws: int = DRAWS) -> np.ndarray:
    """How often each token was chosen over as many positions."""
    rows = np.broadcast_to(logits, (draws, len(logits)))
    return np.bincount(choose(rows, range(draws), sampling), minlength=len(logits))


def softmax(logits: np.ndarray, temperature: float) -> np.ndarray:
    weights = np.exp(logits.astype(np.float64) / temperature)
    return weights / weights.sum()


def chi_square(counts: np.ndarray, expected: np.ndarray) -> float:
    kept = expected > 0
    assert counts[~kept].sum() == 0
    return float((((counts - expected * counts.sum()) ** 2)[kept] / (expected * counts.sum())[kept]).sum())


@pytest.mark.parametrize("temperature", [0.3, 0.8, 1.0, 2.5])
@pytest.mark.parametrize("seed", [0, 1, LARGEST_SEED])
def test_draws_follow_the_softmax(temperature: float, seed: int) -> None:
    counts = draw(Sampling(temperature=temperature, seed=seed))
    assert chi_square(counts, softmax(LOGITS, temperature)) < CHI_SQUARE_999[7]


def test_draws_over_seeds_follow_the_softmax_too() -> None:
    row = LOGITS[np.newaxis]
    chosen = [choose(row, [17], Sampling(temperature=1.0, seed=seed))[0] for seed in range(5_000)]
    assert chi_square(np.bincount(chosen, minlength=8), softmax(LOGITS, 1.0)) < CHI_SQUARE_999[7]


def test_neighbouring_positions_are_independent() -> None:
    chosen = np.array(choose(np.zeros((DRAWS, 2), np.float32), range(DRAWS), Sampling(temperature=1.0, seed=5)))
    pairs = np.bincount(chosen[:-1] * 2 + chosen[1:], minlength=4)
    assert chi_square(pairs, np.full(4, 0.25)) < CHI_SQUARE_999[3]


def test_neighbouring_seeds_do_not_repeat_one_another_shifted() -> None:
    rows = np.zeros((64, 50), np.float32)
    one = choose(rows, range(64), Sampling(temperature=1.0, seed=1))
    for seed in (0, 2):
        other = choose(rows, range(64), Sampling(temperature=1.0, seed=seed))
        assert all(sum(a == b for a, b in zip(one[shift:], other, strict=False)) < 10 for shift in range(3))


def test_top_k_keeps_the_best_and_their_proportions() -> None:
    counts = draw(Sampling(temperature=0.9, top_k=3, seed=2))
    kept = np.where(np.isin(np.arange(8), [3, 4, 0]), softmax(LOGITS, 0.9), 0)
    assert chi_square(counts, kept / kept.sum()) < CHI_SQUARE_999[2]


def test_top_p_keeps_the_smallest_set_that_reaches_p() -> None:
    best_first = np.argsort(-LOGITS)
    chances = softmax(LOGITS, 1.0)
    p = float(chances[best_first[:4]].sum()) - 1e-6
    counts = draw(Sampling(temperature=1.0, top_p=p, seed=3))
    kept = np.where(np.isin(np.arange(8), best_first[:4]), chances, 0)
    assert chi_square(counts, kept / kept.sum()) < CHI_SQUARE_999[3]
    wider = draw(Sampling(temperature=1.0, top_p=p + 2e-6, seed=3))
    assert np.count_nonzero(wider) == 5


def test_top_p_looks_at_what_top_k_left() -> None:
    logits = np.log(np.array([0.4, 0.3, 0.2, 0.1], dtype=np.float32))
    counts = draw(Sampling(temperature=1.0, top_k=2, top_p=0.55, seed=4), logits, 2_000)
    assert counts.tolist() == [2_000, 0, 0, 0]  # 0.4 is 57 % of the two that top-k left


def test_top_p_over_a_flat_large_vocabulary_is_exact() -> None:
    logits = np.zeros(5_000, np.float32)
    counts = draw(Sampling(temperature=1.0, top_p=0.5, seed=6), logits, 3_000)
    assert counts[2_500:].sum() == 0
    assert np.count_nonzero(counts[:2_500]) > 1_500


def test_equal_logits_at_the_cut_go_to_the_lower_ids() -> None:
    logits = np.array([1.0, 0.0, 1.0, 1.0, 1.0], dtype=np.float32)
    counts = draw(Sampling(temperature=1.0, top_k=2, seed=1), logits, 500)
    assert counts[[0, 2]].sum() == 500


def test_temperature_zero_takes_the_lowest_of_the_best() -> None:
    logits = np.array([[0, 3, 3], [5, 5, 5], [-np.inf, -9, -8]], dtype=np.float32)
    assert choose(logits, [0, 1, 2], Sampling(seed=7)) == [1, 0, 2]


@pytest.mark.parametrize("temperature", [5e-324, 1e-30, 1e-3])
def test_a_tiny_temperature_is_the_best_token(temperature: float) -> None:
    assert draw(Sampling(temperature=temperature, seed=1), draws=100)[3] == 100


def test_a_masked_token_is_never_drawn() -> None:
    logits = np.array([0.0, -np.inf, 0.0], dtype=np.float32)
    assert draw(Sampling(temperature=1e6, seed=1), logits, 500)[1] == 0


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("row", [[0.0, math.nan, 1.0], [-math.inf] * 3, [0.0, math.inf, 1.0]])
def test_logits_without_a_best_token_are_told(row: list[float], temperature: float) -> None:
    good = [1.0, 2.0, 3.0]
    with pytest.raises(PoolError):
        choose(np.array([good, row], dtype=np.float32), [0, 1], Sampling(temperature=temperature))


SAMPLINGS = st.builds(
    Sampling,
    temperature=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    top_k=st.integers(0, 40),
    top_p=st.floats(0.01, 1.0),
    seed=st.integers(0, LARGEST_SEED),
)


@settings(max_examples=60, deadline=None)
@given(sampling=SAMPLINGS, rows=st.integers(1, 9), first=st.integers(0, 2**31), data=st.data())
def test_a_row_is_chosen_the_same_alone_and_in_any_batch(
    sampling: Sampling, rows: int, first: int, data: st.DataObject
) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    logits = rng.normal(scale=2, size=(rows, 37)).astype(np.float32)
    positions = [first + row for row in range(rows)]
    together = choose(logits, positions, sampling)
    cut = data.draw(st.integers(0, rows))
    in_two = choose(logits[:cut], positions[:cut], sampling) if cut else []
    in_two += choose(logits[cut:], positions[cut:], sampling) if cut < rows else []
    backwards = choose(logits[::-1], positions[::-1], sampling)[::-1]
    assert together == in_two == backwards


@settings(max_examples=60, deadline=None)
@given(sampling=SAMPLINGS, data=st.data())
def test_a_choice_lies_among_the_best(sampling: Sampling, data: st.DataObject) -> None:
    logits = np.array(data.draw(st.lists(st.floats(-30, 30, width=32), min_size=1, max_size=60)), dtype=np.float32)
    (token,) = choose(logits[np.newaxis], [data.draw(st.integers(0, 2**40))], sampling)
    better = int((logits > logits[token]).sum())
    assert better == 0 if sampling.temperature == 0 else better < (sampling.top_k or len(logits))


def test_noise_is_splitmix64() -> None:
    """Words that the generator is published to give for the state 1234567."""
    words = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    uniform = [((word >> 12) + 0.5) / 2**52 for word in words]
    assert gumbel(np.uint64(1234567), np.arange(3)) == pytest.approx([-math.log(-math.log(u)) for u in uniform])


def test_choices_are_those_of_every_other_pc() -> None:
    """PCs of one pool may run different versions: a changed formula would part a text in its middle."""
    rows = np.zeros((6, 1_000), np.float32)
    assert choose(rows, range(6), Sampling(temperature=1.0, seed=42)) == [944, 910, 15, 948, 992, 708]


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(temperature=-0.1),
        Sampling(temperature=math.nan),
        Sampling(temperature=math.inf),
        Sampling(top_k=-1),
        Sampling(top_p=0.0),
        Sampling(top_p=1.01),
        Sampling(top_p=math.nan),
        Sampling(seed=-1),
        Sampling(seed=LARGEST_SEED + 1),
        Sampling(min_p=-0.1),
        Sampling(min_p=1.1),
        Sampling(repetition_penalty=0.0),
        Sampling(repetition_penalty=math.inf),
        Sampling(presence_penalty=2.1),
        Sampling(frequency_penalty=-2.1),
        Sampling(frequency_penalty=math.nan),
        Sampling(logit_bias=((-1, 1.0),)),
        Sampling(logit_bias=((1, math.inf),)),
        Sampling(logit_bias=((1, 1.0), (1, 2.0))),
        Sampling(logit_bias=tuple((token, 1.0) for token in range(301))),
        Sampling(logprobs=21),
        Sampling(logprobs=-2),
    ],
)
def test_meaningless_settings_are_refused_with_a_hint(sampling: Sampling) -> None:
    with pytest.raises(RequestError) as caught:
        check_sampling(sampling)
    assert "must be" in caught.value.hint


@given(sampling=SAMPLINGS)
def test_sensible_settings_pass(sampling: Sampling) -> None:
    check_sampling(sampling)
