"""Which function loads a shard in which form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import openvino as ov

from idlepool.engine.backends.base import Shard
from idlepool.engine.backends.load import ShardRequest, load_paged, load_stateful, load_static
from idlepool.engine.errors import ModelCannotBeCut, NoStaticForm
from idlepool.engine.types import Backend

REFUSALS = (RuntimeError, ModelCannotBeCut, NoStaticForm)
"""What a loader raises where the device cannot (OpenVINO's RuntimeError), or where the form does not suit the model:
another device or form may do."""

Loader = Callable[[ov.Core, ShardRequest], Shard]

LOADERS: Mapping[Backend, Loader] = {
    Backend.PAGED: load_paged,
    Backend.STATEFUL: load_stateful,
    Backend.STATIC: load_static,
}
