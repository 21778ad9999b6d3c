"""Two drafters as one: what was said before comes at once, and the model is asked for the rest."""

from __future__ import annotations

import random

from chain_stages import Oracle

from idlepool.engine.decode.drafter import Wanted
from idlepool.engine.decode.repeat_or_draft import RepeatOrDraft
from idlepool.engine.types import SequenceId

ONE, OTHER = SequenceId(1), SequenceId(2)
VERSE = [3, 1, 4, 1, 5, 9, 2, 6]


def test_a_verse_that_is_repeated_comes_at_once():
    drafter = RepeatOrDraft(Oracle(1.0, random.Random(0), slow=True))
    assert drafter.at_once([Wanted(ONE, [*VERSE, 0, *VERSE[:5]], 3)]) == [VERSE[5:]]


def test_a_few_equal_tokens_are_no_repetition():
    drafter = RepeatOrDraft(Oracle(1.0, random.Random(0), slow=True))
    wanted = [Wanted(ONE, [*VERSE, 0, *VERSE[:4]], 3)]
    assert drafter.at_once(wanted) == [[]]
    assert [len(guesses) for guesses in drafter.propose(wanted)] == [3]


def test_both_forget_a_sequence():
    model = Oracle(1.0, random.Random(0), slow=True)
    drafter = RepeatOrDraft(model)
    drafter.at_once([Wanted(ONE, VERSE, 3), Wanted(OTHER, VERSE, 3)])
    drafter.end(ONE)
    assert model.ended == [ONE]
    assert drafter.cost_ms(1) == model.cost_ms(1) > 0
