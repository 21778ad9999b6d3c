"""How the segments of a batch go through a graph of fixed size: cut into pieces, several sequences side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from idlepool.engine.net.segments import Segment
from idlepool.engine.types import SequenceId

NO_PARENT = SequenceId(0)


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows for positions `[start, start + count)` of a sequence; `sample` of the trailing ones get logits."""

    sequence: SequenceId
    start: int
    count: int
    sample: int
    parent: SequenceId = NO_PARENT
    """See Segment; only the first piece of a segment has one."""

    @property
    def end(self) -> int:
        """The position after the last."""
        return self.start + self.count


Pack = tuple[Piece, ...]
"""Pieces of different sequences, one after another in one inference."""


def packs(segments: Iterable[Segment], *, tokens: int, samples: int, sequences: int) -> Iterator[Pack]:
    """Packs of at most `tokens` rows, `samples` of them sampled, from at most `sequences` sequences, in batch order.

    A sequence is only once in a pack: what comes later of it needs the earlier part in the cache.
    """
    pack: list[Piece] = []
    for segment in segments:
        done = 0
        while done < segment.count:
            piece = _next_piece(segment, done, tokens - _rows(pack), samples - sum(p.sample for p in pack))
            if piece is None or len(pack) == sequences or any(p.sequence == piece.sequence for p in pack):
                yield tuple(pack)
                pack = []
            else:
                pack.append(piece)
                done += piece.count
    if pack:
        yield tuple(pack)


def sampled_rows(pack: Pack) -> list[int]:
    """Which of the pack's rows get logits."""
    rows: list[int] = []
    end = 0
    for piece in pack:
        end += piece.count
        rows += range(end - piece.sample, end)
    return rows


def _rows(pack: Iterable[Piece]) -> int:
    return sum(piece.count for piece in pack)


def _next_piece(segment: Segment, done: int, free: int, samples: int) -> Piece | None:
    """As many of the segment's rows after the first `done` as fit; None where none does."""
    unsampled = max(segment.count - segment.sample - done, 0)
    count = min(segment.count - done, free, unsampled + samples)
    if count <= 0:
        return None
    parent = NO_PARENT if done else SequenceId(segment.parent)
    return Piece(SequenceId(segment.sequence), segment.start + done, count, max(count - unsampled, 0), parent)
