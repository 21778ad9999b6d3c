"""Which slots of a sequence's KV cache hold which position: the book-keeping behind rewinds that move no data.

A cache only grows. What a rewind voids stays where it is as a hole that the attention mask hides; positions are counted
without the holes. Compaction takes the holes out and leaves the positions that are held in order.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


class Slots:
    """The slots of one sequence, oldest first; each holds the next position or is void."""

    def __init__(self) -> None:
        self._holds: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    def __len__(self) -> int:
        """Slots, void ones included."""
        return len(self._holds)

    @property
    def positions(self) -> int:
        """Positions held: those of the sequence from 0 up to here."""
        return int(np.count_nonzero(self._holds))

    @property
    def void_share(self) -> float:
        """Void slots as a share of all, 0 to 1."""
        return 1 - self.positions / len(self) if len(self) else 0.0

    def held(self) -> npt.NDArray[np.intp]:
        """The slot of each position `[positions]`, ascending."""
        return np.flatnonzero(self._holds)

    def mask(self) -> npt.NDArray[np.int64]:
        """The attention mask `[1, slots]`: 1 where a position is held, 0 where the slot is void."""
        return self._holds.astype(np.int64)[None]

    def extend(self, count: int) -> None:
        """Append slots for the next `count` positions."""
        self._holds = np.concatenate([self._holds, np.ones(count, np.bool_)])

    def rewind(self, positions: int) -> None:
        """Void the slots of all positions from `positions` on."""
        self._holds[self.held()[positions:]] = False

    def compact(self) -> None:
        """The void slots are gone."""
        self._holds = np.ones(self.positions, np.bool_)
