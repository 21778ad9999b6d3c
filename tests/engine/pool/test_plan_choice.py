"""A plan that somebody typed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from idlepool.engine.errors import NoRoom
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice


@dataclass(frozen=True)
class Pc:
    name: str


HERE, NORTH, SOUTH = (Pc(name) for name in ("Here", "North", "South"))


def test_chosen_pcs_come_in_their_order_and_without_a_choice_all():
    present = (HERE, NORTH, SOUTH)
    assert list(PlanChoice(("here", "south", "north")).of(present)) == [HERE, SOUTH, NORTH]
    assert NO_CHOICE.of(present) == present


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Here", "Nobody"), r"^Nobody is not here\. These PCs are: Here, North, South\."),
        (("North", "Here"), r"^The plan begins with this PC, Here, and"),
        (("Here", "North", "north"), r"each PC is in it once"),
    ],
)
def test_what_cannot_be_chosen_is_said(names, said):
    with pytest.raises(NoRoom, match=said):
        PlanChoice(names).of((HERE, NORTH, SOUTH))
