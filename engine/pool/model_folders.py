"""Where this PC has a model, whole or in part, and how a span of it gets here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from idlepool.engine.errors import ModelIncomplete, UnknownModel
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Place, PrepareStage
from idlepool.engine.pool.model_bytes import LinkSource, Local, LocalSource, fetch_span
from idlepool.engine.types import ModelId, NodeId, Span

Progress = Callable[[int, int], None]


class ModelFolders:
    """The models of this PC's own `store`; `library` has complete ones that are only read from."""

    def __init__(self, here: NodeId, store: ModelStore, library: ModelStore | None) -> None:
        self._here = here
        self._stores = (store, library) if library is not None else (store,)
        self._store = store
        self._partials: dict[ModelId, PartialModel] = {}
        self._fetching: WeakValueDictionary[ModelId, asyncio.Lock] = WeakValueDictionary()

    def complete(self) -> tuple[StoredModel, ...]:
        """The complete models that a chat can be opened with."""
        return tuple(model for store in self._stores for model in store.list() if model.complete)

    def named(self, name: str) -> StoredModel:
        """A complete model by name. Raises UnknownModel, ModelDamaged."""
        for store in self._stores:
            if name.casefold() in (known.casefold() for known in store.names()):
                return store.get(name)
        raise UnknownModel(name, tuple(model.name for model in self.complete()))

    def find(self, model: ModelId) -> Local | None:
        """Whatever is here of a model: all of it, or a part."""
        whole = next((found for store in self._stores if (found := store.find(model)) is not None), None)
        return whole or self._partials.get(model)

    async def bring(
        self, order: PrepareStage, progress: Progress, *, connect: Callable[[Place], Awaitable[Link]]
    ) -> Local:
        """See to it that the weights of a stage are here.

        A complete copy of this PC's own serves as it is. Otherwise the span's bytes are kept in a sparse copy, filled
        from the library or, over a link, from the order's source.

        Raises:
            ModelIncomplete, ModelDamaged, LinkError, StorageError: they are not to be had; what came stays.
        """
        model = ModelId(order.model)
        own = await asyncio.to_thread(self._store.find, model)
        if own is not None:
            return own
        async with self._fetching.setdefault(model, asyncio.Lock()):
            found = await asyncio.to_thread(self.find, model)
            if isinstance(found, StoredModel):
                partial = await self._partial(model, found)
                await fetch_span(partial, Span(order.first, order.last), LocalSource(found), progress=progress)
                return partial
            return await self._fetch(order, found, progress, connect)

    async def _fetch(
        self,
        order: PrepareStage,
        known: PartialModel | None,
        progress: Progress,
        connect: Callable[[Place], Awaitable[Link]],
    ) -> PartialModel:
        if order.source is None or order.source.node == self._here:
            raise ModelIncomplete("the model", 0)
        source = LinkSource(await connect(order.source), ModelId(order.model))
        try:
            partial = known or await self._partial(ModelId(order.model), source)
            await fetch_span(partial, Span(order.first, order.last), source, progress=progress)
        finally:
            await source.close()
        return partial

    async def _partial(self, model: ModelId, source: StoredModel | LinkSource) -> PartialModel:
        """The sparse copy of a model, opened or made."""
        if model not in self._partials:
            manifest = source.manifest if isinstance(source, StoredModel) else await source.read_manifest()
            self._partials[model] = await asyncio.to_thread(self._store.partial, manifest)
        return self._partials[model]
