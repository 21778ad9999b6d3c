"""Which segments go into the next frame. Pure: sequences in, one micro-batch out.

Sequences join and leave between any two frames. As many frames are under way as keep every stage busy, and the
sequences are spread evenly over them; each gets its turn in order. A prompt goes in chunks beside the decodes of the
others, one chunk in a frame, so that it delays their next tokens by one chunk at most.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from idlepool.engine.decode.decoding import SHORTEST_REPRODUCIBLE, Decoding, Flight
from idlepool.engine.net.segments import Segment

PREFILL_CHUNK = 256
"""Tokens of a prompt in a frame where nobody else waits: long enough to be computed well, short enough that the stages
overlap."""

SHARED_CHUNK = 128
"""The same beside decodes of others."""

MAX_DRAFT = 32
"""Tokens of a decode segment: the last confirmed one and its guesses."""


def most_rows(sequences: int) -> int:
    """The most rows that a frame can have where so many sequences are answered."""
    again = SHORTEST_REPRODUCIBLE - 1
    return PREFILL_CHUNK + sequences * (MAX_DRAFT + again)


@dataclass(frozen=True, slots=True)
class MicroBatch:
    """What one frame carries."""

    parts: tuple[tuple[Decoding, Flight], ...]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """At most one of each sequence."""
        return tuple(flight.segment for _, flight in self.parts)

    @property
    def ids(self) -> list[int]:
        """The rows of all segments, one after another."""
        return [token for _, flight in self.parts for token in flight.ids]


class Scheduler:
    """Sequences that are being answered, the one served longest ago first.

    `micro_batches` are wanted under way: at least the number of stages.
    """

    def __init__(
        self, *, micro_batches: int, prefill_chunk: int = PREFILL_CHUNK, shared_chunk: int = SHARED_CHUNK
    ) -> None:
        self.micro_batches = micro_batches
        self._prefill_chunk = prefill_chunk
        self._shared_chunk = shared_chunk
        self._turns: deque[Decoding] = deque()

    def __len__(self) -> int:
        return len(self._turns)

    def __iter__(self) -> Iterator[Decoding]:
        return iter(self._turns)

    @property
    def read(self) -> tuple[int, int]:
        """How many tokens of the prompts were sent that are not sent whole, and how many they have."""
        prompts = [decoding for decoding in self._turns if decoding.prefilling]
        return sum(p.confirmed - p.to_send for p in prompts), sum(p.confirmed for p in prompts)

    @property
    def share(self) -> int:
        """Sequences that go in one frame."""
        return -(-len(self._turns) // self.micro_batches)

    def add(self, decoding: Decoding) -> None:
        """A sequence joins."""
        self._turns.append(decoding)

    def remove(self, decoding: Decoding) -> None:
        """A sequence leaves; one that is not here is ignored."""
        if decoding in self._turns:
            self._turns.remove(decoding)

    def next_batch(self) -> MicroBatch | None:
        """The next frame; its segments count as sent. None where nobody has anything to send."""
        ready = [decoding for decoding in self._turns if decoding.can_send and not decoding.awaits_guesses]
        share = self.share
        decodes = [decoding for decoding in ready if not decoding.prefilling][:share]
        chosen = [(decoding, MAX_DRAFT) for decoding in decodes]
        room = self._prefill_chunk if len(self._turns) == 1 else self._shared_chunk
        for decoding in (decoding for decoding in ready if decoding.prefilling):
            if room <= 0 or len(chosen) == max(share, 1 + len(decodes)):
                break
            chosen.append((decoding, room))
            room -= decoding.to_send
        if not chosen:
            return None
        for decoding, _ in chosen:
            self._turns.remove(decoding)
            self._turns.append(decoding)
        return MicroBatch(tuple((decoding, decoding.next_segment(most)) for decoding, most in chosen))
