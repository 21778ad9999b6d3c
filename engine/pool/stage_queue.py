"""What waits for a stage process: frames read ahead, less what nobody needs any more by the time they are run. Pure.

A segment is not needed where what is behind it voids its sequence from its start or before: a segment that begins
there, or an EndSequence that keeps less. Nor where a whole sequence ended: that is told before what is in front of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate

from idlepool.engine.net.frames import Frame
from idlepool.engine.net.messages import EmptyShard, EndSequence, Message
from idlepool.engine.net.segments import Segment

MAX_ENDED = 4096
"""Ended sequences that are remembered: many more than can end while a frame is on its way."""


class StageQueue:
    """Frames and messages in order, but that ends of whole sequences come first.

    What is run of the frames leaves the same in a shard's caches as if all of them were run.
    """

    def __init__(self, *, max_ended: int = MAX_ENDED) -> None:
        self._waiting: deque[Frame | Message] = deque()
        self._ends: deque[EndSequence] = deque()
        self._ended: dict[int, None] = {}
        """Sequences that may not come back, oldest first. A session uses no number twice."""
        self._max_ended = max_ended

    def __len__(self) -> int:
        return len(self._waiting) + len(self._ends)

    def put(self, item: Frame | Message) -> None:
        """Append what came. With EmptyShard a session ends: nothing that is waiting is needed, and in the next one
        sequences have the same numbers."""
        if isinstance(item, EmptyShard):
            self._waiting.clear()
            self._ends.clear()
            self._ended.clear()
        if not isinstance(item, EndSequence) or item.keep:
            self._waiting.append(item)
            return
        self._ends.append(item)
        self._ended[item.sequence] = None
        if len(self._ended) > self._max_ended:
            del self._ended[next(iter(self._ended))]

    def take(self) -> Frame | Message:
        """What to do next: of a frame what is still needed; it has no segments where nothing is.

        Raises:
            IndexError: nothing waits.
        """
        if self._ends:
            return self._ends.popleft()
        item = self._waiting.popleft()
        return self._needed(item) if isinstance(item, Frame) else item

    def _needed(self, frame: Frame) -> Frame:
        starts = _overriding_starts(self._waiting)
        needed = [s.sequence not in self._ended and not _overridden(s, starts) for s in frame.segments]
        return frame if all(needed) else _reduced(frame, needed)


def _overriding_starts(items: Iterable[Frame | Message]) -> dict[int, int]:
    """For each sequence the earliest position that is void after `items`, as far as they go before it is forked from.

    What a fork takes over must have been computed, whatever the parent does afterwards.
    """
    starts: dict[int, int] = {}
    parents: set[int] = set()
    for item in items:
        voided: list[tuple[int, int]] = []
        if isinstance(item, Frame):
            parents.update(segment.parent for segment in item.segments if segment.parent)
            voided = [(segment.sequence, segment.start) for segment in item.segments]
        elif isinstance(item, EndSequence):
            voided = [(item.sequence, item.keep)]
        for sequence, start in voided:
            if sequence not in parents:
                starts[sequence] = min(start, starts.get(sequence, start))
    return starts


def _overridden(segment: Segment, starts: dict[int, int]) -> bool:
    """Whether a later segment makes this one void; not if it forks, since a later one may count on what is forked."""
    start = starts.get(segment.sequence)
    return start is not None and start <= segment.start and (not segment.parent or start == 0)


def _reduced(frame: Frame, needed: list[bool]) -> Frame:
    """The frame with the needed segments and their rows alone."""
    row_bytes = frame.width * frame.dtype.size
    ends = accumulate(segment.count * row_bytes for segment in frame.segments)
    placed = list(zip(frame.segments, ends, needed, strict=True))
    segments = tuple(segment for segment, _, wanted in placed if wanted)
    rows = [frame.payload[end - segment.count * row_bytes : end] for segment, end, wanted in placed if wanted]
    return replace(frame, segments=segments, rows=sum(s.count for s in segments), payload=b"".join(rows))
