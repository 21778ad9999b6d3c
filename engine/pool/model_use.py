"""Whether the files of a model are read on this PC, and ending that where nobody needs it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from idlepool.engine.disk_errors import ModelInUse
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.pool.hosting import Hosting
from idlepool.engine.pool.pipelines import Pipelines
from idlepool.engine.pool.tokenizers import Tokenizers
from idlepool.engine.types import ModelId, NodeId

LOOKS = 100
LOOK_S = 0.1
"""A stage that was released needs a moment to end its step and to close the files."""


class ModelUse:
    """Of the pipelines and stages of this PC."""

    def __init__(
        self, pipelines: Pipelines, hosting: Hosting, tokenizers: Tokenizers, *, name_of: Callable[[NodeId], str]
    ) -> None:
        self._pipelines = pipelines
        self._hosting = hosting
        self._tokenizers = tokenizers
        self._name_of = name_of

    @property
    def models(self) -> frozenset[ModelId]:
        """Those whose layers are in the memory of this PC."""
        return frozenset(model for model, _ in self._hosting.in_use)

    async def end(self, model: StoredModel) -> None:
        """Free what holds its layers and is not needed at the moment; returns when its files are closed.

        Raises:
            ModelInUse: somebody needs it.
        """
        self._pipelines.give_up(model.model)
        if any(running.model == model.model for running in self._pipelines.running):
            raise ModelInUse(model.name, "it answers a question, or is being loaded for one")
        for stage in self._hosting.guests:
            if stage.order.model == model.model:
                raise ModelInUse(model.name, f"this PC computes with it for {self._name_of(stage.head)}")
        self._tokenizers.forget(model.model)
        for _ in range(LOOKS):
            await self._hosting.free_warm()
            if model.model not in self.models:
                return
            await asyncio.sleep(LOOK_S)
        raise ModelInUse(model.name, "the process that held its layers has not ended yet")
