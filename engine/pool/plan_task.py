"""From what is known of a model and of the PCs that are here to what the planner takes."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from idlepool.engine.errors import ModelDamaged
from idlepool.engine.graph.cache_size import cache_values
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import DeviceInfo, StepTimes
from idlepool.engine.pool.plan_costs import PlanPc, Promise
from idlepool.engine.types import ElementType, NodeId, Span

PROMISED_TOKENS = 8192
"""Of each conversation, unless somebody asks for more or the model has no room for so many."""


def promise_of(model: StoredModel, wire: ElementType, *, context: int | None = None, users: int = 1) -> Promise:
    """What users of a model may count on, where the caches are of the type `wire`. Reads the graph file.

    Raises:
        ModelDamaged: it is no graph.
    """
    try:
        values = cache_values(model.graph)
    except (OSError, ElementTree.ParseError) as error:
        raise ModelDamaged(str(model.graph), str(error)) from error
    tokens = min(context or PROMISED_TOKENS, model.manifest.context)
    return Promise(tokens, users, values * wire.size)


def pc_of(
    model: StoredModel,
    node: NodeId,
    name: str,
    *,
    device: DeviceInfo,
    told: Iterable[StepTimes],
    here: bool = False,
    head_ms: float = 0.0,
) -> PlanPc:
    """A PC as the planner takes it, with the newest of its measurements of the model on that device.

    The layers that it ran then are taken for those on its disk; `here`, where the model was added, are all of them.
    """
    times = next((times for times in told if times.model == model.model and times.device == device.name), None)
    held = frozenset(range(len(model.manifest.chunks))) if here else _chunks(model.manifest, times)
    return PlanPc(node, name, device.usable_bytes, times, held, head_ms)


def _chunks(manifest: Manifest, times: StepTimes | None) -> frozenset[int]:
    if times is None or not 0 <= times.first < times.last <= manifest.layers:
        return frozenset()
    return frozenset(manifest.chunks_of(Span(times.first, times.last)))
