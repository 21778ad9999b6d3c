"""Every chunk is asked of somebody who has it, the rare ones first, and of a second one only where it is slow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.pool.chunk_board import SLOW_S, ChunkBoard

CHUNKS = st.integers(0, 11)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_who_has_all_is_asked_for_what_others_have_not():
    board = ChunkBoard(range(6))
    whole, part = board.join(frozenset(range(6))), board.join(frozenset({0, 1, 2}))
    asked = [board.ask(holder) for _ in range(3) for holder in (whole, part)]
    assert asked == [3, 0, 4, 1, 5, 2]
    assert board.ask(whole) is None
    assert board.waits(part)


def test_a_chunk_that_did_not_come_is_asked_of_another():
    board = ChunkBoard([7])
    first, second = board.join(frozenset({7})), board.join(frozenset({7}))
    assert board.ask(first) == 7
    assert board.ask(second) is None
    board.end(7, first)
    board.leave(first)
    assert board.ask(second) == 7


def test_a_slow_chunk_is_asked_of_one_more_that_is_idle():
    clock = Clock()
    board = ChunkBoard([7], clock=clock)
    slow, idle, third = (board.join(frozenset({7})) for _ in range(3))
    assert board.ask(slow) == 7
    clock.now = SLOW_S + 1
    assert board.ask(slow) is None
    assert board.ask(idle) == 7
    clock.now *= 3
    assert board.ask(third) is None
    assert board.came(7)
    board.end(7, idle)
    assert not board.waits(third)
    assert not board.came(7)
    board.end(7, slow)
    assert board.ask(third) is None


@given(st.lists(st.frozensets(CHUNKS), min_size=1, max_size=4), st.data())
def test_whatever_fails_all_that_somebody_has_comes(haves, data):
    """Sources are asked in any order and fail at any time but for the last attempt at each chunk."""
    board = ChunkBoard(range(12))
    holders = [board.join(have) for have in haves]
    under_way, failures = [], 20
    while any(board.waits(holder) or holder.queue for holder in holders):
        holder = data.draw(st.sampled_from(holders))
        index = board.ask(holder)
        if index is not None:
            assert index in holder.have
            assert index in board.missing
            assert index not in [other for other, _ in under_way]
            under_way.append((index, holder))
        if under_way and (index is None or data.draw(st.booleans())):
            index, asked = under_way.pop(0)
            if failures and data.draw(st.booleans()):
                failures -= 1
            else:
                assert board.came(index)
            board.end(index, asked)
    assert board.missing == set(range(12)) - frozenset().union(*haves)
