"""The pool in virtual time: PCs come, go, lend and take back; pipelines break, and are planned again when wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from idlepool.engine.errors import NoRoom, PeerLost
from idlepool.engine.pool.peers import GONE_TICKS, TICK_S
from idlepool.engine.simulation.figures import Figures, Standing
from idlepool.engine.simulation.keeping_warm import KeepingWarm
from idlepool.engine.simulation.planning import Plan, Planning
from idlepool.engine.simulation.played_pc import MONDAY, PlayedPc
from idlepool.engine.simulation.played_pipeline import PlayedPipeline, Surroundings
from idlepool.engine.simulation.presence import Moment

SILENT_S = GONE_TICKS * TICK_S
"""Until a PC that went without a word is taken for gone."""

PLANNING_S = 0.2
"""What the planner and its orders to all PCs take."""

JUDGED_AGAIN_S = 1.0
"""Whether a PC lends is not asked more often."""


class PlayedPool:
    """At most one pipeline, of one model, for everybody. Lives in an event loop with virtual time."""

    def __init__(self, pcs: Sequence[PlayedPc], planning: Planning, figures: Figures) -> None:
        self._pcs = pcs
        self._planning = planning
        self._figures = figures
        self._surroundings = Surroundings(
            planning.manifest, planning.row_bytes, figures, supply_bytes_s=self._supply_bytes_s, on_ready=self._note
        )
        self._warm = KeepingWarm(planning, figures, on_fetched=self._keep_warm)
        self._pipeline: PlayedPipeline | None = None
        self._opening = asyncio.Lock()
        self._changed = asyncio.Event()
        self._judging: dict[int, asyncio.TimerHandle] = {}
        self._enough: list[PlayedPc] = []
        """The PCs of the latest plan."""
        self._too_few: list[PlayedPc] = []
        """PCs that the planner found no plan for."""

    async def open(self, asker: PlayedPc) -> PlayedPipeline:
        """The pipeline, or a new one that begins to load; its head has the whole model: the asker's PC if that has it.

        Raises:
            NoRoom: no plan fits the PCs that lend.
        """
        async with self._opening:
            if self._pipeline is None or self._pipeline.broken is not None:
                await asyncio.sleep(PLANNING_S)
                hurried = self._pipeline is not None and self._pipeline.broke_off
                self._pipeline = self._started(self._plan(self._candidates(asker), hurried=hurried))
            return self._pipeline

    async def wait_for_change(self) -> None:
        """Until a PC comes, goes, lends or takes back."""
        await self._changed.wait()

    def stand(self, pc: PlayedPc, moment: Moment) -> None:
        """Something happens at a PC."""
        was_on = pc.on
        pc.stand(moment)
        if was_on and not pc.on:
            self._leave(pc)
        self._judge(pc)

    def _leave(self, pc: PlayedPc) -> None:
        if pc.moment.told:
            self._lose(pc, "told that it leaves")
            return
        pc.believed = True
        if self._pipeline is not None and self._pipeline.stage_of(pc):
            self._pipeline.stall()
        asyncio.get_running_loop().call_later(SILENT_S, self._miss, pc)

    def _miss(self, pc: PlayedPc) -> None:
        pc.believed = False
        self._lose(pc, "went silent")
        self._note()

    def _judge(self, pc: PlayedPc) -> None:
        """Ask the policy, now and when its answer may become another by itself."""
        if (waiting := self._judging.pop(pc.machine.number, None)) is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        decision = pc.judge(loop.time())
        if decision is not None and decision.until is not None and not pc.moment.used:
            again_s = max((decision.until - MONDAY).total_seconds(), loop.time() + JUDGED_AGAIN_S)
            self._judging[pc.machine.number] = loop.call_at(again_s, self._judge, pc)
        # The layers that a PC runs for pipelines that it heads itself are its owner's own work.
        if decision is not None and not decision.lends and not self._heads(pc):
            self._lose(pc, decision.reason.value)
        self._note()

    def _lose(self, pc: PlayedPc, reason: str) -> None:
        """A PC takes no further part; if it did, the pipeline breaks."""
        pipeline = self._pipeline
        stage = pipeline.stage_of(pc) if pipeline is not None and pipeline.broken is None else None
        if pipeline is not None and stage is not None:
            self._figures.breaks[reason] += 1
            pipeline.fail(PeerLost(pc.machine.name, stage.span.first, stage.span.last))

    def _heads(self, pc: PlayedPc) -> bool:
        return self._pipeline is not None and self._pipeline.head is pc

    # --- planning -----------------------------------------------------------------------------------------------------

    def _candidates(self, asker: PlayedPc | None = None) -> list[PlayedPc]:
        """The head and all that lend, or seem to. Empty where nobody can be the head."""
        heads = [pc for pc in self._pcs if pc.machine.has_model and pc.on]
        if not heads:
            return []
        head = min(heads, key=lambda pc: (pc is not asker, not pc.lends, pc.machine.number))
        return [head, *(pc for pc in self._pcs if pc is not head and (pc.lends or pc.believed))]

    def _plan(self, candidates: Sequence[PlayedPc], *, hurried: bool = False) -> Plan:
        if not candidates:
            raise NoRoom("No PC that has the model is here.")
        if self._planning.hopeless(candidates) or set(candidates) <= set(self._too_few):
            raise NoRoom("The PCs that lend have too little memory for the model.")
        try:
            plan = self._planning.plan(candidates, hurried=hurried)
        except NoRoom:
            self._too_few = list(candidates)
            raise
        self._enough = [stage.pc for stage in plan.stages]
        return plan

    def _started(self, plan: Plan) -> PlayedPipeline:
        now = asyncio.get_running_loop().time()
        self._figures.opened_s.append(now)
        return PlayedPipeline(plan.stages, plan.room, self._surroundings)

    def _supply_bytes_s(self) -> float:
        """The lines of all PCs that have the model, or are believed to be there; the head is one of them."""
        givers = (pc for pc in self._pcs if pc.machine.has_model and (pc.on or pc.believed))
        return sum(pc.machine.net_bytes_s for pc in givers)

    def _possible(self) -> bool:
        """Whether there is a plan for the PCs that lend; the planner is asked only where that may have changed."""
        if self._pipeline is not None and self._pipeline.broken is None:
            return True
        if self._enough and self._enough[0].on and all(pc.lends for pc in self._enough[1:]):
            return True
        try:
            self._plan(self._candidates())
        except NoRoom:
            return False
        return True

    def _note(self) -> None:
        """Tell the figures and those who wait."""
        self._figures.stand(
            Standing(
                at_s=asyncio.get_running_loop().time(),
                on=sum(pc.on for pc in self._pcs),
                lending=sum(pc.lends for pc in self._pcs),
                possible=self._possible(),
                ready=self._loaded is not None,
            )
        )
        self._keep_warm()
        self._changed.set()
        self._changed = asyncio.Event()

    def _keep_warm(self) -> None:
        pipeline = self._loaded
        candidates = self._candidates(pipeline.head) if pipeline is not None else []
        self._warm.look(pipeline, candidates)

    @property
    def _loaded(self) -> PlayedPipeline | None:
        """The pipeline, where it is ready for questions."""
        pipeline = self._pipeline
        return pipeline if pipeline is not None and pipeline.broken is None and pipeline.ready.is_set() else None
