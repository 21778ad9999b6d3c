"""Bringing the bytes of a span to this PC, from all sources that have them at once; each chunk is verified.

A chunk is asked of one source at a time, the rarest first. Who vanishes, sends wrong bytes or has none is left out and
the others go on; what a slow one does not bring is asked of another as soon as that one has nothing else to do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from idlepool.engine.errors import IdlepoolError, ModelIncomplete, StorageError
from idlepool.engine.models.chunking import CHUNK_BYTES
from idlepool.engine.models.destination import Destination
from idlepool.engine.pool.bandwidth import Bandwidth, Cap
from idlepool.engine.pool.chunk_board import ChunkBoard, Holder
from idlepool.engine.pool.model_source import ByteSource, why_not
from idlepool.engine.pool.tasks import to_its_end
from idlepool.engine.types import Span

Error = TypeVar("Error", bound=BaseException)

log = logging.getLogger("idlepool.models")

IN_FLIGHT = 3
"""Chunks asked of a source before the first one is there; hides the round trip."""

MOST_SOURCES = 8
"""Asked at the same time; another one is as soon as one of them is done or left out."""

LOOK_S = 0.5
"""How often an idle source looks whether a chunk is slow to come from another one."""


async def fetch_span(
    partial: Destination,
    span: Span,
    sources: Sequence[ByteSource],
    *,
    progress: Callable[[int, int], None],
    cap: Cap | None = None,
) -> None:
    """Bring what `partial` lacks for `span`; what came stays, whatever happens. `progress`: bytes done and in all.

    Raises:
        ModelIncomplete: none of the sources gives what is still missing; it says for each why.
        StorageError: the disk is full, or has no room that layers may take.
    """
    fetch = _Fetch(partial, partial.missing(span), progress, cap or Bandwidth())
    try:
        await fetch.bring_files(sources)
        await fetch.bring_chunks(sources)
    finally:
        await asyncio.to_thread(partial.flush)
    missing = partial.manifest.bytes_of(partial.missing(span)) + sum(file.size for file in partial.missing_files())
    if missing:
        raise ModelIncomplete(partial.name, missing, tuple(fetch.left_out.values()))


class _Fetch:
    """One call of fetch_span()."""

    def __init__(
        self,
        partial: Destination,
        missing: Sequence[int],
        progress: Callable[[int, int], None],
        cap: Cap,
    ) -> None:
        self.left_out: dict[ByteSource, str] = {}
        self._partial = partial
        self._board = ChunkBoard(missing)
        self._changed = asyncio.Condition()
        self._slots = asyncio.Semaphore(MOST_SOURCES)
        self._progress = progress
        self._cap = cap
        files = partial.missing_files()
        self._done = 0
        self._total = sum(file.size for file in files) + partial.manifest.bytes_of(missing)

    async def bring_files(self, sources: Sequence[ByteSource]) -> None:
        """The small files, each from the first source that gives it."""
        for source in sources:
            try:
                for file in self._partial.missing_files():
                    await self._cap.take(file.size)
                    data = await source.read_file(file.name, file.size)
                    await asyncio.to_thread(self._partial.write_file, file.name, data)
                    self._count(file.size)
            except StorageError:
                raise
            except IdlepoolError as error:
                self._leave_out(source, error)

    async def bring_chunks(self, sources: Sequence[ByteSource]) -> None:
        """The chunks, from all sources; ends when all are here or nobody is left who has one of the others."""
        users = {asyncio.create_task(self._use(source)) for source in sources if source not in self.left_out}
        try:
            while users and self._board.missing:
                ended, users = await asyncio.wait(users, return_when=asyncio.FIRST_COMPLETED)
                for user in ended:
                    user.result()
        except ExceptionGroup as errors:
            raise _first(errors) from errors
        finally:
            for user in users:
                user.cancel()
            await asyncio.gather(*users, return_exceptions=True)

    async def _use(self, source: ByteSource) -> None:
        """Take chunks from a source until it has no more that are missing."""
        try:
            async with self._slots:
                holder = self._board.join(await source.have(self._partial.manifest))
                try:
                    async with asyncio.TaskGroup() as group:
                        for _ in range(min(IN_FLIGHT, len(holder.have))):
                            group.create_task(self._take_chunks(source, holder))
                finally:
                    self._board.leave(holder)
        except* StorageError:
            raise
        except* IdlepoolError as errors:
            self._leave_out(source, _first(errors))

    async def _take_chunks(self, source: ByteSource, holder: Holder) -> None:
        room = bytearray(CHUNK_BYTES)
        while (index := await self._next(holder)) is not None:
            length = self._partial.manifest.chunks[index].length
            try:
                await self._cap.take(length)
                data = await source.read_chunk(index, room)
                await to_its_end(asyncio.to_thread(self._partial.write_chunk, index, data))
                if self._board.came(index):
                    self._count(length)
            finally:
                self._board.end(index, holder)
                async with self._changed:
                    self._changed.notify_all()

    async def _next(self, holder: Holder) -> int | None:
        """The chunk to ask a source for; None as soon as it can bring nothing more."""
        while (index := self._board.ask(holder)) is None and self._board.waits(holder):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S), self._changed:
                    await self._changed.wait()
        return index

    def _count(self, size: int) -> None:
        self._done += size
        self._progress(self._done, self._total)

    def _leave_out(self, source: ByteSource, error: IdlepoolError) -> None:
        self.left_out[source] = why_not(source, error)
        log.info("%s", self.left_out[source])


def _first(errors: BaseExceptionGroup[Error]) -> Error:
    """An error out of a group of groups."""
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
