"""Each token that is lost, doubled or put elsewhere shows in what somebody got."""

from __future__ import annotations

from itertools import islice

from hypothesis import assume, given
from hypothesis import strategies as some

from idlepool.engine.decode.request import Request
from idlepool.engine.simulation.played_text import continuation, lost_tokens
from idlepool.engine.types import Sampling

VOCABULARY = 32_000

prompts = some.lists(some.integers(0, VOCABULARY - 1), max_size=20).map(tuple)


def asked(prompt, tokens):
    return Request("c", prompt, Sampling(), frozenset(), tokens, reproducible=True)


def answer(prompt, tokens):
    return list(islice(continuation(prompt, VOCABULARY), tokens))


def lost(prompt, tokens, shown, *, complete=True):
    return lost_tokens(asked(prompt, tokens), shown, vocabulary=VOCABULARY, complete=complete)


@given(prompts, some.integers(1, 40), some.integers(0, 40))
def test_an_answer_goes_on_from_its_tokens_as_if_nothing_had_been(prompt, tokens, given_before):
    whole = answer(prompt, tokens)
    before = whole[:given_before]
    assert before + answer((*prompt, *before), tokens - len(before)) == whole
    assert lost(prompt, tokens, whole) == 0


@given(prompts, some.integers(2, 40), some.data())
def test_what_is_lost_or_doubled_is_counted_from_there_on(prompt, tokens, data):
    whole = answer(prompt, tokens)
    place = data.draw(some.integers(0, tokens - 1))
    doubled = [*whole[: place + 1], *whole[place:]][:tokens]
    assume(doubled != whole)
    assert lost(prompt, tokens, doubled) >= 1
    assert lost(prompt, tokens, whole[:place]) == tokens - place
    assert lost(prompt, tokens, [*whole, 0]) == 1


@given(prompts, some.integers(1, 40), some.data())
def test_what_never_came_is_not_lost_where_nobody_waited_for_it(prompt, tokens, data):
    begun = answer(prompt, data.draw(some.integers(0, tokens)))
    assert lost(prompt, tokens, begun, complete=False) == 0
    if begun:
        assert lost(prompt, tokens, [*begun[:-1], begun[-1] + 1], complete=False) == 1
