"""A ring's slots: what is held, what a row sees, what can be taken back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.backends.ring import Lane, Ring

rings = st.builds(Ring, slots=st.integers(8, 24), pinned=st.integers(0, 4), slack=st.integers(0, 3))


def visible(ring: Ring, position: int) -> list[int]:
    row = ring.sees(np.array([position]), np.arange(position + 2))[0]
    return np.flatnonzero(row).tolist()


def test_a_row_sees_the_first_positions_and_the_last_ones() -> None:
    ring = Ring(slots=10, pinned=2, slack=3)
    assert visible(ring, 0) == [0]
    assert visible(ring, 6) == [0, 1, 2, 3, 4, 5, 6]
    assert visible(ring, 20) == [0, 1, 16, 17, 18, 19, 20]


def test_a_ring_that_leaves_nothing_to_see_is_refused() -> None:
    with pytest.raises(ValueError, match="8 slots, 4 pinned, 4 to take back"):
        Ring(slots=8, pinned=4, slack=4)


@settings(max_examples=200, deadline=None)
@given(ring=rings, data=st.data())
def test_whatever_is_taken_back_every_row_finds_what_it_sees(ring: Ring, data: st.DataObject) -> None:
    lane, length = Lane(ring), 0
    contents = np.full(ring.slots, -1)
    for _ in range(data.draw(st.integers(1, 12))):
        start = data.draw(st.integers(max(length - 6, 0), length))
        held = lane.holds(start)
        assert held in (0, start)
        assert held == start or start < length
        lane.rewind(held)
        count = data.draw(st.integers(1, ring.turning))
        slots, positions = lane.held()
        assert np.array_equal(contents[slots], positions)
        rows = np.arange(held, held + count)
        for row in rows:
            seen = set(visible(ring, row)) - set(rows.tolist())
            assert seen <= set(positions.tolist())
        contents[lane.extend(count)] = rows
        length = held + count


@given(ring=rings, turns=st.integers(1, 3))
def test_as_much_as_the_slack_can_be_taken_back_after_the_ring_went_round(ring: Ring, turns: int) -> None:
    lane = Lane(ring)
    for _ in range(turns * ring.slots):
        lane.extend(1)
    length = turns * ring.slots
    assert lane.holds(length - ring.slack) == length - ring.slack
    lane.rewind(length - ring.slack)
    lane.extend(ring.slack + 1)
    assert lane.length == length + 1


def test_more_than_that_is_asked_for_again_from_the_start() -> None:
    ring = Ring(slots=10, pinned=2, slack=3)
    lane = Lane(ring)
    for _ in range(5):
        lane.extend(6)
    assert lane.holds(31) == 30
    assert lane.holds(27) == 27
    assert lane.holds(25) == 0
    assert lane.holds(2) == 2
