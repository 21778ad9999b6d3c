"""The layers that were fetched to this PC's disk: found again, and kept within what the disk has room for.

Whoever is about to fetch asks for room first. Where there is too little, what was not used for longest goes, never what
a stage or another fetch needs; where that is not enough either, nothing is fetched.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import shutil
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from pathlib import Path

from idlepool.engine.disk_errors import NoDiskRoom
from idlepool.engine.errors import StorageError
from idlepool.engine.models.manifest import Manifest
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.bandwidth import Bandwidth
from idlepool.engine.pool.disk_cap import DiskCap, FetchedChunk, Usage, longest_unused
from idlepool.engine.types import ModelId, Span

log = logging.getLogger("idlepool.models")

Use = tuple[ModelId, Span]


class Grant:
    """Room for what one fetch brings; see Cap of model_bytes.py."""

    def __init__(self, wanted: Use, left: int, check: Callable[[int], None], bandwidth: Bandwidth) -> None:
        self.wanted = wanted
        self.left = left
        """Bytes that were promised and have not come."""
        self._check = check
        self._bandwidth = bandwidth

    async def take(self, count: int) -> None:
        """Wait until `count` bytes may come. Raises NoDiskRoom where something else has filled the disk meanwhile."""
        await asyncio.to_thread(self._check, count)
        await self._bandwidth.take(count)
        self.left -= count


class Shelf:
    """What `store` holds of models that were fetched. `cap`: see DiskCap; `in_use`: what stages have loaded."""

    def __init__(
        self,
        store: ModelStore,
        *,
        cap: Callable[[], int | None] = lambda: None,
        in_use: Callable[[], Collection[Use]] = tuple,
        usage: Callable[[Path], Usage] = shutil.disk_usage,
    ) -> None:
        self._store = store
        self._cap = cap
        self._in_use = in_use
        self._usage = usage
        self._partials: dict[ModelId, PartialModel] = {}
        self._opening = threading.Lock()
        self._making_room = asyncio.Lock()
        self._grants: set[Grant] = set()

    def find(self, model: ModelId) -> PartialModel | None:
        """The sparse copy of a model, if there is one: one object for each. Reads the disk."""
        with self._opening:
            if self._opened(model) is None and (known := self._store.known_partial(model)) is not None:
                self._partials[model] = known
            return self._partials.get(model)

    def make(self, manifest: Manifest) -> PartialModel:
        """The sparse copy of a model, made where there is none."""
        with self._opening:
            opened = self._opened(manifest.model)
            if opened is None:
                opened = self._partials[manifest.model] = self._store.partial(manifest)
            return opened

    def all(self) -> tuple[PartialModel, ...]:
        """The sparse copies, the last used first. Reads the disk."""
        found = (self.find(model) for model in self._store.fetched())
        known = [partial for partial in found if partial is not None]
        return tuple(sorted(known, key=lambda partial: -max(partial.last_used.times)))

    def room(self) -> DiskCap:
        """How much there is. Reads the disk."""
        taken = sum(partial.bytes_on_disk for partial in self.all())
        return DiskCap(self._usage(_existing(self._store.root)), taken, self._cap())

    @contextlib.asynccontextmanager
    async def room_for(
        self, manifest: Manifest, span: Span, *, bandwidth: Bandwidth, unused_s: float = 0.0
    ) -> AsyncIterator[tuple[PartialModel, Grant]]:
        """The sparse copy of a model, and room to bring what it lacks of a span, for the length of the block.

        Only what was not used for `unused_s` goes for it.

        Raises:
            NoDiskRoom: there is too little.
            StorageError: the disk is full or read-only.
        """
        async with self._making_room:
            partial = await asyncio.to_thread(self.make, manifest)
            grant = Grant((partial.model, span), _missing(partial, span), self._check_for(partial), bandwidth)
            self._grants.add(grant)
            try:
                if grant.left:
                    await asyncio.to_thread(self._make_room, partial.name, grant, unused_s)
            except BaseException:
                self._grants.discard(grant)
                raise
        try:
            yield partial, grant
            await asyncio.to_thread(partial.last_used.note, span, time.time())
        finally:
            self._grants.discard(grant)

    async def trim(self) -> None:
        """Let go what is over the cap, as far as it is not in use: the cap may have become smaller."""
        async with self._making_room:
            await asyncio.to_thread(self._trim)

    async def clear(self) -> int:
        """Let go all that is not in use; the bytes that the disk got back."""
        async with self._making_room:
            return await asyncio.to_thread(self._clear)

    def _opened(self, model: ModelId) -> PartialModel | None:
        """The one that is known, unless somebody else removed its folder."""
        if model in self._partials and not self._partials[model].folder.is_dir():
            del self._partials[model]
        return self._partials.get(model)

    def _check_for(self, partial: PartialModel) -> Callable[[int], None]:
        def check(count: int) -> None:
            room = DiskCap(self._usage(partial.folder), taken=0, cap=count)
            if room.allowed < count:
                raise NoDiskRoom(partial.name, count, room.allowed, room.limit)

        return check

    def _make_room(self, name: str, grant: Grant, unused_s: float) -> None:
        self._note_use()
        promised = sum(other.left for other in self._grants if other is not grant)
        lacking = grant.left - self.room().room(promised)
        if lacking > 0:
            spare = tuple(self._spare(unused_s))
            if sum(chunk.length for chunk in spare) >= lacking:
                self._let_go(longest_unused(spare, lacking))
        room = self.room()
        if room.room(promised) < grant.left:
            raise NoDiskRoom(name, grant.left, max(0, room.room(promised)), room.limit)

    def _trim(self) -> None:
        self._note_use()
        self._let_go(longest_unused(self._spare(), -self.room().room()))

    def _clear(self) -> int:
        taken = self.room().taken
        self._let_go(self._spare())
        used = {model for model, _ in self._used()}
        for model in self._store.fetched():
            partial = self.find(model)
            if model not in used and (partial is None or not partial.held):  # it cannot be read, or nothing came
                self._forget(model)
        return taken - self.room().taken

    def _let_go(self, chunks: Iterable[FetchedChunk]) -> None:
        going: defaultdict[ModelId, set[int]] = defaultdict(set)
        for chunk in chunks:
            going[chunk.model].add(chunk.index)
        used = {model for model, _ in self._used()}
        for model, indices in going.items():
            partial = self.find(model)
            if partial is None:
                continue
            log.info("%d MB of %s make room", partial.manifest.bytes_of(indices) // 1_000_000, partial.name)
            if partial.held <= indices and model not in used:
                self._forget(model)
            else:
                partial.drop(indices)

    def _forget(self, model: ModelId) -> None:
        with self._opening:
            self._partials.pop(model, None)
            try:
                self._store.forget(model)
            except StorageError as error:  # a process that is about to end has it open (Windows)
                log.warning("%s", error.sentence)

    def _note_use(self) -> None:
        """What stages read is used now, however long ago it was loaded."""
        for model, span in self._in_use():
            partial = self.find(model)
            if partial is not None and span.last <= partial.manifest.layers:
                partial.last_used.note(span, time.time())

    def _used(self) -> list[Use]:
        return [*self._in_use(), *(grant.wanted for grant in self._grants)]

    def _spare(self, unused_s: float = 0.0) -> Iterator[FetchedChunk]:
        """The chunks that no span in use reads and that were not used for so long."""
        used = self._used()
        before = time.time() - unused_s if unused_s else math.inf  # a clock that was set back keeps nothing
        for partial in self.all():
            manifest, times = partial.manifest, partial.last_used.times
            spans = [span for model, span in used if model == partial.model and span.last <= manifest.layers]
            needed = {index for span in spans for index in manifest.chunks_of(span)}
            last = dict.fromkeys(partial.held - needed, 0.0)
            for read, used_at in zip(manifest.layer_chunks, times, strict=True):
                last.update({index: max(last[index], used_at) for index in read if index in last})
            for index, used_at in last.items():
                if used_at < before:
                    yield FetchedChunk(partial.model, index, manifest.chunks[index].length, used_at)


def _missing(partial: PartialModel, span: Span) -> int:
    """Bytes that are to be fetched."""
    small = sum(file.size for file in partial.missing_files())
    return small + partial.manifest.bytes_of(partial.missing(span))


def _existing(folder: Path) -> Path:
    """The folder, or the one above it that exists: a disk is asked about by a path on it."""
    return next(path for path in (folder, *folder.parents) if path.exists())
