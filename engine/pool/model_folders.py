"""Where this PC has a model, whole or in part, and how a span of it gets here."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

from idlepool.engine.errors import LinkError, ModelIncomplete, ProtocolError, UnknownModel
from idlepool.engine.models.destination import Destination
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.models.mend import MendedModel
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Place, PrepareStage
from idlepool.engine.net.question_messages import WholeModel
from idlepool.engine.net.standby_messages import HeldSpan, StageAhead
from idlepool.engine.pool.bandwidth import Bandwidth, Cap
from idlepool.engine.pool.hub_source import origin_of
from idlepool.engine.pool.model_bytes import fetch_span
from idlepool.engine.pool.model_serving import serve_models
from idlepool.engine.pool.model_source import ByteSource, LinkSource, Local, LocalSource, why_not
from idlepool.engine.pool.shelf import Shelf
from idlepool.engine.types import ModelId, NodeId, Span

Progress = Callable[[int, int], None]
Connect = Callable[[Place], Awaitable[Link]]
Member = tuple[str, Place]
"""Its name, and where it listens."""

AHEAD_BYTES_PER_S = 20_000_000
"""Most that is fetched ahead in a second: a sixth of what an office network carries."""

UNUSED_S = 24 * 3600.0
"""Only what was not used for so long goes for what is fetched ahead."""

MOST_TOLD = 64
"""Models of which others are told what is held, the last used first."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be brought, and whether only because it may be needed."""

    model: ModelId
    span: Span
    progress: Progress = lambda done, total: None
    ahead: bool = False


class ModelFolders:
    """The models of this PC's own `store`; `library` has complete ones that are only read from.

    `shelf` keeps what is fetched within the disk's room.
    """

    def __init__(
        self,
        here: NodeId,
        store: ModelStore,
        library: ModelStore | None,
        *,
        connect: Connect,
        members: Callable[[], Sequence[Member]] = tuple,
        bytes_per_s: int = 0,
        shelf: Shelf | None = None,
        on_held: Callable[[], None] = lambda: None,
    ) -> None:
        """`connect` opens a model link to one of the `members`, which are the PCs that are present. `bytes_per_s`: most
        that is fetched, and most that is given to others; 0: no limit. `on_held` hears that `held` changed.
        """
        self.held: tuple[HeldSpan, ...] = ()
        """The layers that can be loaded without fetching any, as of the last look()."""
        self.disk_bytes = -1
        """See NodeStatus; as of the last look()."""
        self.fetched_bytes = 0
        """What fetched layers take on the disk; as of the last look()."""
        self.told: tuple[WholeModel, ...] = ()
        """The complete models that others may ask about; as of the last look()."""
        self._here = here
        self._connect = connect
        self._members = members
        self._stores = (store, library) if library is not None else (store,)
        self._store = store
        self._shelf = shelf or Shelf(store)
        self._on_held = on_held
        self._fetched, self._given, self._ahead = Bandwidth(), Bandwidth(), Bandwidth()
        self.limit(bytes_per_s)
        self._fetching: WeakValueDictionary[ModelId, asyncio.Lock] = WeakValueDictionary()

    @property
    def fetch_cap(self) -> Cap:
        """What everybody asks who fetches something of a model for somebody on this PC."""
        return self._fetched

    def limit(self, bytes_per_s: int) -> None:
        """Another limit holds from now on, also for what is under way; 0: none."""
        self._fetched.limit(bytes_per_s)
        self._given.limit(bytes_per_s)
        self._ahead.limit(min(bytes_per_s or AHEAD_BYTES_PER_S, AHEAD_BYTES_PER_S))

    def complete(self) -> tuple[StoredModel, ...]:
        """The complete models that a chat can be opened with."""
        return tuple(model for store in self._stores for model in store.list() if model.complete)

    def fetched(self) -> tuple[PartialModel, ...]:
        """What is here of models of which not all is here, the last used first. Reads the disk."""
        return self._shelf.all()

    def named(self, name: str) -> StoredModel:
        """A complete model by name. Raises UnknownModel, ModelDamaged."""
        for store in self._stores:
            if name.casefold() in (known.casefold() for known in store.names()):
                return store.get(name)
        raise UnknownModel(name, tuple(model.name for model in self.complete()))

    def whole(self, model: ModelId) -> StoredModel | None:
        """A complete model by its id. Reads the disk."""
        return next((found for store in self._stores if (found := store.find(model)) is not None), None)

    def find(self, model: ModelId) -> Local | None:
        """Whatever is here of a model: all of it, or a part. Reads the disk."""
        return self.whole(model) or self._shelf.find(model)

    async def look(self) -> None:
        """See what is here: at the start, and when models were added or removed."""
        seen = await asyncio.to_thread(self._look)
        if seen != (self.held, self.told, self.disk_bytes):
            self.held, self.told, self.disk_bytes = seen
            self._on_held()

    async def trim(self) -> None:
        """Let go what is over the cap of the disk, which may have become smaller."""
        await self._shelf.trim()
        await self.look()

    async def clean(self) -> tuple[int, int]:
        """Remove the layers that were fetched, but for those in use: the bytes that went, and those that stayed."""
        went = await self._shelf.clear()
        await self.look()
        return went, self.fetched_bytes

    async def serve(self, link: Link) -> None:
        """Give a peer what it asks for on a model link, until it closes."""
        await serve_models(link, self.find, cap=self._given)

    async def bring(self, order: PrepareStage, progress: Progress) -> Local:
        """See to it that the weights of a stage are here.

        A complete copy of this PC's own serves as it is. Otherwise the span's bytes are kept in a sparse copy, filled
        from the library or, over links, from the order's source and all members that have some of them.

        Raises:
            ModelIncomplete, StorageError: they are not to be had; what came stays.
        """
        wanted = _Wanted(ModelId(order.model), Span(order.first, order.last), progress)
        return await self._bring(wanted, _givers(order.source, self._members()))

    async def bring_ahead(self, order: StageAhead) -> None:
        """Fetch what may be needed: slowly, and from PCs of the pool only.

        Raises:
            ModelIncomplete, StorageError: it is not to be had; what came stays.
        """
        wanted = _Wanted(ModelId(order.model), Span(order.first, order.last), ahead=True)
        await self._bring(wanted, _givers(order.source, self._members()))

    async def mend(self, damaged: MendedModel, progress: Progress) -> None:
        """Bring what is wrong of a complete model, from all members that have it, or from where it came.

        Raises:
            ModelIncomplete, StorageError: it is not to be had; what came stays.
        """
        wanted = _Wanted(damaged.manifest.model, Span(0, damaged.manifest.layers), progress)
        sources = self._sources(wanted.model, self._members())
        try:
            await asyncio.to_thread(damaged.begin)
            await _fetch(damaged, wanted, sources, self._fetched)
        finally:
            await asyncio.gather(*(source.close() for source in sources))
            await self.look()

    async def _bring(self, wanted: _Wanted, givers: Sequence[Member]) -> Local:
        model = wanted.model
        own = await asyncio.to_thread(self._store.find, model)
        if own is not None:
            return own
        async with self._fetching.setdefault(model, asyncio.Lock()):
            found = await asyncio.to_thread(self.find, model)
            if isinstance(found, StoredModel):
                return await self._fill(found.manifest, wanted, [LocalSource(found)], Bandwidth())
            sources = self._sources(model, givers)
            try:
                manifest = found.manifest if found is not None else await _manifest_of(model, sources)
                return await self._fill(manifest, wanted, sources, self._ahead if wanted.ahead else self._fetched)
            finally:
                await asyncio.gather(*(source.close() for source in sources))

    async def _fill(
        self, manifest: Manifest, wanted: _Wanted, sources: Sequence[ByteSource], bandwidth: Bandwidth
    ) -> PartialModel:
        """The sparse copy with the span in it. Layers that the model has not are none to fetch: who loads says so."""
        if wanted.span.last > manifest.layers:
            return await asyncio.to_thread(self._shelf.make, manifest)
        unused_s = UNUSED_S if wanted.ahead else 0.0
        room = self._shelf.room_for(manifest, wanted.span, bandwidth=bandwidth, unused_s=unused_s)
        async with room as (partial, grant):
            if grant.left:
                try:
                    await _fetch(partial, wanted, sources, grant)
                finally:
                    await self.look()
            return partial

    def _sources(self, model: ModelId, givers: Sequence[Member]) -> list[LinkSource]:
        """The others of them."""
        return [
            LinkSource(name, model, functools.partial(self._connect, place))
            for name, place in givers
            if place.node != self._here
        ]

    def _look(self) -> tuple[tuple[HeldSpan, ...], tuple[WholeModel, ...], int]:
        whole = self.complete()
        parts = self._shelf.all()[:MOST_TOLD]
        held = [HeldSpan(model.model, 0, model.manifest.layers) for model in whole]
        held += [HeldSpan(part.model, span.first, span.last) for part in parts for span in part.spans]
        told = tuple(
            WholeModel(model.model, model.name, model.manifest.layers, model.manifest.context, model.bytes_in_all)
            for model in whole[:MOST_TOLD]
        )
        room = self._shelf.room()
        self.fetched_bytes = room.taken
        return tuple(held), told, room.allowed


async def _manifest_of(model: ModelId, sources: Sequence[LinkSource]) -> Manifest:
    """The manifest of a model, from whoever has it. Raises ModelIncomplete."""
    reasons = []
    for source in sources:
        try:
            return await source.read_manifest()
        except (LinkError, ProtocolError) as error:
            reasons.append(why_not(source, error))
    raise ModelIncomplete(model[:12], 0, tuple(reasons))


async def _fetch(partial: Destination, wanted: _Wanted, sources: Sequence[ByteSource], cap: Cap) -> None:
    """From these sources, and what none of them has from where the model came from, unless it is only fetched ahead."""
    span, progress = wanted.span, wanted.progress
    try:
        await fetch_span(partial, span, sources, progress=progress, cap=cap)
    except ModelIncomplete as error:
        origin = None if wanted.ahead else await asyncio.to_thread(origin_of, partial)
        if origin is None:
            raise
        try:
            await fetch_span(partial, span, [origin], progress=progress, cap=cap)
        except ModelIncomplete as last:
            raise ModelIncomplete(last.name, last.missing_bytes, error.reasons + last.reasons) from last


def _givers(source: Place | None, members: Sequence[Member]) -> list[Member]:
    """Whom to ask, each once, the order's source first."""
    known = {place.node: (name, place) for name, place in members}
    first = [known.pop(source.node, ("the head", source))] if source is not None else []
    return first + list(known.values())
