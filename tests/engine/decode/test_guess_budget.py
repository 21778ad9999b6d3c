"""How many guesses are made: bounded, none where none pay, more where links are slow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.decode.decoding import Decoding
from idlepool.engine.decode.guess_budget import MAX_DEPTH, MOST_AHEAD, GuessBudget
from idlepool.engine.decode.scheduler import MicroBatch
from idlepool.engine.types import Sampling, SequenceId

STAGES_MS = (7.0, 7.0)


def sequence() -> Decoding:
    decoding = Decoding(SequenceId(1), list(range(10)), Sampling())
    decoding.land(decoding.next_segment(64), [10])
    return decoding


def step(guesses: int) -> MicroBatch:
    decoding = sequence()
    decoding.guess(range(guesses))
    return MicroBatch(((decoding, decoding.next_segment(64)),))


def budget_of(round_trip_ms: float, *, rows_ms: float = 0.5) -> GuessBudget:
    """One that saw steps of 1 to 4 rows."""
    budget = GuessBudget(STAGES_MS)
    for guesses in (0, 1, 2, 3) * 4:
        budget.measured(step(guesses), round_trip_ms + rows_ms * guesses, alone=True)
    return budget


def judged(budget: GuessBudget, decoding: Decoding, *, right: int, of: int) -> None:
    """Drafted guesses are judged again and again: the first `right` of them are accepted."""
    for _ in range(20):
        budget.guess(decoding, [1000 + n for n in range(of)], free=False)
        flight = decoding.next_segment(64)
        first = flight.segment.start + flight.segment.count - flight.segment.sample + 1
        said = [decoding.tokens[first + n] if n < right else 7 for n in range(flight.segment.sample)]
        decoding.land(flight, said)
        budget.landed(decoding)


def test_nothing_is_guessed_before_a_step_was_measured():
    assert GuessBudget(STAGES_MS).drafted(sequence(), 1.0).count == 0


def test_a_piece_of_a_prompt_says_nothing_of_steps():
    budget, decoding = GuessBudget(STAGES_MS), Decoding(SequenceId(1), list(range(40)), Sampling())
    budget.measured(MicroBatch(((decoding, decoding.next_segment(256)),)), 60.0, alone=True)
    assert budget.drafted(sequence(), 1.0).count == 0


def test_guesses_that_cost_nothing_are_more_than_those_that_are_drafted():
    budget = budget_of(18.0)
    free, drafted = budget.free(sequence()).count, budget.drafted(sequence(), 4.0).count
    assert free > drafted > 0


def test_what_is_never_right_is_given_up():
    budget, decoding = budget_of(18.0), sequence()
    judged(budget, decoding, right=0, of=3)
    assert budget.drafted(decoding, 2.0).count == 0
    assert budget.free(decoding).count > 0  # of those nothing is known


def test_a_draft_that_costs_more_than_a_step_is_not_asked():
    assert budget_of(18.0).drafted(sequence(), 40.0).count == 0


def test_on_a_slow_link_guesses_go_ahead_in_pieces():
    near, far = budget_of(18.0), budget_of(214.0)
    assert (near.depth, far.depth) == (1, MAX_DEPTH)
    decoding = sequence()
    assert 0 < far.drafted(decoding, 2.0).count <= 4  # what is drafted while a stage computes
    assert far.drafted(decoding, 2.0).least_hope < near.drafted(decoding, 2.0).least_hope
    judged(far, decoding, right=3, of=3)
    asked = 0
    while count := far.drafted(decoding, 2.0).count:
        far.guess(decoding, list(range(count)), free=False)
        asked += count
    assert 8 < asked <= MOST_AHEAD


@given(st.floats(0.1, 500), st.floats(0, 5), st.floats(0, 50), st.integers(0, 4), st.integers(1, 4), st.integers(1, 40))
def test_a_budget_is_always_one_that_can_be_kept(round_trip_ms, rows_ms, draft_ms, right, of, sharing):
    budget, decoding = budget_of(round_trip_ms, rows_ms=rows_ms), sequence()
    judged(budget, decoding, right=min(right, of), of=of)
    budget.sharing = sharing
    for allowed in (budget.free(decoding), budget.drafted(decoding, draft_ms)):
        assert 0 <= allowed.count <= MOST_AHEAD
        assert 0 <= allowed.least_hope <= 1
    assert 1 <= budget.depth <= MAX_DEPTH
