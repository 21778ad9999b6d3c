"""The block pool under random use: no block leaked, written while shared, or read after it was given back."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from idlepool.engine.backends.block_pool import BlockPool, Copy, NoBlocks

BLOCKS, TOKENS = 12, 4


class PoolUse(RuleBasedStateMachine):
    """Random use, with the contents of the blocks kept beside the pool: what a sequence reads must be what it wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = BlockPool(BLOCKS, TOKENS)
        self.memory = [[None] * TOKENS for _ in range(BLOCKS)]
        self.expected: dict[int, list[int]] = {}
        self.written = 0

    @rule(sequence=st.integers(1, 4), back=st.integers(0, 9), count=st.integers(1, 9))
    def extend(self, sequence: int, back: int, count: int) -> None:
        start = max(self.pool.length(sequence) - back, 0)
        kept = self.expected.get(sequence, [])[:start]
        try:
            copies = self.pool.extend(sequence, start, count)
        except NoBlocks:
            if sequence in self.expected:
                self.expected[sequence] = kept
            return
        for copy in copies:
            self.memory[copy.target] = list(self.memory[copy.source])
        self.expected[sequence] = kept
        for position in range(start, start + count):
            self.written += 1
            block = self.pool.table(sequence)[position // TOKENS]
            self.memory[block][position % TOKENS] = self.written
            self.expected[sequence].append(self.written)

    @precondition(lambda self: self.expected)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        parent = data.draw(st.sampled_from(sorted(self.expected)))
        child = data.draw(st.integers(1, 4).filter(lambda number: number not in self.expected))
        length = data.draw(st.integers(0, self.pool.length(parent)))
        self.pool.fork(parent, child, length)
        self.expected[child] = self.expected[parent][:length]

    @rule(sequence=st.integers(1, 5), length=st.integers(0, 20))
    def rewind(self, sequence: int, length: int) -> None:
        self.pool.rewind(sequence, length)
        if sequence in self.expected:
            self.expected[sequence] = self.expected[sequence][:length]

    @rule(sequence=st.integers(1, 5))
    def end(self, sequence: int) -> None:
        self.pool.end(sequence)
        self.expected.pop(sequence, None)

    @invariant()
    def everybody_reads_what_was_written(self) -> None:
        for sequence, values in self.expected.items():
            if self.pool.length(sequence):
                table = self.pool.table(sequence)
                read = [self.memory[table[p // TOKENS]][p % TOKENS] for p in range(self.pool.length(sequence))]
                assert read == values

    @invariant()
    def no_block_is_lost(self) -> None:
        held = {block for sequence in self.pool.sequences for block in self.pool.table(sequence)}
        assert len(held) + self.pool.free == BLOCKS

    @invariant()
    def no_more_is_held_than_needed(self) -> None:
        for sequence in self.pool.sequences:
            assert len(self.pool.table(sequence)) == -(-self.pool.length(sequence) // TOKENS)


# One fork with four sequences taken leaves no child to choose.
PoolUse.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestPoolUse = PoolUse.TestCase


def test_a_shared_block_is_copied_before_it_is_written() -> None:
    pool = BlockPool(4, 4)
    pool.extend(1, 0, 6)
    pool.fork(1, 2, 5)
    shared = pool.table(1)
    assert pool.table(2) == shared
    assert pool.free == 2
    (copy,) = pool.extend(2, 5, 1)
    assert copy == Copy(shared[1], pool.table(2)[1])
    assert pool.table(1) == shared


def test_a_full_block_is_shared_without_a_copy() -> None:
    pool = BlockPool(4, 4)
    pool.extend(1, 0, 4)
    pool.fork(1, 2, 4)
    assert pool.extend(2, 4, 1) == ()


def test_too_little_room_says_how_much_and_changes_nothing() -> None:
    pool = BlockPool(2, 4)
    pool.extend(1, 0, 5)
    with pytest.raises(NoBlocks, match="2 blocks and 1 more"):
        pool.extend(1, 5, 4)
    assert pool.length(1) == 5
    with pytest.raises(ValueError, match="are not held"):
        pool.extend(1, 7, 1)
