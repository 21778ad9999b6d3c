"""From the PCs that are here to the stages of a pipeline: what they told becomes what the planner takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import DeviceInfo, Place, StepTimes
from idlepool.engine.pool.plan import HEAD_BYTES, Assignment, Lender, plan
from idlepool.engine.pool.plan_costs import LINK_MS, UNMEASURED_BYTES_MS
from idlepool.engine.pool.plan_task import pc_of, promise_of
from idlepool.engine.pool.planner import Task, plan_pool
from idlepool.engine.types import ElementType, NodeId

DRAFTED = 1
"""What drafting costs the head's PC in a step, in reads of the draft model's weights: two guesses, about, each in half
the time in which a stage gets through as many bytes of its own, with its caches, its rows and its links."""


@dataclass(frozen=True, slots=True)
class Present:
    """A PC that is here and lends, with where it listens."""

    place: Place
    name: str
    device: DeviceInfo
    times: tuple[StepTimes, ...] = ()
    """How fast it was, see NodeStatus."""


def planned(
    model: StoredModel, present: Sequence[Present], *, here: NodeId, draft_bytes: int = 0, stages: int | None = None
) -> tuple[Assignment, ...]:
    """The stages of a pipeline for `model` on some of the PCs that are `present`, of which the first is the head's.

    With a number of stages the first PCs, sharing evenly; else whatever answers one user soonest. `draft_bytes`:
    weights of the draft model that the head runs. Reads the graph file, so it is for a thread of its own.

    Raises:
        NoRoom: the PCs here cannot hold the model; it says how much is missing.
        ModelDamaged: its graph cannot be read.
    """
    drafted = DRAFTED * draft_bytes
    if stages is not None:
        lenders = [Lender(NodeId(pc.place.node), pc.name, pc.device.usable_bytes) for pc in present]
        return plan(model.manifest, lenders, stages=stages, head_bytes=HEAD_BYTES + drafted)
    task = Task(model.manifest, promise_of(model, common_precision(pc.device for pc in present)))
    pcs = [
        pc_of(
            model,
            NodeId(pc.place.node),
            pc.name,
            device=pc.device,
            told=pc.times,
            here=pc.place.node == here,
            head_ms=drafted / UNMEASURED_BYTES_MS,
        )
        for pc in present
    ]
    best = plan_pool(task, pcs, np.full((len(pcs), len(pcs)), LINK_MS))
    return tuple(Assignment(stage.node, stage.name, stage.span) for stage in best.stages)


def common_precision(devices: Iterable[DeviceInfo]) -> ElementType:
    """What all stages compute in: the default of all where that is one type, else f32, which every device has."""
    precisions = {device.precision for device in devices}
    return precisions.pop() if len(precisions) == 1 else ElementType.F32
