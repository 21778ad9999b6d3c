"""What each PC of a pipeline is asked to prepare."""

from __future__ import annotations

from collections.abc import Sequence

from idlepool.engine.net.messages import PrepareStage
from idlepool.engine.pool.plan import Assignment
from idlepool.engine.pool.pool_planning import Present, common_precision
from idlepool.engine.types import ElementType, ModelId, NodeId, SessionId


def stage_orders(
    session: SessionId,
    model: ModelId,
    assignments: Sequence[Assignment],
    present: Sequence[Present],
    *,
    before: ElementType | None = None,
) -> list[tuple[NodeId, PrepareStage]]:
    """An order for each PC of a plan. The head, first of those present, has the whole model and is the source.

    `before` is what a pipeline computed in that broke. Where that was f32, which every device has, this one does too:
    an answer that it goes on with stays the same to the bit.
    """
    by_node = {pc.node: pc for pc in present}
    head = present[0].place
    devices = [by_node[a.node].device_called(a.device) for a in assignments]
    wire = ElementType.F32 if before is ElementType.F32 else common_precision(devices)
    following = [by_node[a.node].place for a in assignments[1:]] + [None]
    feeders = [head.node, *(a.node for a in assignments[:-1])]
    return [
        (
            a.node,
            PrepareStage(
                session=session,
                model=model,
                first=a.span.first,
                last=a.span.last,
                device=device.name,
                wire=wire,
                head=head,
                next=next_place,
                source=head,
                feeder=feeder,
            ),
        )
        for a, device, next_place, feeder in zip(assignments, devices, following, feeders, strict=True)
    ]
