"""The choice of tokens: the right distribution, and the same choice whatever the company."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.candidates import Candidates
from idlepool.engine.decode.history import Seen
from idlepool.engine.decode.noise import gumbel, keys_of
from idlepool.engine.decode.sampler import Place, check_sampling, choose, pick
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


@pytest.mark.parametrize("min_p", [0.05, 0.4, 0.9, 1.0])
def test_min_p_keeps_what_is_that_share_as_probable_as_the_best(min_p: float) -> None:
    chances = softmax(LOGITS, 1.2)
    kept = np.where(chances >= min_p * chances.max(), chances, 0)
    counts = draw(Sampling(temperature=1.2, min_p=min_p, seed=9))
    freedom = np.count_nonzero(kept) - 1
    assert chi_square(counts, kept / kept.sum()) < CHI_SQUARE_999.get(freedom, 1e-9)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(temperature=1.0, seed=1),
        Sampling(temperature=0.8, seed=2, top_p=0.7),
        Sampling(temperature=1.1, seed=3, min_p=0.2),
        Sampling(temperature=1.0, seed=4, top_k=150),
        Sampling(temperature=1.5, seed=5, top_k=150, top_p=0.8, min_p=0.01),
    ],
)
def test_draws_from_a_vocabulary_wider_than_the_candidates_follow_what_the_cuts_leave(sampling: Sampling) -> None:
    logits = np.random.default_rng(5).normal(scale=0.7, size=400).astype(np.float32)
    chances = exact(logits, sampling)
    groups = np.argsort(-logits, kind="stable").reshape(8, 50)  # so that enough falls on each
    expected = chances[groups].sum(axis=1)
    counts = draw(sampling, logits, 4_000)
    assert counts[chances == 0].sum() == 0
    assert chi_square(counts[groups].sum(axis=1), expected) < CHI_SQUARE_999[7]


def exact(logits: np.ndarray, sampling: Sampling) -> np.ndarray:
    """The distribution that the cuts leave, by their definitions."""
    order = np.argsort(-logits, kind="stable")
    chances = softmax(logits, sampling.temperature)[order]
    kept = np.arange(len(order)) < (sampling.top_k or len(order))
    share = chances * kept / (chances * kept).sum()
    kept &= np.cumsum(share) - share < sampling.top_p
    kept &= chances >= sampling.min_p * chances[0]
    result = np.zeros_like(chances)
    result[order] = chances * kept / (chances * kept).sum()
    return result


@pytest.mark.parametrize("guesses", ["best", "worst", "random"])
def test_accepted_drafts_leave_the_distribution_alone(guesses: str) -> None:
    """A text of two tokens, the second guessed: accepted where the guess is the tail's own id, else drawn again."""
    first, second = LOGITS[:3], np.array([[2.0, 0.5, 0.0], [0.0, 0.0, 0.0], [-1.0, 1.0, 0.3]], np.float32)
    sampling = Sampling(temperature=1.0, seed=0)
    texts = 8_000
    guess = {"best": np.zeros(texts, int), "worst": np.ones(texts, int)}.get(guesses)
    if guess is None:
        guess = np.random.default_rng(1).integers(3, size=texts)
    places = 2 * np.arange(texts)
    one = np.array(choose(np.broadcast_to(first, (texts, 3)), places.tolist(), sampling))
    two = np.array(choose(second[guess], (places + 1).tolist(), sampling))
    wrong = one != guess  # there the second row was computed from another text
    two[wrong] = choose(second[one[wrong]], (places[wrong] + 1).tolist(), sampling)
    counts = np.bincount(3 * one + two, minlength=9)
    expected = softmax(first, 1.0)[:, np.newaxis] * np.stack([softmax(row, 1.0) for row in second])
    assert chi_square(counts, expected.ravel()) < 26.12  # eight degrees of freedom


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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("temperature", [0.0, 5e-324, 1e-31, 1e-3, 1.0, 1e300])
@pytest.mark.parametrize("cut", [{}, {"top_p": 0.5}, {"top_k": 70}, {"min_p": 0.1}])
def test_extreme_settings_and_logits_are_as_good_as_others(temperature: float, cut: dict[str, float]) -> None:
    row = np.linspace(-3e38, 3e38, 300, dtype=np.float32)
    row[:9] = -np.inf
    sampling = Sampling(temperature=temperature, seed=1, logit_bias=((3, 1e308), (4, -1e308), (12, -1e308)), **cut)
    place = Place(2**31, sampling)
    assert pick(row[None], [place]).tolist() == [by_definition(row, place, [])]
    assert pick(row[None], [place], as_a_graph_picks(row[None], 64)).tolist() == [by_definition(row, place, [])]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("row", [[0.0, math.nan, 1.0], [-math.inf] * 3, [0.0, math.inf, 1.0]])
def test_logits_without_a_best_token_are_told(row: list[float], temperature: float) -> None:
    good = [1.0, 2.0, 3.0]
    with pytest.raises(PoolError):
        choose(np.array([good, row], dtype=np.float32), [0, 1], Sampling(temperature=temperature))


CUTS = {
    "temperature": st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    "top_k": st.integers(0, 40),
    "top_p": st.floats(0.01, 1.0) | st.just(1.0),
    "min_p": st.floats(0, 1) | st.just(0.0),
    "seed": st.integers(0, LARGEST_SEED),
}
PLAIN = st.builds(Sampling, **CUTS)
SAMPLINGS = st.builds(
    Sampling,
    **CUTS,
    repetition_penalty=st.sampled_from([1.0, 1.0, 0.8, 1.3]),
    presence_penalty=st.sampled_from([0.0, 0.0, -1.0, 0.5]),
    frequency_penalty=st.sampled_from([0.0, 0.0, -0.3, 0.2]),
    logit_bias=st.just(())
    | st.dictionaries(st.integers(0, 40), st.floats(-9, 9), max_size=4).map(lambda biases: tuple(biases.items())),
)


def by_definition(row: np.ndarray, place: Place, tokens: list[int]) -> int:
    """The choice told step by step, as plainly as can be; `tokens` stand before it."""
    sampling = place.sampling
    logits = row.astype(np.float64)
    for token in {token for token in tokens if token < len(row)}:
        penalty = sampling.repetition_penalty
        logits[token] = logits[token] / penalty if logits[token] > 0 else logits[token] * penalty
        logits[token] -= sampling.presence_penalty + tokens.count(token) * sampling.frequency_penalty
    for token, bias in sampling.logit_bias:
        if token < len(row):
            logits[token] += bias
    order = np.argsort(-logits, kind="stable")
    if sampling.temperature == 0:
        return int(order[0])
    with np.errstate(over="ignore"):
        scores = (logits - logits.max()) / sampling.temperature
    kept = order[: sampling.top_k or None]
    if sampling.top_p < 1:
        mass = np.cumsum(np.exp(scores[kept]))
        kept = kept[: np.searchsorted(mass, sampling.top_p * mass[-1]) + 1]
    kept = [token for token in kept if sampling.min_p == 0 or scores[token] >= np.log(sampling.min_p)]
    (key,) = keys_of([sampling.seed], [place.position])
    noisy = scores[kept] + gumbel(key, np.array(kept))
    return int(kept[noisy.argmax()])


@st.composite
def many_logits(draw: st.DrawFn) -> np.ndarray:
    """Rows with few and many equal logits, flat and steep, of vocabularies smaller and larger than the candidates."""
    vocabulary = draw(st.sampled_from([5, 40, 100, 700, 9_000]))
    scale, step = draw(st.sampled_from([0.0, 0.3, 2.0, 8.0])), draw(st.sampled_from([0.0, 0.5, 4.0]))
    rows = np.random.default_rng(draw(st.integers(0, 999))).normal(scale=scale, size=(3, vocabulary))
    if step:
        rows = np.round(rows / step) * step
    return rows.astype(np.float32)


@settings(max_examples=200, deadline=None)
@given(logits=many_logits(), samplings=st.lists(SAMPLINGS, min_size=3, max_size=3), data=st.data())
def test_what_is_looked_at_never_changes_the_choice(
    logits: np.ndarray, samplings: list[Sampling], data: st.DataObject
) -> None:
    tokens = data.draw(st.lists(st.integers(0, 50), max_size=30))
    best = data.draw(st.lists(st.integers(0, logits.shape[1] - 1), max_size=3))
    tokens += [int(np.argsort(-logits[0], kind="stable")[rank]) for rank in best]
    distinct, counts = np.unique(np.array(tokens, np.int64), return_counts=True)
    places = [Place(7 + row, sampling, Seen(distinct, counts)) for row, sampling in enumerate(samplings)]
    expected = [by_definition(row, place, tokens) for row, place in zip(logits, places, strict=True)]
    assert pick(logits, places).tolist() == expected
    width = min(data.draw(st.sampled_from([1, 4, 64])), logits.shape[1])
    assert pick(logits, places, as_a_graph_picks(logits, width)).tolist() == expected


def test_a_winner_at_the_edge_of_an_uncertain_nucleus_is_looked_at_again() -> None:
    """The candidates leave open where the nucleus ends: between two of them."""
    row = np.maximum(-0.1 * np.arange(9_000), -9).astype(np.float32)
    places = [Place(position, Sampling(temperature=1.0, top_p=0.8, seed=1)) for position in range(300)]
    rows = np.broadcast_to(row, (300, 9_000))
    chosen = pick(rows, places, as_a_graph_picks(rows, 64)).tolist()
    assert chosen == [by_definition(row, place, []) for place in places]
    assert len(set(chosen)) > 10


def as_a_graph_picks(logits: np.ndarray, width: int) -> Candidates:
    """Of the tokens that are equal where the candidates end, a graph may pick any: here the highest ids."""
    backwards = logits.shape[1] - 1 - np.argsort(-logits[:, ::-1], axis=1, kind="stable")[:, :width]
    best = np.take_along_axis(logits, backwards, 1)
    order = np.lexsort((backwards, -best), axis=-1)
    ids = np.take_along_axis(backwards, order, 1).astype(np.int32)
    return Candidates.of_best(ids, np.take_along_axis(best, order, 1), vocabulary=logits.shape[1])


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
@given(sampling=PLAIN, data=st.data())
def test_a_choice_lies_among_the_best(sampling: Sampling, data: st.DataObject) -> None:
    logits = np.array(data.draw(st.lists(st.floats(-30, 30, width=32), min_size=1, max_size=60)), dtype=np.float32)
    (token,) = choose(logits[np.newaxis], [data.draw(st.integers(0, 2**40))], sampling)
    better = int((logits > logits[token]).sum())
    assert better == 0 if sampling.temperature == 0 else better < (sampling.top_k or len(logits))


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
