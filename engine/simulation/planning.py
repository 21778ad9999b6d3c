"""Plans for the played pool: from its PCs to what the real planner takes, and from its plan to stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from idlepool.engine.decode.admission import Room
from idlepool.engine.errors import NoRoom
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.pool.plan_costs import HURRIED_FETCH_MS_BYTE, Besides, PlanDevice, PlanPc, Promise
from idlepool.engine.pool.plan_task import PROMISED_TOKENS
from idlepool.engine.pool.plan_ways import Ways
from idlepool.engine.pool.planner import PoolPlan, Task, plan_pool
from idlepool.engine.pool.stage_room import MAX_SEQUENCES
from idlepool.engine.simulation.large_model import Shape
from idlepool.engine.simulation.played_pc import PlayedPc
from idlepool.engine.simulation.played_pipeline import PlayedStage
from idlepool.engine.types import Backend, DeviceKind


@dataclass(frozen=True, slots=True)
class Plan:
    """Stages, and what the caches of all of them have room for."""

    stages: tuple[PlayedStage, ...]
    room: Room


class Planning:
    """Asks the planner; where nothing changed since the last time, what it said holds."""

    def __init__(self, shape: Shape, manifest: Manifest) -> None:
        self.asked = 0
        self.manifest = manifest
        self.row_bytes = shape.row_bytes
        self._task = Task(manifest, Promise(PROMISED_TOKENS, 1, shape.cache_bytes, shape.row_bytes))
        self._last: tuple[list[PlanPc], bool, Plan | NoRoom] = ([], False, NoRoom("No PC is here."))

    def hopeless(self, pcs: Sequence[PlayedPc]) -> bool:
        """Whether all PCs together lend less than the model takes, so that no planner need be asked."""
        besides, promise = self._task.besides, self._task.promise
        lent = sum(max(0.0, pc.machine.usable_bytes * (1 - besides.reserve) - besides.stage_bytes) for pc in pcs)
        return lent < besides.weights * self.manifest.weights_bytes + promise.cache_bytes * promise.context

    def plan(self, pcs: Sequence[PlayedPc], *, hurried: bool = False) -> Plan:
        """For PCs of which the first is the head. `hurried`: see pool_planning.planned().

        Raises:
            NoRoom: the layers do not fit their memory.
        """
        given = [_plan_pc(pc) for pc in pcs]
        if (given, hurried) != self._last[:2]:
            self._last = given, hurried, self._asked(pcs, given, hurried=hurried)
        plan = self._last[2]
        if isinstance(plan, NoRoom):
            raise plan
        return plan

    def _asked(self, pcs: Sequence[PlayedPc], given: Sequence[PlanPc], *, hurried: bool) -> Plan | NoRoom:
        self.asked += 1
        besides = Besides(fetch_ms_byte=HURRIED_FETCH_MS_BYTE) if hurried else Besides()
        try:
            planned = plan_pool(replace(self._task, besides=besides), given, _ways(pcs))
        except NoRoom as error:
            return error
        return self._as_played(planned, {pc.machine.node: pc for pc in pcs})

    def _as_played(self, planned: PoolPlan, by_node: dict[str, PlayedPc]) -> Plan:
        costs = self.manifest.layer_costs
        stages = tuple(
            PlayedStage(by_node[stage.node], stage.span, sum(costs[stage.span.first : stage.span.last]))
            for stage in planned.stages
        )
        return Plan(stages, Room(MAX_SEQUENCES, min(map(self._cached_tokens, stages))))

    def _cached_tokens(self, stage: PlayedStage) -> int:
        """Of all conversations: what the memory of a stage has room for beside weights and runtime."""
        besides = self._task.besides
        weights = self.manifest.bytes_of(self.manifest.chunks_of(stage.span))
        room = stage.pc.machine.usable_bytes - besides.weights * weights - besides.stage_bytes
        return int(room / (self._task.promise.cache_bytes * len(stage.span) / self.manifest.layers))


def _plan_pc(pc: PlayedPc) -> PlanPc:
    machine = pc.machine
    device = PlanDevice(machine.usable_bytes, pc.times, "GPU", DeviceKind.INTEGRATED_GPU, Backend.PAGED)
    return PlanPc(machine.node, machine.name, (device,), pc.disk.chunks, disk_bytes=machine.disk_bytes)


def _ways(pcs: Sequence[PlayedPc]) -> Ways:
    """As all of them would have measured their links."""
    ms = np.array([pc.machine.link_ms for pc in pcs])
    bytes_ms = np.array([pc.machine.net_bytes_s / 1e3 for pc in pcs])
    return Ways(ms[:, None] + ms[None, :], np.minimum(bytes_ms[:, None], bytes_ms[None, :]))
