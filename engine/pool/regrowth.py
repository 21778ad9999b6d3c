"""Whether a pipeline that nobody uses now should be made anew: more PCs are here than it was made for."""

from __future__ import annotations

from collections.abc import Sequence

from idlepool.engine.errors import NoRoom
from idlepool.engine.events import StageInfo
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.pool.plan_choice import PlanChoice
from idlepool.engine.pool.pool_planning import Present, head_ms, plan_for, task_of
from idlepool.engine.types import NodeId, Span

WORTH = 1.25
"""So many times faster a new plan must be: layers are loaded for it, and what was held of conversations is lost."""


def outgrown(
    model: StoredModel,
    running: Sequence[StageInfo],
    present: Sequence[Present],
    *,
    here: NodeId,
    draft_bytes: int = 0,
    stages: int | None = None,
) -> bool:
    """Whether the PCs that are `present` would be much better than the stages that run; for a thread of its own.

    With a wanted number of `stages`: whether there can be more of them. See planned() for the others.
    """
    if stages is not None:
        return len(running) < min(stages, len(present))
    by_node = {pc.node: pc for pc in present}
    if not all(NodeId(stage.node) in by_node for stage in running):
        return False  # it is about to break
    task, besides_ms = task_of(model, present), head_ms(draft_bytes)
    now = PlanChoice(tuple(stage.name for stage in running), tuple(Span(stage.first, stage.last) for stage in running))
    try:
        best = plan_for(task, model, present, here=here, head_ms=besides_ms)
        kept = plan_for(
            task, model, [by_node[NodeId(stage.node)] for stage in running], here=here, head_ms=besides_ms, choice=now
        )
    except NoRoom:
        return False
    return kept.round_ms > WORTH * best.round_ms
