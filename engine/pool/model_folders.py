"""Where this PC has a model, whole or in part, and how a span of it gets here."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakValueDictionary

from idlepool.engine.errors import LinkError, ModelIncomplete, ProtocolError, UnknownModel
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Place, PrepareStage
from idlepool.engine.pool.bandwidth import Bandwidth
from idlepool.engine.pool.hub_source import origin_of
from idlepool.engine.pool.model_bytes import fetch_span
from idlepool.engine.pool.model_serving import serve_models
from idlepool.engine.pool.model_source import ByteSource, LinkSource, Local, LocalSource, why_not
from idlepool.engine.types import ModelId, NodeId, Span

Progress = Callable[[int, int], None]


class ModelFolders:
    """The models of this PC's own `store`; `library` has complete ones that are only read from."""

    def __init__(self, here: NodeId, store: ModelStore, library: ModelStore | None, *, bytes_per_s: int = 0) -> None:
        """`bytes_per_s`: most that is fetched from other PCs, and most that is given to them; 0: no limit."""
        self._here = here
        self._stores = (store, library) if library is not None else (store,)
        self._store = store
        self._partials: dict[ModelId, PartialModel] = {}
        self._opening = threading.Lock()
        self._fetched, self._given = Bandwidth(bytes_per_s), Bandwidth(bytes_per_s)
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
        """Whatever is here of a model: all of it, or a part. Reads the disk."""
        whole = next((found for store in self._stores if (found := store.find(model)) is not None), None)
        return whole or self._known(model)

    async def serve(self, link: Link) -> None:
        """Give a peer what it asks for on a model link, until it closes."""
        await serve_models(link, self.find, cap=self._given)

    async def bring(
        self,
        order: PrepareStage,
        progress: Progress,
        *,
        connect: Callable[[Place], Awaitable[Link]],
        members: Sequence[tuple[str, Place]],
    ) -> Local:
        """See to it that the weights of a stage are here.

        A complete copy of this PC's own serves as it is. Otherwise the span's bytes are kept in a sparse copy, filled
        from the library or, over links, from the order's source and all `members` (name, place) that have some of them.

        Raises:
            ModelIncomplete, StorageError: they are not to be had; what came stays.
        """
        model = ModelId(order.model)
        own = await asyncio.to_thread(self._store.find, model)
        if own is not None:
            return own
        async with self._fetching.setdefault(model, asyncio.Lock()):
            found = await asyncio.to_thread(self.find, model)
            span = Span(order.first, order.last)
            if isinstance(found, StoredModel):
                partial = await asyncio.to_thread(self._made, found.manifest)
                await _fetch(partial, span, [LocalSource(found)], progress)
                return partial
            sources = [
                LinkSource(name, model, functools.partial(connect, place))
                for name, place in _givers(order.source, members)
                if place.node != self._here
            ]
            try:
                partial = found or await self._start(model, sources)
                await _fetch(partial, span, sources, progress, cap=self._fetched)
            finally:
                await asyncio.gather(*(source.close() for source in sources))
            return partial

    async def _start(self, model: ModelId, sources: Sequence[LinkSource]) -> PartialModel:
        """An empty sparse copy, with the manifest of whoever has it."""
        reasons = []
        for source in sources:
            try:
                manifest = await source.read_manifest()
            except (LinkError, ProtocolError) as error:
                reasons.append(why_not(source, error))
            else:
                return await asyncio.to_thread(self._made, manifest)
        raise ModelIncomplete(model[:12], 0, tuple(reasons))

    def _known(self, model: ModelId) -> PartialModel | None:
        """The sparse copy of a model, if there is one: one object for each."""
        with self._opening:
            if model not in self._partials and (known := self._store.known_partial(model)) is not None:
                self._partials[model] = known
            return self._partials.get(model)

    def _made(self, manifest: Manifest) -> PartialModel:
        """The sparse copy of a model, made where there is none."""
        with self._opening:
            if manifest.model not in self._partials:
                self._partials[manifest.model] = self._store.partial(manifest)
            return self._partials[manifest.model]


async def _fetch(
    partial: PartialModel,
    span: Span,
    sources: Sequence[ByteSource],
    progress: Progress,
    *,
    cap: Bandwidth | None = None,
) -> None:
    """From these sources, and what none of them has from where the model came from.

    For layers that the model has not there is nothing to fetch: whoever loads them says so.
    """
    if span.last > partial.manifest.layers:
        return
    try:
        await fetch_span(partial, span, sources, progress=progress, cap=cap)
    except ModelIncomplete as error:
        origin = await asyncio.to_thread(origin_of, partial)
        if origin is None:
            raise
        try:
            await fetch_span(partial, span, [origin], progress=progress, cap=cap)
        except ModelIncomplete as last:
            raise ModelIncomplete(last.name, last.missing_bytes, error.reasons + last.reasons) from last


def _givers(source: Place | None, members: Sequence[tuple[str, Place]]) -> list[tuple[str, Place]]:
    """Whom to ask, each once, the order's source first."""
    known = {place.node: (name, place) for name, place in members}
    first = [known.pop(source.node, ("the head", source))] if source is not None else []
    return first + list(known.values())
