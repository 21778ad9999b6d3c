"""The book-keeping of rewinds, against a plain list of what each slot holds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.backends.slots import Slots

EXTEND = st.integers(1, 6)
STEPS = st.lists(st.tuples(st.sampled_from(["extend", "rewind", "compact"]), st.integers(0, 12)), max_size=30)


@given(STEPS)
def test_each_position_is_found_in_its_slot_after_any_history(steps: list[tuple[str, int]]) -> None:
    slots = Slots()
    model: list[int | None] = []
    for kind, number in steps:
        held = [position for position in model if position is not None]
        if kind == "extend":
            slots.extend(number)
            model += range(len(held), len(held) + number)
        elif kind == "rewind":
            slots.rewind(min(number, len(held)))
            model = [None if position is None or position >= number else position for position in model]
        else:
            slots.compact()
            model = list(held)
        held = [position for position in model if position is not None]
        assert len(slots) == len(model)
        assert slots.positions == len(held)
        assert [model[slot] for slot in slots.held()] == list(range(len(held)))
        assert np.array_equal(slots.mask(), [[int(position is not None) for position in model]])
        assert slots.void_share == (1 - len(held) / len(model) if model else 0)


def test_an_empty_cache_is_no_hole() -> None:
    assert Slots().void_share == 0
    assert Slots().mask().shape == (1, 0)
