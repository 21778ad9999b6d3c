"""What the window and the node say to each other about plans of this PC; a part of events.py and commands.py."""

from __future__ import annotations

import msgspec

from idlepool.engine.types import Int


class ChosenPlan(msgspec.Struct, frozen=True):
    """What somebody wants the plan for a model, by name, to be."""

    model: str
    pcs: tuple[str, ...]
    """Their ids, in the order of the layers, this PC first."""
    spans: tuple[tuple[Int, Int], ...]
    """The layers `[first, last)` of each."""


class WantPlan(msgspec.Struct, frozen=True, tag="want_plan"):
    """Say for each of these models, by name, how this PC would run it now: PlanTold follows for each."""

    models: tuple[str, ...]


class TryPlan(msgspec.Struct, frozen=True, tag="try_plan"):
    """Say how fast a plan would be, and whether it fits, without choosing it: PlanTold with `tried` follows."""

    plan: ChosenPlan


class ChoosePlan(msgspec.Struct, frozen=True, tag="choose_plan"):
    """Make pipelines of a model so from now on, whenever all these PCs lend; with no PCs: automatically again.

    OwnPlans follows, or PlanTold with `tried` where the plan cannot be.
    """

    model: str
    pcs: tuple[str, ...] = ()
    spans: tuple[tuple[Int, Int], ...] = ()


class ExcludePcs(msgspec.Struct, frozen=True, tag="exclude_pcs"):
    """Make no pipelines of this PC with these PCs, by their ids, and with all others again: OwnPlans follows."""

    nodes: tuple[str, ...]


class PlannedStage(msgspec.Struct, frozen=True):
    """Layers `[first, last)` on `device` of the PC called `name`."""

    node: str
    name: str
    first: int
    last: int
    device: str
    memory_bytes: int
    """That they need, with caches for the conversations that are planned for."""
    step_ms: float
    spare_bytes: int
    """What the PC would have left of what it lends."""
    fetch_bytes: int = 0
    """Of their weights that are not on its disk yet."""
    link_ms: float = 0.0
    """To the next stage, from the last one back to the first; 0: not measured yet, or the same PC."""


class PlanTold(msgspec.Struct, frozen=True, tag="plan_told"):
    """How a model would run. Where that is not possible `sentence` says why, and `hint` what would help."""

    model: str
    possible: bool
    sentence: str = ""
    """Empty where all is said by the figures."""
    hint: str = ""
    tokens_per_second: float = 0.0
    """Of one user, nobody else being answered; 0: unknown, because another PC has the model and plans for it."""
    needed_bytes: int = 0
    """Memory, with one conversation; 0: unknown."""
    lent_bytes: int = 0
    """By all PCs that plans may use at the moment, this one among them."""
    stages: tuple[PlannedStage, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    """Names of the PCs that take no part, and why."""
    measured: bool = False
    """Whether all these PCs ran the model before and their links were measured; else its speed is guessed from the size
    of the layers, and from links as they mostly are."""
    spare_users: int = 0
    """Users more whose conversations would fit as well,"""
    context: int = 0
    """of so many tokens each."""
    by_hand: bool = False
    """It is what somebody chose."""
    problem: str = ""
    """What keeps the plan that somebody chose from being this one, or from being possible; empty: nothing does."""
    tried: bool = False
    """It is the answer to TryPlan, or to a ChoosePlan that cannot be."""


class OwnPlans(msgspec.Struct, frozen=True, tag="own_plans"):
    """What was chosen for plans of this PC; comes at the start and when that changes."""

    excluded: tuple[str, ...] = ()
    """Ids of PCs."""
    chosen: tuple[ChosenPlan, ...] = ()


PlanCommand = WantPlan | TryPlan | ChoosePlan | ExcludePcs
PlanEvent = PlanTold | OwnPlans
