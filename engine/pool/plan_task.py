"""From what is known of a model and of the PCs that are here to what the planner takes."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from idlepool.engine.backends.choice import candidates
from idlepool.engine.errors import ModelDamaged
from idlepool.engine.graph.cache_size import cache_values
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import DeviceInfo, StepTimes
from idlepool.engine.net.standby_messages import HeldSpan
from idlepool.engine.pool.plan_costs import PlanDevice, PlanPc, Promise
from idlepool.engine.types import ElementType, NodeId, Span

PROMISED_TOKENS = 8192
"""Of each conversation, unless somebody asks for more or the model has no room for so many."""


def promise_of(model: StoredModel, wire: ElementType, *, context: int | None = None, users: int = 1) -> Promise:
    """What users of a model may count on, where the caches are of the type `wire`. Reads the graph file, once.

    Raises:
        ModelDamaged: it is no graph.
    """
    try:
        values = _cache_values(model.graph, model.graph.stat().st_mtime_ns)
    except (OSError, ElementTree.ParseError) as error:
        raise ModelDamaged(str(model.graph), str(error)) from error
    tokens = min(context or PROMISED_TOKENS, model.manifest.context)
    return Promise(tokens, users, values * wire.size, model.manifest.hidden * wire.size)


@functools.lru_cache(maxsize=16)
def _cache_values(graph: Path, _changed_ns: int) -> int:
    """See cache_values(), which takes half a second: too long for each plan while an answer waits."""
    return cache_values(graph)


def pc_of(
    model: StoredModel,
    node: NodeId,
    name: str,
    *,
    devices: Iterable[DeviceInfo],
    told: Iterable[StepTimes],
    held: Iterable[HeldSpan] = (),
    disk_bytes: int = -1,
    here: bool = False,
    head_ms: float = 0.0,
) -> PlanPc:
    """A PC as the planner takes it, with the newest of its measurements of the model on each device.

    The layers that it says it `held` are on its disk; `here`, where the model was added, are all of them. A PC that
    says nothing of its disk (`disk_bytes` negative, see NodeStatus) is taken for one with room, which still has the
    layers that it ran.
    """
    times = [each for each in told if each.model == model.model]
    spans = [(each.first, each.last) for each in times] if disk_bytes < 0 else []
    spans += [(span.first, span.last) for span in held if span.model == model.model]
    chunks = range(len(model.manifest.chunks)) if here else _chunks(model.manifest, spans)
    room = disk_bytes if disk_bytes >= 0 else math.inf
    return PlanPc(node, name, tuple(_device(each, times) for each in devices), frozenset(chunks), head_ms, room)


def _device(device: DeviceInfo, told: Sequence[StepTimes]) -> PlanDevice:
    times = next((times for times in told if times.device == device.name), None)
    backend = times.backend if times is not None else candidates((device,))[0].backend
    return PlanDevice(device.usable_bytes, times, device.name, device.kind, backend)


def _chunks(manifest: Manifest, spans: Iterable[tuple[int, int]]) -> set[int]:
    known = [Span(first, last) for first, last in spans if 0 <= first < last <= manifest.layers]
    return {chunk for span in known for chunk in manifest.chunks_of(span)}
