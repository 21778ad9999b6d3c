"""The paged KV cache's bookkeeping: which blocks belong to which sequence. Pure; the tensors are somebody else's.

A block holds `block_tokens` positions. Sequences that share a prefix share its blocks; a block that somebody else reads
too is copied before it is written to. `start` is the only command: whatever a sequence has from there on is given back.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from idlepool.engine.errors import PoolError
from idlepool.engine.types import SequenceId


class NoBlocks(PoolError):
    """Every block is held by a sequence that is needed right now."""

    def __init__(self, wanted: int, blocks: int) -> None:
        self.wanted, self.blocks = wanted, blocks
        super().__init__(
            f"The cache has {blocks} blocks and {wanted} more are needed.", "Shorten the conversation or ask later."
        )


@dataclass(frozen=True, slots=True)
class Copy:
    """Positions of one block that must be copied to another before the next write."""

    source: int
    target: int


@dataclass(slots=True)
class _Table:
    """A sequence's blocks in order, and how many positions they hold."""

    blocks: list[int] = field(default_factory=list)
    length: int = 0


class BlockPool:
    """Blocks `0 .. blocks - 1`, each free or held by one or more sequences."""

    def __init__(self, blocks: int, block_tokens: int) -> None:
        self.blocks = blocks
        self.block_tokens = block_tokens
        self._free = list(range(blocks - 1, -1, -1))
        self._readers = [0] * blocks
        self._tables: OrderedDict[SequenceId, _Table] = OrderedDict()

    @property
    def free(self) -> int:
        """Blocks that nobody holds."""
        return len(self._free)

    @property
    def sequences(self) -> tuple[SequenceId, ...]:
        """Who holds blocks, the one not used for longest first."""
        return tuple(self._tables)

    def length(self, sequence: SequenceId) -> int:
        """Positions held of a sequence; 0 where nothing is."""
        table = self._tables.get(sequence)
        return table.length if table else 0

    def table(self, sequence: SequenceId) -> tuple[int, ...]:
        """The blocks of a sequence, in order of their positions."""
        return tuple(self._tables[sequence].blocks)

    def extend(self, sequence: SequenceId, start: int, count: int) -> tuple[Copy, ...]:
        """Make room for positions `[start, start + count)`; later ones are given back.

        Returns what to copy before those positions are written: a block shared with another sequence.

        Raises:
            NoBlocks: nothing was changed but that positions from `start` on are void.
        """
        if start > self.length(sequence):
            raise ValueError(f"positions {self.length(sequence)} to {start} of sequence {sequence} are not held")
        table = self._tables.setdefault(sequence, _Table())
        self._tables.move_to_end(sequence)
        self._truncate(table, start)
        partial = start % self.block_tokens != 0
        shared = partial and self._readers[table.blocks[-1]] > 1
        needed = -(-(start + count) // self.block_tokens) - len(table.blocks) + shared
        if needed > len(self._free):
            raise NoBlocks(needed - len(self._free), self.blocks)
        copies = (self._own_last(table),) if shared else ()
        table.blocks += [self._take() for _ in range(needed - shared)]
        table.length = start + count
        return copies

    def rewind(self, sequence: SequenceId, length: int) -> None:
        """Give back what lies at and after position `length`."""
        table = self._tables.get(sequence)
        if table is not None and length < table.length:
            self._truncate(table, length)

    def fork(self, parent: SequenceId, child: SequenceId, length: int) -> None:
        """Let `child` begin with the first `length` positions of `parent`, sharing its blocks.

        Raises:
            ValueError: the parent holds less, or the child holds something already.
        """
        if length > self.length(parent) or child in self._tables:
            raise ValueError(f"sequence {child} cannot begin with {length} positions of sequence {parent}")
        self._tables.move_to_end(parent)
        blocks = self._tables[parent].blocks[: -(-length // self.block_tokens)]
        for block in blocks:
            self._readers[block] += 1
        self._tables[child] = _Table(list(blocks), length)

    def end(self, sequence: SequenceId) -> None:
        """Give back all blocks of a sequence; an unknown one is ignored."""
        table = self._tables.pop(sequence, None)
        if table is not None:
            self._truncate(table, 0)

    def _truncate(self, table: _Table, length: int) -> None:
        keep = -(-length // self.block_tokens)
        for block in table.blocks[keep:]:
            self._release(block)
        del table.blocks[keep:]
        table.length = length

    def _own_last(self, table: _Table) -> Copy:
        shared = table.blocks[-1]
        table.blocks[-1] = self._take()
        self._release(shared)
        return Copy(shared, table.blocks[-1])

    def _take(self) -> int:
        block = self._free.pop()
        self._readers[block] = 1
        return block

    def _release(self, block: int) -> None:
        self._readers[block] -= 1
        if self._readers[block] == 0:
            self._free.append(block)
