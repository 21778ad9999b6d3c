"""What PCs say so that layers are on a disk before they are needed; part of messages.py."""

from __future__ import annotations

import msgspec

from idlepool.engine.net.presence_messages import Place
from idlepool.engine.types import Int


class HeldSpan(msgspec.Struct, frozen=True):
    """Layers `[first, last)` of a model that are whole on a PC's disk; told in its NodeStatus."""

    model: str
    first: Int
    last: Int


class StageAhead(msgspec.Struct, frozen=True, tag="stage_ahead"):
    """From the head of a model's pipeline to a PC that may be needed in it: fetch the layers `[first, last)` when
    nothing else is to be done. There is no answer but a new NodeStatus.

    Only the newest one of a head for a model counts. `source`: the head, which need not lend to give them.
    """

    model: str
    first: Int
    last: Int
    source: Place
