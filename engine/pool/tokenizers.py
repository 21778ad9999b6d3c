"""The tokenizers of the models that this PC answers with, each loaded once for everybody who asks."""

from __future__ import annotations

import asyncio

from idlepool.engine.models.stored import StoredModel
from idlepool.engine.models.tokenizer import Tokenizer
from idlepool.engine.types import ModelId


class Tokenizers:
    """Loads and keeps them."""

    def __init__(self) -> None:
        self._loading: dict[ModelId, asyncio.Task[Tokenizer]] = {}

    def forget(self, model: ModelId) -> None:
        """Let its files go: they are to be removed."""
        self._loading.pop(model, None)

    async def of(self, model: StoredModel) -> Tokenizer:
        """The model's tokenizer; one that failed to load is tried again.

        Raises:
            IdlepoolError: it cannot be loaded.
        """
        task = self._loading.get(model.model)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._loading[model.model] = asyncio.create_task(asyncio.to_thread(Tokenizer, model.folder))
        return await asyncio.shield(task)  # others wait for the same one
