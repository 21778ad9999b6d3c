"""What is kept of a pipeline beside itself: how it was made, and after it broke what the next one builds on."""

from __future__ import annotations

from dataclasses import dataclass

from idlepool.engine.plan_events import ChosenPlan
from idlepool.engine.types import ElementType, NodeId


@dataclass(slots=True)
class Made:
    """How a pipeline was made."""

    present: frozenset[NodeId]
    """The PCs that were here then, or when it was last looked whether it should be made anew."""
    wire: ElementType
    """What it computes in."""
    chosen: ChosenPlan | None = None
    """What the owner wanted its plan to be, be it possible or not."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What is left to know of a pipeline that broke."""

    places: tuple[NodeId, ...]
    """Its PCs, in their order."""
    wire: ElementType | None
    """What it computed in, if somebody was being answered."""


NEVER_BROKE = Broken((), None)
