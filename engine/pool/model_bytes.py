"""Model bytes, from PC to PC or from a complete copy on this one: what a span lacks is fetched, each chunk verified.

A source is asked by content only: the model's id, a file's name in the manifest, a chunk's index. No path of a peer is
ever used.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

from idlepool.engine.errors import IdlepoolError, LinkError, PeerRefused
from idlepool.engine.models.manifest import Manifest, decode_manifest
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.frames import Frame, FrameKind, encode_frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Message, Refused, WantChunk, WantFile, WantManifest
from idlepool.engine.types import ElementType, ModelId, SessionId, Span

FILE_PIECE = 4 * 2**20
"""Bytes of a small file in one frame; a shorter frame, perhaps an empty one, is its last."""

ANSWER_S = 60.0
"""How long a question about a model may stay unanswered: 4 MiB over a very slow link."""

IN_FLIGHT = 4
"""Chunks asked for before the first one is there; hides the round trip."""

Local = StoredModel | PartialModel


class ByteSource(Protocol):
    """Where a model's bytes can be had."""

    async def read_file(self, name: str, size: int) -> bytes:
        """A small file of `size` bytes."""

    async def read_chunk(self, index: int) -> bytes:
        """A chunk of the weights."""


class LocalSource:
    """A copy on this PC."""

    def __init__(self, model: Local) -> None:
        self._model = model

    async def read_file(self, name: str, size: int) -> bytes:
        """See ByteSource."""
        return await asyncio.to_thread(self._model.read_file, name)

    async def read_chunk(self, index: int) -> bytes:
        """See ByteSource."""
        return await asyncio.to_thread(self._model.read_chunk, index)


class LinkSource:
    """A peer at the other end of a model link; answers come in the order of the questions."""

    def __init__(self, link: Link, model: ModelId) -> None:
        self._link = link
        self._model = model
        self._waiting: deque[asyncio.Future[bytes]] = deque()
        self._reader = asyncio.create_task(self._read())

    async def read_manifest(self) -> Manifest:
        """The model's manifest; its hash is the model's id, so whoever sends it cannot change it."""
        manifest = decode_manifest(await self._ask(WantManifest(self._model)))
        if manifest.model != self._model:
            raise PeerRefused(str(self._link.peer.address), "it sent another model's manifest")
        return manifest

    async def read_file(self, name: str, size: int) -> bytes:
        """See ByteSource."""
        data = b""
        for index in range(size // FILE_PIECE + 1):
            data += await self._ask(WantFile(self._model, name, index))
        return data

    async def read_chunk(self, index: int) -> bytes:
        """See ByteSource."""
        return await self._ask(WantChunk(self._model, index))

    async def close(self) -> None:
        """Close the link."""
        await self._link.close("done")
        await self._reader

    async def _ask(self, question: Message) -> bytes:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        await self._link.send(question)
        try:
            async with asyncio.timeout(ANSWER_S):
                return await answer
        except TimeoutError:
            raise LinkError(f"{self._link.peer.name} stopped sending the model.") from None

    async def _read(self) -> None:
        async for item in self._link:
            if not self._waiting:
                break
            answer = self._waiting.popleft()
            if answer.done():
                continue
            if isinstance(item, Frame) and item.kind is FrameKind.WEIGHTS:
                answer.set_result(bytes(item.payload))
            else:
                reason = item.sentence if isinstance(item, Refused) else "it answered something else"
                answer.set_exception(PeerRefused(str(self._link.peer.address), reason))
        await self._link.close("Nothing was asked.")
        for answer in self._waiting:
            if not answer.done():
                answer.set_exception(LinkError(f"{self._link.peer.name} stopped sending the model."))


async def fetch_span(
    partial: PartialModel, span: Span, source: ByteSource, *, progress: Callable[[int, int], None]
) -> None:
    """Bring what `partial` lacks for `span` from `source`; what came stays, whatever happens.

    Raises:
        ModelDamaged: the source sent wrong bytes.
        StorageError: the disk is full.
        LinkError, PeerRefused, ModelIncomplete: the source has not or gives not.
    """
    files = partial.missing_files()
    missing = partial.missing(span)
    done, total = 0, sum(f.size for f in files) + partial.manifest.bytes_of(missing)
    slots = asyncio.Semaphore(IN_FLIGHT)

    async def bring(index: int) -> None:
        nonlocal done
        async with slots:
            data = await source.read_chunk(index)
            await asyncio.to_thread(partial.write_chunk, index, data)
        done += len(data)
        progress(done, total)

    try:
        for file in files:
            data = await source.read_file(file.name, file.size)
            await asyncio.to_thread(partial.write_file, file.name, data)
            done += len(data)
            progress(done, total)
        async with asyncio.TaskGroup() as group:
            for index in missing:
                group.create_task(bring(index))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors
    finally:
        await asyncio.to_thread(partial.flush)


async def serve_models(link: Link, find: Callable[[ModelId], Local | None]) -> None:
    """Answer a peer's questions on a model link until it closes; most are about one model, looked up once."""
    known: dict[str, Local] = {}

    def find_once(model: ModelId) -> Local | None:
        if model not in known and (found := find(model)) is not None:
            known[model] = found
        return known.get(model)

    async for question in link:
        try:
            data = await asyncio.to_thread(_answer, question, find_once)
        except IdlepoolError as error:
            await link.send(Refused(str(error)))
            continue
        frame = Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, len(data), 1, data)
        await link.send_frame(encode_frame(frame))


def _answer(question: Message | Frame, find: Callable[[ModelId], Local | None]) -> bytes:
    if not isinstance(question, WantManifest | WantFile | WantChunk):
        raise IdlepoolError("That is no question about a model.")
    model = find(ModelId(question.model))
    if model is None:
        raise IdlepoolError("That model is not here.")
    match question:
        case WantManifest():
            return model.manifest.encode()
        case WantFile(name=name, piece=piece):
            if name not in {file.name for file in model.manifest.files}:
                raise IdlepoolError(f"The model has no file called {name[:64]!r}.")
            return model.read_file(name)[max(piece, 0) * FILE_PIECE :][:FILE_PIECE]
        case WantChunk(index=index):
            if not 0 <= index < len(model.manifest.chunks):
                raise IdlepoolError(f"The model has no chunk {index}.")
            return model.read_chunk(index)
