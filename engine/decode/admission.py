"""Who is answered now and who waits: by the room in the stages' caches, never by hope. Pure.

A request reserves the positions that its prompt and its longest answer take. The queue is first come, first served,
and bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idlepool.engine.errors import QueueFull, RequestError


@dataclass(frozen=True, slots=True)
class Room:
    """What the stages of a pipeline can hold at once."""

    sequences: int
    """Being answered or kept."""
    tokens: int = 0
    """Positions of all of them together; 0: unknown, so not counted."""
    block_tokens: int = 1
    """Positions come in blocks of so many."""
    waiting: int = 64
    """Requests that may wait."""

    def blocks(self, tokens: int) -> int:
        """Positions, rounded up to whole blocks."""
        return -(-tokens // self.block_tokens) * self.block_tokens


class Admission:
    """Requests that are answered and that wait, by numbers that the caller gives."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._answering: dict[int, int] = {}
        self._waiting: dict[int, int] = {}

    def enter(self, request: int, tokens: int, *, resumed: bool = False) -> None:
        """A request of so many positions gets in line; one whose answer has begun already finds the line never full.

        Raises:
            RequestError: it could never be answered.
            QueueFull: too many wait already.
        """
        needed = self.room.blocks(tokens)
        if self.room.tokens and needed > self.room.tokens:
            raise RequestError(
                f"This would take {tokens:,} tokens of the pool's memory for conversations, which holds "
                f"{self.room.tokens:,}.",
                "Ask for a shorter answer, or begin a new conversation.",
            )
        if not resumed and len(self._waiting) >= self.room.waiting:
            raise QueueFull(len(self._waiting))
        self._waiting[request] = needed

    def admit(self) -> list[int]:
        """The requests whose turn it is now."""
        admitted = []
        for request, needed in list(self._waiting.items()):
            if len(self._answering) >= self.room.sequences or not self._fits(needed):
                break  # and nobody behind it overtakes
            self._answering[request] = self._waiting.pop(request)
            admitted.append(request)
        return admitted

    def line(self) -> Iterator[tuple[int, int]]:
        """Each request that waits behind its place in line, from 1."""
        return enumerate(self._waiting, 1)

    def leave(self, request: int) -> None:
        """It is over, or nobody waits for it any more."""
        self._answering.pop(request, None)
        self._waiting.pop(request, None)

    def spare_tokens(self) -> int | None:
        """Positions that no request has reserved: what kept sequences may take. None: unknown."""
        return self.room.tokens - sum(self._answering.values()) if self.room.tokens else None

    def spare_sequences(self) -> int:
        """Sequences that may be kept beside those that are answered."""
        return self.room.sequences - len(self._answering)

    def _fits(self, needed: int) -> bool:
        spare = self.spare_tokens()
        return spare is None or needed <= spare
