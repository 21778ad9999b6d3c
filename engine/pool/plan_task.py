"""From what is known of a model and of the PCs that are here to what the planner takes."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from idlepool.engine.errors import ModelDamaged
from idlepool.engine.graph.cache_size import cache_values
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import DeviceInfo, StepTimes
from idlepool.engine.pool.plan_costs import Promise
from idlepool.engine.types import ElementType, ModelId

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


def times_of(model: ModelId, device: DeviceInfo, told: Iterable[StepTimes]) -> StepTimes | None:
    """The newest of the measurements with a model on a device; None: there is none."""
    return next((times for times in told if times.model == model and times.device == device.name), None)
