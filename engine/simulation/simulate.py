"""Plays a pool for some hours: makes up its PCs and people, lets the time pass, and reports."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from random import Random

from idlepool.engine.pool.carrying_on import carry_on
from idlepool.engine.simulation.asking import Asking, Recovery
from idlepool.engine.simulation.figures import Figures, Report
from idlepool.engine.simulation.kept_layers import LayerSizes
from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.simulation.machines import fleet
from idlepool.engine.simulation.planning import Planning
from idlepool.engine.simulation.played_pc import PlayedPc
from idlepool.engine.simulation.played_pool import PlayedPool
from idlepool.engine.simulation.presence import DAY, HOUR, Moment, desk_times, moments, week_of
from idlepool.engine.simulation.questions import Question, questions
from idlepool.engine.simulation.virtual_time import VirtualLoop


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is played. The same scenario gives the same report, on every PC."""

    pcs: int = 200
    hours: float = 24.0
    """From Monday 0:00 on."""
    seed: int = 7
    shape: Shape = field(default_factory=Shape)

    @property
    def until_s(self) -> float:
        """When it is over."""
        return self.hours * HOUR


def simulate(scenario: Scenario, *, recovery: Recovery = carry_on) -> Report:
    """Play it; `recovery` is what stands between a broken pipeline and the person who asked."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_Play(scenario).run(recovery))


class _Play:
    """The office, drawn before anything happens."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._manifest = scenario.shape.manifest()
        self._sizes = LayerSizes(self._manifest)
        self._pcs: list[PlayedPc] = []
        self._moments: list[list[Moment]] = []
        self._questions: list[Question] = []
        days = math.ceil(scenario.until_s / DAY)
        for machine in fleet(scenario.pcs, scenario.seed):
            chance = Random(f"owner {scenario.seed} {machine.number}")
            found = moments(week_of(machine.habit, days, chance), scenario.until_s)
            self._moments.append(found)
            self._pcs.append(PlayedPc(machine, found[0], self._sizes))
            self._questions += questions(
                machine.number,
                desk_times(found, scenario.until_s),
                vocabulary=self._manifest.vocabulary,
                chance=chance,
            )

    async def run(self, recovery: Recovery) -> Report:
        loop = asyncio.get_running_loop()
        figures = Figures()
        planning = Planning(self._scenario.shape, self._manifest)
        pool = PlayedPool(self._pcs, planning, figures)
        asking: dict[asyncio.Task[None], PlayedPc] = {}

        def ask(question: Question) -> None:
            pc = self._pcs[question.pc]
            person = Asking(question.request, pc, pool, vocabulary=self._manifest.vocabulary, figures=figures)
            task = asyncio.create_task(person.run(recovery))
            asking[task] = pc
            task.add_done_callback(end)

        def end(task: asyncio.Task[None]) -> None:
            del asking[task]
            if not task.cancelled():
                task.result()

        def stand(pc: PlayedPc, moment: Moment) -> None:
            pool.stand(pc, moment)
            for task in [task for task, asker in asking.items() if asker is pc and not pc.on]:
                task.cancel()

        for pc, found in zip(self._pcs, self._moments, strict=True):
            for moment in found:
                loop.call_at(moment.at_s, stand, pc, moment)
        for question in self._questions:
            loop.call_at(question.at_s, ask, question)
        await asyncio.sleep(self._scenario.until_s)
        for task in list(asking):
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        return self._facts() | figures.report(self._scenario.until_s) | {"plans": planning.asked}

    def _facts(self) -> Report:
        scenario = self._scenario
        return {
            "pcs": scenario.pcs,
            "hours": scenario.hours,
            "seed": scenario.seed,
            "model": {
                "layers": self._manifest.layers,
                "weights_bytes": self._manifest.weights_bytes,
                "cache_bytes_per_token": scenario.shape.cache_bytes,
            },
        }
