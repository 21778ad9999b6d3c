"""The common beginning of two texts, found from their ends."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.decode.drafter import common_length

TOKENS = st.lists(st.integers(0, 2), max_size=40)


@settings(deadline=None)
@given(TOKENS, TOKENS, TOKENS)
def test_it_is_what_a_search_from_the_front_finds(common, left, right):
    held, tokens = common + left, common + right
    search = next((i for i, pair in enumerate(zip(held, tokens, strict=False)) if pair[0] != pair[1]), None)
    assert common_length(held, tokens) == (min(len(held), len(tokens)) if search is None else search)


@pytest.mark.parametrize("kept", [0, 1, 63, 64, 65, 500, 999])
def test_a_text_may_change_at_any_place(kept):
    chance = random.Random(0)
    held = [chance.randrange(1000) for _ in range(1000)]
    tokens = [*held[:kept], *(1000 + chance.randrange(1000) for _ in range(300))]
    assert common_length(held, tuple(tokens)) == kept
