"""Plans for somebody who looks: how the PCs that are here would run a model, without loading or fetching anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from idlepool.engine.errors import IdlepoolError, ModelError, NoRoom, UnknownModel
from idlepool.engine.events import PeerInfo
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.plan_events import ChosenPlan, PlannedStage, PlanTold
from idlepool.engine.pool import planner
from idlepool.engine.pool.absent import absent
from idlepool.engine.pool.own_plans import PlanKeeper, choice_of, explained
from idlepool.engine.pool.plan_choice import PlanChoice
from idlepool.engine.pool.planner import PoolPlan, Task
from idlepool.engine.pool.pool_planning import Present, head_ms, memory_of, plan_for, ran_before, task_of, way_ms
from idlepool.engine.types import NodeId

EXCLUDED = "You left it out of your plans."
GONE = "a PC that is in the pool no more"
NO_MORE = "The plan that you chose cannot be used any more."


@dataclass(frozen=True, slots=True)
class TellingServices:
    """What it needs of the node."""

    here: NodeId
    named: Callable[[str], StoredModel]
    """Raises UnknownModel, ModelDamaged."""
    present: Callable[[], tuple[Present, ...]]
    """All PCs that lend, this one first."""
    infos: Callable[[], tuple[PeerInfo, ...]]
    draft_bytes: int = 0
    """Weights of the draft model that this PC runs for its pipelines."""


class PlanTelling:
    """Makes plans in threads, one after another: a window may ask for those of all models at once."""

    def __init__(self, keeper: PlanKeeper, services: TellingServices) -> None:
        self._keeper = keeper
        self._services = services
        self._turn = asyncio.Lock()

    async def tell(self, name: str) -> PlanTold:
        """How the model called `name` would run now."""
        present = self._keeper.usable(self._services.present())
        try:
            choice = self._keeper.choice(name, present)
        except NoRoom as error:
            return msgspec.structs.replace(_failed(name, error), by_hand=True, problem=NO_MORE)
        told = await self._told(name, present, choice)
        problem = self._waits_for(name, present)
        if choice.names and not told.possible:
            problem = NO_MORE
        return msgspec.structs.replace(told, problem=problem)

    async def attempt(self, plan: ChosenPlan) -> PlanTold:
        """How it would run with this plan."""
        present = self._keeper.usable(self._services.present())
        try:
            choice = choice_of(plan, present)
            if not choice.names:
                raise NoRoom("A PC of this plan is not here, or lends nothing.", "Take it out of the plan, or wait.")
        except NoRoom as error:
            told = _failed(plan.model, error)
        else:
            told = await self._told(plan.model, present, choice)
        return msgspec.structs.replace(told, tried=True)

    async def _told(self, name: str, present: tuple[Present, ...], choice: PlanChoice) -> PlanTold:
        if not present or present[0].node != self._services.here:
            sentence = "What this PC can compute with is not known yet, or nothing is lent."
            return PlanTold(name, possible=False, sentence=sentence, hint="Try it again in a moment.")
        try:
            async with self._turn:
                told = await asyncio.to_thread(self._planned, name, present, choice)
        except UnknownModel as error:
            return self._of_another(name) or _failed(name, error)
        except ModelError as error:
            return _failed(name, error)
        left_out = (*told.left_out, *self._left_out(present))
        return msgspec.structs.replace(told, lent_bytes=lent_by(present), left_out=left_out, by_hand=bool(choice.names))

    def _planned(self, name: str, present: tuple[Present, ...], choice: PlanChoice) -> PlanTold:
        """Reads the disk."""
        services = self._services
        model = services.named(name)
        task = task_of(model, choice.of(present))
        besides_ms = head_ms(services.draft_bytes)
        try:
            plan = plan_for(task, model, present, here=services.here, head_ms=besides_ms, choice=choice)
        except NoRoom as error:
            error = explained(error, self._keeper.left_out(services.present()))
            return msgspec.structs.replace(_failed(name, error), needed_bytes=memory_of(task))
        ways = _ways(plan, present)
        measured = ran_before(plan, model, present) and (len(plan.stages) == 1 or all(ways))
        return _possible(name, plan, task, ways=ways, measured=measured)

    def _waits_for(self, name: str, present: Sequence[Present]) -> str:
        """Why a model does not run as was chosen; empty where it does, or nothing was."""
        plan, excluded = self._keeper.chosen(name), self._keeper.own.excluded
        usable = {pc.node for pc in present}
        missing = [node for node in plan.pcs if node not in usable] if plan is not None else []
        names = {info.node: info.name for info in self._services.infos()}
        away = ", ".join(names.get(node, GONE) for node in missing if node not in excluded)
        left_out = ", ".join(names.get(node, GONE) for node in missing if node in excluded)
        sentences = []
        if away:
            sentences.append(f"The plan that you chose waits for {away}.")
        if left_out:
            sentences.append(f"The plan that you chose needs {left_out}, and you left that out of your plans.")
        return " ".join(sentences)

    def _left_out(self, present: Sequence[Present]) -> tuple[tuple[str, str], ...]:
        """The PCs of the pool that plans may not use, or cannot."""
        infos, excluded = self._services.infos(), self._keeper.own.excluded
        chosen = tuple((info.name, EXCLUDED) for info in infos if info.node in excluded)
        return chosen + absent(infos, {*(pc.node for pc in present), *excluded, ""})

    def _of_another(self, name: str) -> PlanTold | None:
        """Of a model that another PC has whole: that one plans."""
        having = [info for info in self._services.infos() if any(model.name == name for model in info.whole)]
        if not having:
            return None
        return PlanTold(name, possible=True, sentence=f"{having[0].name} has this model, and plans for it when asked.")


def lent_by(present: Sequence[Present]) -> int:
    """Bytes of memory that a plan may use: of each PC its largest device's."""
    return sum(max(device.usable_bytes for device in pc.devices) for pc in present)


def _failed(name: str, error: IdlepoolError) -> PlanTold:
    return PlanTold(name, possible=False, sentence=error.sentence, hint=error.hint)


def _ways(plan: PoolPlan, present: Sequence[Present]) -> list[float]:
    """From each stage to the next, and back."""
    by_node = {pc.node: pc for pc in present}
    pcs = [by_node[stage.node] for stage in plan.stages]
    return [way_ms(*each) for each in zip(pcs, [*pcs[1:], pcs[0]], strict=True)]


def _possible(name: str, plan: PoolPlan, task: Task, *, ways: list[float], measured: bool) -> PlanTold:
    return PlanTold(
        name,
        possible=True,
        tokens_per_second=plan.tokens_per_second,
        needed_bytes=sum(stage.memory_bytes for stage in plan.stages),
        stages=tuple(map(_stage, plan.stages, ways)),
        left_out=plan.left_out,
        measured=measured,
        spare_users=plan.spare_users,
        context=task.promise.context,
    )


def _stage(stage: planner.PlannedStage, link_ms: float) -> PlannedStage:
    return PlannedStage(
        stage.node,
        stage.name,
        stage.span.first,
        stage.span.last,
        stage.device,
        stage.memory_bytes,
        stage.step_ms,
        stage.spare_bytes,
        stage.fetch_bytes,
        link_ms,
    )
