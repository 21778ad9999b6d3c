"""What the stages hold of which conversation: each request gets a sequence that builds on as much of it as it can."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Protocol

from idlepool.engine.decode.admission import Admission
from idlepool.engine.decode.decoding import Decoding
from idlepool.engine.decode.kept import Kept, KeptSequences, best_parent
from idlepool.engine.decode.request import Request
from idlepool.engine.types import SequenceId


class EndSequence(Protocol):
    """Frees what every stage holds of a sequence after its first `keep` positions."""

    def __call__(self, sequence: SequenceId, keep: int = 0) -> None:
        """With `keep` 0 the sequence never comes back."""


class Holding:
    """Gives sequences to requests and keeps what is held of them afterwards, as long as `admission` has the room."""

    def __init__(self, admission: Admission, end: EndSequence) -> None:
        self._admission = admission
        self._end = end
        self._kept = KeptSequences()
        self._numbers = itertools.count(1)

    def begin(self, request: Request, active: Iterable[Decoding]) -> Decoding:
        """A sequence for a request: its conversation's, or a new one that shares what another one begins with.

        `active` are those that are being answered.
        """
        own = self._kept.take(request.conversation)
        common = own.common(request.prompt, reproducible=request.reproducible) if own else 0
        others = [*self._kept, *map(_kept, active)]
        parent = best_parent(request.prompt, others, reproducible=request.reproducible)
        if own is not None and (parent is None or common >= parent[1]):
            decoding = _decoding(request, own.sequence, held=common, exact=min(common, own.exact))
        else:
            if own is not None:
                self._end(own.sequence)
            decoding = self._new(request, parent)
        self.make_room()
        return decoding

    def keep(self, conversation: str, decoding: Decoding, *, loose: bool) -> None:
        """Keep what is certain of a sequence, if there is room; the rest is freed at once.

        `loose`: something of it is under way, which need not be computed any more.
        """
        kept = _kept(decoding)
        gone: Kept | None = kept
        if kept.tokens:
            if loose:
                self._end(kept.sequence, len(kept.tokens))
            gone = self._kept.put(conversation, kept)
        if gone is not None:
            self._end(gone.sequence)
        self.make_room()

    def make_room(self) -> None:
        """Let go of idle sequences whose room is reserved by requests, the one not used for longest first."""
        room = self._admission.room
        spare = self._admission.spare_tokens()
        while len(self._kept) and (
            len(self._kept) > self._admission.spare_sequences()
            or (spare is not None and sum(room.blocks(len(kept.tokens)) for kept in self._kept) > spare)
        ):
            oldest = self._kept.evict()
            assert oldest is not None
            self._end(oldest.sequence)

    def _new(self, request: Request, parent: tuple[Kept, int] | None) -> Decoding:
        sequence = SequenceId(next(self._numbers))
        if parent is None:
            return _decoding(request, sequence, held=0, exact=0)
        kept, shared = parent
        self._kept.touch(kept.sequence)  # the last to go: it is needed until the stages have forked it
        return _decoding(request, sequence, held=shared, exact=min(shared, kept.exact), parent=kept.sequence)


def _decoding(
    request: Request, sequence: SequenceId, *, held: int, exact: int, parent: SequenceId | None = None
) -> Decoding:
    return Decoding(
        sequence,
        request.prompt,
        request.sampling,
        longest=len(request.prompt) + request.max_tokens,
        reproducible=request.reproducible,
        held=held,
        exact=exact,
        parent=parent,
    )


def _kept(decoding: Decoding) -> Kept:
    held = min(decoding.held, decoding.confirmed)
    return Kept(decoding.id, decoding.tokens[:held], min(decoding.exact, held))
