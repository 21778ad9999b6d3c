"""How much of the disk fetched layers may take, and which of them go first where more is wanted: pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from idlepool.engine.types import ModelId

RESERVE_BYTES = 5_000_000_000
RESERVE_SHARE = 0.05
"""Of the disk, or RESERVE_BYTES where that is less: always left free, whatever the cap."""

CAP_SHARE = 0.1
"""Of what is free without fetched layers, and"""
CAP_BYTES = 200_000_000_000
"""no more: the cap where the owner named none."""


ON_DISK = 1.01
"""What layers take to their bytes: blocks that they fill in part, and the small files of their models."""


class Usage(Protocol):
    """Of a disk, in bytes; what shutil.disk_usage() gives."""

    @property
    def total(self) -> int:
        """Its size."""

    @property
    def free(self) -> int:
        """What can be written yet."""


@dataclass(frozen=True, slots=True)
class FetchedChunk:
    """A chunk on the disk that nobody needs at the moment."""

    model: ModelId
    index: int
    length: int
    used: float
    """When it was last; see LastUsed."""


@dataclass(frozen=True, slots=True)
class DiskCap:
    """What is allowed on a disk of which fetched layers have `taken`. `cap` None: the owner named none."""

    usage: Usage
    taken: int
    cap: int | None = None

    @property
    def allowed(self) -> int:
        """Bytes that all fetched layers may take together."""
        return max(0, min(self.most, self.taken + self.usage.free - self.reserve))

    @property
    def most(self) -> int:
        """The cap, whatever the disk has room for."""
        usual = min(CAP_BYTES, int(CAP_SHARE * (self.usage.free + self.taken)))
        return usual if self.cap is None else self.cap

    @property
    def reserve(self) -> int:
        """Bytes that are left free."""
        return min(RESERVE_BYTES, int(RESERVE_SHARE * self.usage.total))

    @property
    def limit(self) -> str:
        """What allows no more, in words."""
        if self.taken + self.usage.free - self.reserve < self.most:
            return f"{self.reserve / 1e9:.1f} GB of it are always left free"
        return f"layers fetched for others may take {self.most / 1e9:.1f} GB of it"

    def room(self, promised: int = 0) -> int:
        """Bytes of layers that may come yet, beside those `promised` to others; negative: so many are too many."""
        return int((self.allowed - self.taken) / ON_DISK) - promised


def longest_unused(spare: Iterable[FetchedChunk], count: int) -> tuple[FetchedChunk, ...]:
    """Chunks of `count` bytes together, those first that were not used for longest; all where they are not enough."""
    going: list[FetchedChunk] = []
    for chunk in sorted(spare, key=lambda chunk: (chunk.used, chunk.model, -chunk.index)):
        if count <= 0:
            break
        going.append(chunk)
        count -= chunk.length
    return tuple(going)
