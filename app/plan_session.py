"""What one client of the node asks about plans and figures; a part of node_session.py."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from idlepool.engine.commands import WantStats
from idlepool.engine.errors import IdlepoolError
from idlepool.engine.events import Event, Trouble
from idlepool.engine.figures_events import WantFigures
from idlepool.engine.plan_events import ChoosePlan, ChosenPlan, ExcludePcs, PlanCommand, PlanTold, TryPlan, WantPlan
from idlepool.engine.pool.drafters import draft_bytes
from idlepool.engine.pool.figures_telling import FiguresTelling
from idlepool.engine.pool.node import Node
from idlepool.engine.pool.plan_telling import PlanTelling, TellingServices
from idlepool.engine.pool.tasks import TaskKeeper


class PlanSession:
    """From when the node is ready to `close`."""

    def __init__(self, node: Node, emit: Callable[[Event], None]) -> None:
        self._plans, self._pipelines = node.heading.plans, node.pipelines
        self._emit = emit
        services = TellingServices(
            node.id,
            node.models.named,
            node.present,
            node.neighbourhood.infos,
            draft_bytes=draft_bytes(node.settings.speculation),
        )
        self._telling = PlanTelling(self._plans, services)
        self._figures = FiguresTelling(node, emit)
        self._tasks = TaskKeeper()
        emit(self._plans.own)

    def obey(self, command: PlanCommand | WantStats | WantFigures) -> None:
        """Do what it asks for."""
        match command:
            case WantStats(model=model):
                for stats in self._pipelines.stats(model):
                    self._emit(stats)
            case WantFigures(on=on):
                self._figures.want(on)
            case WantPlan(models=models):
                for model in models:
                    self._tasks.start(self._tell(self._telling.tell(model)))
            case TryPlan(plan=plan):
                self._tasks.start(self._tell(self._telling.attempt(plan)))
            case ChoosePlan(model=model, pcs=pcs, spans=spans):
                self._tasks.start(self._choose(ChosenPlan(model, pcs, spans)))
            case ExcludePcs(nodes=nodes):
                self._tasks.start(self._keeping(self._plans.exclude(nodes)))

    async def close(self) -> None:
        """Tell no more."""
        await asyncio.gather(self._tasks.close(), self._figures.close())

    async def _tell(self, told: Awaitable[PlanTold]) -> None:
        self._emit(await told)

    async def _choose(self, plan: ChosenPlan) -> None:
        if plan.pcs:
            told = await self._telling.attempt(plan)
            if not told.possible:
                self._emit(told)
                return
        await self._keeping(self._plans.choose(plan))

    async def _keeping(self, choice: Awaitable[None]) -> None:
        try:
            await choice
        except IdlepoolError as error:
            self._emit(Trouble(error.sentence, error.hint))
