"""However layers are shared out by hand, each PC of the plan has some and together they are the model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from idlepool.ui.pool.tiling import Tiling, even

THREE = Tiling(("here", "a", "b"), (8, 18, 14))


def test_spans_follow_one_another():
    assert THREE.spans == ((0, 8), (8, 26), (26, 40))


def test_what_a_pc_gets_the_next_one_gives_and_then_the_others():
    assert THREE.with_count(0, 10).counts == (10, 16, 14)
    assert THREE.with_count(0, 30).counts == (30, 1, 9)
    assert THREE.with_count(2, 20).counts == (8, 12, 20)
    assert THREE.with_count(1, 1).counts == (8, 1, 31)
    assert THREE.with_count(1, 99).counts == (1, 38, 1)


def test_this_pc_stays_first():
    assert THREE.moved(1, -1) == THREE
    assert THREE.moved(0, 1) == THREE
    assert THREE.moved(1, 1) == Tiling(("here", "b", "a"), (8, 14, 18))
    assert THREE.without("here") == THREE


def test_a_pc_comes_and_goes_with_layers_of_others():
    assert THREE.without("a") == Tiling(("here", "b"), (26, 14))
    assert THREE.with_node("c") == Tiling(("here", "a", "b", "c"), (8, 9, 14, 9))
    assert even(("here", "a"), 1) == Tiling(("here",), (1,))
    assert even(("here", "a", "b"), 40).counts == (14, 13, 13)


changes = st.lists(
    st.one_of(
        st.tuples(st.just("count"), st.integers(0, 4), st.integers(-3, 50)),
        st.tuples(st.just("move"), st.integers(-1, 5), st.sampled_from((-1, 1))),
        st.tuples(st.just("out"), st.integers(0, 4), st.just(0)),
        st.tuples(st.just("in"), st.integers(0, 9), st.just(0)),
    ),
    max_size=12,
)


@given(st.integers(1, 40), st.integers(1, 5), changes)
def test_whatever_is_changed_it_tiles_the_model(layers, count, changes):
    tiling = even(tuple("habcd"[:count]), layers)
    for what, first, second in changes:
        place = min(max(first, 0), len(tiling.nodes) - 1)
        match what:
            case "count":
                tiling = tiling.with_count(place, second)
            case "move":
                tiling = tiling.moved(place, second)
            case "out":
                tiling = tiling.without(tiling.nodes[place])
            case "in":
                tiling = tiling.with_node(f"new {first}")
        ends = [0, *(last for _, last in tiling.spans)]
        assert [first for first, _ in tiling.spans] == ends[:-1]
        assert ends[-1] == tiling.layers == layers
        assert min(tiling.counts) >= 1
        assert len(set(tiling.nodes)) == len(tiling.nodes) == len(tiling.counts)
        assert tiling.nodes[0] == "h"
