"""What the owner of this PC chose for its plans: PCs that are left out, and plans made by hand; kept over restarts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import msgspec

from idlepool.engine.errors import NoRoom, StorageError
from idlepool.engine.events import StageInfo
from idlepool.engine.models.files import replace_file, writing
from idlepool.engine.plan_events import ChosenPlan, OwnPlans
from idlepool.engine.pool.broken_file import put_aside
from idlepool.engine.pool.plan_choice import NO_CHOICE, PlanChoice
from idlepool.engine.pool.pool_planning import Present
from idlepool.engine.types import NodeId, Span

log = logging.getLogger("idlepool.plan")

FILE = "plans.json"


class OwnPlanUnfit(NoRoom):
    """The plan that was made by hand cannot be, though all its PCs are here: with the automatic one it may work."""

    def __init__(self, error: NoRoom) -> None:
        """`error` says why it cannot be."""
        super().__init__(
            f"The plan that you made by hand for this model does not fit now. {error.sentence}",
            "Change it on the page Pool, or have it planned automatically.",
        )


class PlanKeeper:
    """The choices, and their file in the data folder `root`. A file that cannot be read is as if nothing was chosen,
    and is put aside."""

    def __init__(self, root: Path, here: NodeId, on_change: Callable[[OwnPlans], None]) -> None:
        """`on_change` hears of each choice."""
        self._root, self._here, self._on_change = root, here, on_change
        self._one_by_one = asyncio.Lock()
        self.problem = ""
        """What is wrong with the file, in a sentence; empty: nothing."""
        self.own = self._read()

    async def exclude(self, nodes: Collection[str]) -> None:
        """Leave out these PCs and no others; this one takes part always. Raises StorageError."""
        async with self._one_by_one:
            await self._keep(msgspec.structs.replace(self.own, excluded=tuple(sorted(set(nodes) - {self._here}))))

    async def choose(self, plan: ChosenPlan) -> None:
        """Make pipelines of its model so; without PCs: automatically. Raises StorageError."""
        async with self._one_by_one:
            others = tuple(known for known in self.own.chosen if known.model != plan.model)
            await self._keep(msgspec.structs.replace(self.own, chosen=(*others, plan) if plan.pcs else others))

    def usable(self, present: Sequence[Present]) -> tuple[Present, ...]:
        """Those that plans may use."""
        return tuple(pc for pc in present if pc.node not in self.own.excluded)

    def left_out(self, present: Sequence[Present]) -> tuple[str, ...]:
        """The names of those that plans may not use."""
        return tuple(pc.name for pc in present if pc.node in self.own.excluded)

    def chosen(self, model: str) -> ChosenPlan | None:
        """What was chosen for a model, by name."""
        return next((plan for plan in self.own.chosen if plan.model == model), None)

    def choice(self, model: str, present: Sequence[Present]) -> PlanChoice:
        """What was chosen for a model, by name, as long as plans may use all PCs of it. Raises OwnPlanUnfit."""
        chosen = self.chosen(model)
        try:
            return choice_of(chosen, self.usable(present)) if chosen is not None else NO_CHOICE
        except NoRoom as error:
            raise OwnPlanUnfit(error) from error

    def forbids(
        self, model: str, stages: Sequence[StageInfo], chosen: ChosenPlan | None, present: Sequence[Present]
    ) -> bool:
        """Whether a pipeline for which that was `chosen` is not what is wanted now, with these PCs."""
        if self.chosen(model) != chosen or any(stage.node in self.own.excluded for stage in stages):
            return True
        wanted = self.choice(model, present)
        now = [(stage.name, Span(stage.first, stage.last)) for stage in stages]
        return bool(wanted.names) and now != list(zip(wanted.names, wanted.spans, strict=False))

    async def _keep(self, own: OwnPlans) -> None:
        """It holds at once, for whoever asks for a plan meanwhile; where the disk does not take it, no longer."""
        before = self.own
        if own == before:
            return
        self.own = own
        try:
            await asyncio.to_thread(self._write, own)
        except StorageError:
            self.own = before
            raise
        self._on_change(own)

    def _write(self, own: OwnPlans) -> None:
        with writing(self._root):
            self._root.mkdir(parents=True, exist_ok=True)
        replace_file(self._root / FILE, msgspec.json.format(msgspec.json.encode(own), indent=2))

    def _read(self) -> OwnPlans:
        path = self._root / FILE
        try:
            return msgspec.json.decode(path.read_bytes(), type=OwnPlans)
        except FileNotFoundError:
            pass
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            log.warning("plans are automatic, since their file cannot be read: %s", type(error).__name__)
            self.problem = "Your plans and the PCs that they leave out cannot be read."
            with contextlib.suppress(OSError):
                name = put_aside(path).name
                self.problem = (
                    f"Your plans and the PCs that they leave out cannot be read; the old file is called {name} now."
                )
        return OwnPlans()


def explained(error: NoRoom, left_out: Sequence[str]) -> NoRoom:
    """Why there is no plan, where these PCs, by name, might have made one possible."""
    if not left_out:
        return error
    return NoRoom(error.sentence, f"{error.hint} Or let PCs take part again that you left out: {', '.join(left_out)}.")


def choice_of(plan: ChosenPlan, present: Sequence[Present]) -> PlanChoice:
    """The plan as the planner takes it; no choice where one of its PCs is not present.

    Raises:
        NoRoom: one of them has no layers.
    """
    names = {pc.node: pc.name for pc in present}
    if not plan.pcs or not all(NodeId(node) in names for node in plan.pcs):
        return NO_CHOICE
    if len(plan.spans) != len(plan.pcs) or not all(0 <= first < last for first, last in plan.spans):
        raise NoRoom("Each PC of a plan needs at least one layer.", "Give it some, or take it out of the plan.")
    spans = tuple(Span(first, last) for first, last in plan.spans)
    return PlanChoice(tuple(names[NodeId(node)] for node in plan.pcs), spans)
