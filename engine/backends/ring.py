"""Which positions of a sequence a cache of fixed size keeps, and in which slots.

The first few positions are pinned (attention leans on them whatever they say); the others go round. What a row sees is
decided by positions alone, never by how the tokens were chunked: the pinned ones and the last `sight`, itself included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64]

VOID = -1
"""In a slot that holds nothing."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Slots for one sequence.

    `slack` slots more than a row sees: that many positions can be taken back after the ring went round, and nothing
    that the rows before them saw is missing.
    """

    slots: int = 1024
    pinned: int = 4
    slack: int = 16

    def __post_init__(self) -> None:
        if self.pinned < 0 or self.slack < 0 or self.sight < 1:
            raise ValueError(f"no ring: {self.slots} slots, {self.pinned} pinned, {self.slack} to take back")

    @property
    def sight(self) -> int:
        """How many positions a row sees beside the pinned ones, itself included."""
        return self.slots - self.pinned - self.slack

    @property
    def turning(self) -> int:
        """Slots that are not pinned: the most tokens that can be added at a time."""
        return self.slots - self.pinned

    def slots_of(self, positions: Positions) -> Positions:
        """The slots where those positions lie."""
        return np.where(positions < self.pinned, positions, self.pinned + (positions - self.pinned) % self.turning)

    def sees(self, rows: Positions, positions: Positions) -> npt.NDArray[np.bool_]:
        """`[rows, positions]`: whether the token at one position may see the one at another."""
        here, there = rows[:, None], positions[None]
        near: npt.NDArray[np.bool_] = (there > here - self.sight) | (there < self.pinned)
        return near & (there <= here)


class Lane:
    """What is held of one sequence in a ring's slots."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self._held = np.full(ring.slots, VOID, np.int64)
        self.length = 0
        """Positions `[0, length)` were computed; those out of sight may be gone."""

    def holds(self, start: int) -> int:
        """`start` where a segment may begin there; otherwise from where the sequence has to be sent again."""
        if start > self.length:
            return self.length
        ring = self._ring
        seen = np.arange(start, dtype=np.int64)
        seen = seen[ring.sees(np.array([start], np.int64), seen)[0]]
        return start if np.array_equal(self._held[ring.slots_of(seen)], seen) else 0

    def rewind(self, start: int) -> None:
        """Void what lies at or after `start`."""
        self._held[self._held >= start] = VOID
        self.length = start

    def copy(self) -> Lane:
        """What another sequence holds that got the same values in its slots."""
        other = Lane(self._ring)
        other._held = self._held.copy()
        other.length = self.length
        return other

    def extend(self, count: int) -> Positions:
        """Take `count` more positions, at most `ring.turning`; returns their slots."""
        added = np.arange(self.length, self.length + count, dtype=np.int64)
        slots = self._ring.slots_of(added)
        self._held[slots] = added
        self.length += count
        return slots

    def held(self) -> tuple[Positions, Positions]:
        """Slots in use and the positions in them."""
        slots = np.flatnonzero(self._held != VOID)
        return slots, self._held[slots]
