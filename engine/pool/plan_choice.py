"""What somebody wants a plan to be: these PCs, in this order, and perhaps these layers on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from idlepool.engine.errors import NoRoom
from idlepool.engine.types import Span


class Named(Protocol):
    """Whatever has the name of a PC."""

    @property
    def name(self) -> str:
        """As it is shown."""
        ...


Pc = TypeVar("Pc", bound=Named)


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """Names of PCs, none where nothing was chosen, and a span for each or for none."""

    names: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()

    def of(self, present: Sequence[Pc]) -> Sequence[Pc]:
        """Those of the PCs that were chosen, in that order; all where nothing was. The first is the one that asks.

        Raises:
            NoRoom: one of them is not here, or is chosen twice, or it does not begin with the one that asks.
        """
        if not self.names:
            return present
        by_name = {pc.name.casefold(): pc for pc in reversed(present)}
        for name in self.names:
            if name.casefold() not in by_name:
                raise NoRoom(f"{name} is not here.", f"These PCs are: {', '.join(pc.name for pc in present)}.")
        chosen = [by_name[name.casefold()] for name in self.names]
        if chosen[0] is not present[0] or len(set(map(id, chosen))) < len(chosen):
            raise NoRoom(
                f"The plan begins with this PC, {present[0].name}, and each PC is in it once.",
                "No text leaves the PC where it was typed before the first layer.",
            )
        return chosen


NO_CHOICE = PlanChoice()
