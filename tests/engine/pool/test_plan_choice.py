"""A plan that somebody typed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from idlepool.engine.errors import NoRoom
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice
from idlepool.engine.types import Span


@dataclass(frozen=True)
class Pc:
    name: str


HERE, NORTH, SOUTH = (Pc(name) for name in ("Here", "North", "South"))


@pytest.mark.parametrize(
    ("text", "names", "spans"),
    [
        ("Here:0-12,North:12-24", ("Here", "North"), (Span(0, 12), Span(12, 24))),
        ("Here", ("Here",), ()),
        ("Anna's PC: the old one , North", ("Anna's PC: the old one", "North"), ()),
        ("PC:1:0-3", ("PC:1",), (Span(0, 3),)),
    ],
)
def test_names_and_perhaps_layers(text, names, spans):
    assert PlanChoice.read(text) == PlanChoice(names, spans)


@pytest.mark.parametrize("text", ["", "Here,,North", "Here:0-3,North", ":0-3,x", "Here:3-0", "Here:3-3"])
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(ValueError):
        PlanChoice.read(text)


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
