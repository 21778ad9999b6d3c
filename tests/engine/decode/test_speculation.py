"""K control: guesses as long as they pay, none where they do not, and back again when they would."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.speculation import Costs, Speculation, SpeculationLimits, StepCost

SIZES = (1, 2, 3, 4, 8, 16)


def line(fixed: float, row: float) -> StepCost:
    """What was fitted to steps that took exactly fixed + row n."""
    cost = StepCost()
    for rows in SIZES:
        cost.add(rows, fixed + row * rows)
    return cost


def at(p: float) -> Speculation:
    """A sequence that begins with an estimate of p."""
    return Speculation(SpeculationLimits(prior=p))


def play(speculation: Speculation, p: float, rounds: int, *, length: int, seed: int = 0) -> None:
    """Rounds of `length` guesses, each right with chance p as long as those before it are."""
    chance = random.Random(seed)
    for _ in range(rounds):
        accepted = 0
        while accepted < length and chance.random() < p:
            accepted += 1
        speculation.landed(length, accepted)


costs = st.builds(
    lambda fixed, row, draft, link: (fixed, row, draft, link),
    st.integers(1, 60),
    st.sampled_from([0.05, 0.3, 0.9, 2.5]),
    st.sampled_from([0.0, 0.3, 1.9, 7.0]),
    st.sampled_from([0.0, 10.0, 200.0]),
)


class TestLength:
    @settings(deadline=None)
    @given(costs, st.integers(0, 100), st.integers(0, 100))
    def test_grows_with_the_acceptance(self, given, less, more):
        fixed, row, draft, link = given
        assume(less < more)
        assume(abs(fixed + link - draft) > 1e-6)  # then all lengths are equally good at p = 1
        step = line(fixed, row)
        lengths = [at(p / 100).length(Costs(step, draft, link)) for p in (less, more)]
        assert lengths[0] <= lengths[1]

    @settings(deadline=None)
    @given(costs, st.integers(0, 99), st.floats(0.1, 20))
    def test_falls_with_the_cost_of_a_guess(self, given, p, dearer):
        fixed, row, draft, link = given
        step = line(fixed, row)
        cheap, dear = (at(p / 100).length(Costs(step, ms, link)) for ms in (draft, draft + dearer))
        assert cheap >= dear

    @settings(deadline=None)
    @given(costs, st.integers(1, 99))
    def test_is_the_best_there_is(self, given, p):
        fixed, row, draft, link = given
        share = p / 100
        length = at(share).length(Costs(line(fixed, row), draft, link))
        rates = [
            (1 - share ** (k + 1)) / (1 - share) / (fixed + row * (k + 1) + k * draft + link) for k in range(15 + 1)
        ]
        assert rates[length] == pytest.approx(max(rates), rel=1e-9)

    @settings(deadline=None)
    @given(costs)
    def test_is_none_where_no_guess_is_ever_right(self, given):
        fixed, row, draft, link = given
        assert at(0.0).length(Costs(line(fixed, row), draft, link)) == 0

    @settings(deadline=None)
    @given(st.integers(0, 100), st.integers(1, 40), st.floats(0, 3))
    def test_is_none_where_a_guess_costs_more_than_a_step(self, p, fixed, row):
        speculation = at(p / 100)
        costs = Costs(line(fixed, row), draft_ms=fixed + row + 0.1)
        assert [speculation.length(costs) for _ in range(50)] == [0] * 50  # and nothing is worth a probe

    def test_is_none_before_anything_was_measured(self):
        assert at(0.9).length(Costs(StepCost())) == 0

    def test_a_slow_link_makes_it_longer(self):
        step = line(13.0, 0.3)
        assert at(0.8).length(Costs(step, draft_ms=1.9)) < at(0.8).length(Costs(step, draft_ms=1.9, link_ms=200.0))

    def test_company_makes_it_shorter(self):
        step = line(9.0, 0.8)
        lengths = [at(0.7).length(Costs(step, draft_ms=0.3, sequences=n)) for n in (1, 4, 16)]
        assert lengths[0] > lengths[1] > lengths[2]

    def test_never_passes_its_limit(self):
        speculation = Speculation(SpeculationLimits(longest=4, prior=0.99))
        assert speculation.length(Costs(line(100.0, 0.01))) == 4


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize(("draft_ms", "link_ms"), [(0.0, 0.0), (1.9, 0.0), (6.0, 0.0), (1.9, 200.0)])
def test_a_conversation_runs_nearly_as_fast_as_with_the_best_fixed_length(p, draft_ms, link_ms):
    adaptive = speed(p, draft_ms=draft_ms, link_ms=link_ms)
    assert adaptive > 0.93 * max(speed(p, draft_ms=draft_ms, link_ms=link_ms, fixed=n) for n in range(16))


def speed(p: float, *, draft_ms: float, link_ms: float, fixed: int | None = None) -> float:
    """Tokens a millisecond over 600 steps of 13 + 0.4 n ms, which are measured with noise and now and then late."""
    chance, noise = random.Random(2), random.Random(3)
    speculation, step = Speculation(), StepCost()
    tokens, spent_ms = 0, 0.0
    step.add(1, 13.4)
    for _ in range(600):
        length = speculation.length(Costs(step, draft_ms, link_ms)) if fixed is None else fixed
        right = [chance.random() < p for _ in range(15)][:length]
        accepted = right.index(False) if False in right else length
        speculation.landed(length, accepted)
        step_ms = 13 + 0.4 * (length + 1)
        step.add(length + 1, step_ms * noise.uniform(1, 1.2) + (30 if noise.random() < 0.05 else 0))
        tokens += accepted + 1
        spent_ms += step_ms + length * draft_ms + link_ms
    return tokens / spent_ms


class TestProbes:
    COSTS = Costs(line(13.0, 0.3), draft_ms=3.0)

    def run(self, p: float, *, steps: int, speculation: Speculation) -> list[int]:
        """The lengths of steps in which guesses are right with chance p."""
        chance = random.Random(1)
        lengths = []
        for _ in range(steps):
            length = speculation.length(self.COSTS)
            lengths.append(length)
            accepted = 0
            while accepted < length and chance.random() < p:
                accepted += 1
            speculation.landed(length, accepted)
        return lengths

    def test_are_rare_and_short_while_nothing_is_right(self):
        speculation = at(0.6)
        self.run(0.0, steps=100, speculation=speculation)
        lengths = self.run(0.0, steps=1000, speculation=speculation)
        assert set(lengths) == {0, 2}
        extra_ms = sum(self.COSTS.round_ms(length) - self.COSTS.round_ms(0) for length in lengths)
        assert extra_ms <= 0.01 * 1000 * self.COSTS.round_ms(0)

    def test_bring_guesses_back_when_the_text_becomes_easy(self):
        speculation = at(0.6)
        self.run(0.0, steps=1000, speculation=speculation)
        lengths = self.run(1.0, steps=400, speculation=speculation)
        assert lengths[-1] == 15


class TestAcceptance:
    @settings(deadline=None, max_examples=30)
    @given(st.integers(1, 9), st.integers(1, 15), st.integers(0, 5))
    def test_converges_to_what_is_so_whatever_the_length(self, tenths, length, seed):
        p, found = tenths / 10, []
        speculation = Speculation()
        for part in range(60):
            play(speculation, p, 10, length=length, seed=1000 * seed + part)
            found.append(speculation.acceptance)
        assert sum(found[10:]) / 50 == pytest.approx(p, abs=0.1)

    def test_guesses_after_the_first_wrong_one_do_not_count(self):
        one, many = Speculation(), Speculation()
        one.landed(1, 0)
        many.landed(15, 0)
        assert one.acceptance == many.acceptance < SpeculationLimits().prior

    def test_nothing_proposed_tells_nothing(self):
        speculation = Speculation()
        speculation.landed(0, 0)
        assert speculation.acceptance == SpeculationLimits().prior

    def test_follows_a_text_that_changes(self):
        speculation = Speculation()
        play(speculation, 0.9, 100, length=5)
        play(speculation, 0.1, 100, length=5)
        assert speculation.acceptance < 0.3

    def test_more_accepted_than_proposed_is_an_error(self):
        with pytest.raises(ValueError, match="3 of 2"):
            Speculation().landed(2, 3)


class TestStepCost:
    @settings(deadline=None)
    @given(st.floats(0.5, 100), st.floats(0, 5))
    def test_finds_the_line(self, fixed, row):
        cost = line(fixed, row)
        assert [cost.ms(n) for n in (1, 5, 40)] == pytest.approx([fixed + row * n for n in (1, 5, 40)])

    @settings(deadline=None)
    @given(st.lists(st.tuples(st.sampled_from(SIZES), st.floats(0, 1000)), max_size=15))
    def test_steps_that_waited_for_something_else_do_not_move_it(self, outliers):
        cost = StepCost()
        late = [(rows, 13.0 + 0.3 * rows + wait) for rows, wait in outliers]
        for rows, milliseconds in [(rows, 13.0 + 0.3 * rows) for rows in SIZES for _ in range(9)] + late[:4]:
            cost.add(rows, milliseconds)
        assert [cost.ms(n) for n in (1, 4, 16)] == pytest.approx([13.3, 14.2, 17.8], rel=0.05)

    def test_a_prompt_in_between_does_not_move_it(self):
        cost = line(13.0, 0.3)
        before = cost.ms(4)
        cost.add(256, 700.0)
        assert cost.ms(4) == before

    def test_steps_of_one_size_tell_what_such_a_step_takes(self):
        cost = StepCost()
        cost.add(4, 14.0)
        lengths = [cost.ms(n) for n in (1, 4, 8)]
        assert lengths[1] == pytest.approx(14.0)
        assert all(before < after for before, after in pairwise(lengths))

    def test_follows_a_machine_that_becomes_slower(self):
        cost = line(10.0, 0.3)
        for _ in range(96):
            cost.add(1, 25.0)
        assert cost.ms(1) == pytest.approx(25.0)
