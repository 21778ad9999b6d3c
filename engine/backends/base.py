"""What every backend is to the rest of the engine: a shard that runs batches of segments.

`start` is the whole cache protocol: a segment begins at position `start`, so whatever the shard holds of that sequence
at or after `start` is void. Rewind after a stop, an edited message or a replay are all "the next segment starts
earlier"; a shard that holds less than `start` raises NeedsReplay, or, where the segment names a `parent` that reaches
there, lets the sequence begin with the parent's positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from idlepool.engine.errors import PoolError
from idlepool.engine.net.segments import Segment
from idlepool.engine.types import ElementType, SequenceId


class NeedsReplay(PoolError):
    """The shard holds only `held` positions of the sequence; the head sends again from there."""

    def __init__(self, sequence: SequenceId, held: int) -> None:
        self.sequence, self.held = sequence, held
        super().__init__(f"Sequence {sequence} is held up to position {held} only.")


@dataclass(frozen=True, slots=True)
class Batch:
    """Segments of one or several sequences, and their rows one after another."""

    segments: tuple[Segment, ...]
    rows: npt.NDArray[Any]
    """First stage: ids `[tokens]` int32. Later: hidden states `[tokens, hidden]`, bf16 as 16-bit words."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a batch becomes: hidden states, or in the last stage the logits of the sampled rows.

    What the last stage gives may be the shard's own memory: read it before the next run.
    """

    hidden: npt.NDArray[Any] | None = None
    """`[tokens, hidden]`, bf16 as 16-bit words."""
    logits: npt.NDArray[Any] | None = None
    """`[sampled rows, vocabulary]` float32, the segments' rows one after another."""
    best_ids: npt.NDArray[Any] | None = None
    """`[sampled rows, k]` int32, where the shard picks them: the ids of the largest logits, largest first, the lowest
    id first of equal ones."""
    best_logits: npt.NDArray[Any] | None = None
    """`[sampled rows, k]` float32: the logits of `best_ids`."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """What a shard holds at once."""

    tokens: int = 0
    """Positions of all sequences together; 0: as many as come."""
    block_tokens: int = 1
    """A sequence takes positions in blocks of so many."""
    sequences: int = 0
    """0: as many as come. Of more than this the one not used for longest is forgotten."""


class Shard(Protocol):
    """One span of layers on one device."""

    @property
    def is_tail(self) -> bool:
        """Whether it ends in logits."""

    @property
    def wire(self) -> ElementType:
        """Element type of the hidden states that go in and out."""

    @property
    def capacity(self) -> Capacity:
        """What it holds at once."""

    steps_ms: tuple[float, ...]
    """What steps of 1, 4 and 16 tokens took when it was loaded; empty: not measured."""

    def run(self, batch: Batch) -> Output:
        """Compute a batch; positions up to the end of each segment are then held.

        What is forked is what the parent held before the batch. A parent that is in the batch as well may not begin
        before what is forked from it.

        Raises:
            NeedsReplay: less than a segment's `start` is held of its sequence. Nothing of the batch holds: of each
                sequence only what lies before its segment is left, so nothing that follows can build on the past.
        """

    def end(self, sequence: SequenceId, keep: int = 0) -> None:
        """Free what is held of a sequence after its first `keep` positions; unknown ones are ignored."""
