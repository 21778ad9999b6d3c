"""Where a model's bytes can be had: a copy on this PC, or a peer at the other end of a model link.

A source is asked by content only: the model's id, a file's name in the manifest, a chunk's index. No path of a peer is
ever used.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from idlepool.engine.errors import IdlepoolError, LinkError, PeerRefused
from idlepool.engine.models.chunk_set import unpack_chunks
from idlepool.engine.models.manifest import MOST_MANIFEST_BYTES, Manifest, decode_manifest
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Message, Refused
from idlepool.engine.net.model_messages import PIECE_BYTES, WantChunk, WantFile, WantHave, WantManifest
from idlepool.engine.types import ModelId

SILENCE_S = 15.0
"""How long a peer that was asked may send nothing at all."""

Local = StoredModel | PartialModel


class ByteSource(Protocol):
    """Where a model's bytes can be had. What it gives is not verified. Each method raises an IdlepoolError for the one
    reason why it cannot give."""

    name: str
    """For people."""

    async def have(self, manifest: Manifest) -> frozenset[int]:
        """Indices of the chunks that can be had here."""

    async def read_file(self, name: str, size: int) -> bytes | memoryview:
        """A small file of `size` bytes."""

    async def read_chunk(self, index: int, room: bytearray) -> bytes | memoryview:
        """A chunk of the weights. `room`, of CHUNK_BYTES, may be used for it; it is the caller's again afterwards."""


class LocalSource:
    """A copy on this PC."""

    def __init__(self, model: Local) -> None:
        self.name = model.name
        self._model = model

    async def have(self, manifest: Manifest) -> frozenset[int]:
        """See ByteSource."""
        return await asyncio.to_thread(lambda: self._model.held)

    async def read_file(self, name: str, size: int) -> bytes:
        """See ByteSource."""
        return await asyncio.to_thread(self._model.read_file, name)

    async def read_chunk(self, index: int, room: bytearray) -> bytes:
        """See ByteSource."""
        return await asyncio.to_thread(self._model.read_chunk, index)


class _Answer:
    """What came of the answer to one question."""

    def __init__(self, room: bytearray, most: int) -> None:
        self.whole: asyncio.Future[memoryview] = asyncio.get_running_loop().create_future()
        self._room = room
        self._most = most
        self._filled = 0
        self._piece: memoryview = memoryview(b"")

    def room_for(self, size: int) -> memoryview:
        """Where the next piece goes.

        Raises:
            LinkError: more comes than can be right.
        """
        end = self._filled + size
        if size > PIECE_BYTES or end > self._most:
            raise LinkError(f"it sent more than the {self._most:,} bytes that were asked for")
        fits = end <= len(self._room) and not self.whole.done()  # else nobody waits for it any more
        self._piece = memoryview(self._room)[self._filled : end] if fits else memoryview(bytearray(size))
        return self._piece

    def filled(self) -> bool:
        """The piece is there; True where it was the last one."""
        size = len(self._piece)
        end = self._filled + size
        if end > len(self._room) and not self.whole.done():
            self._room += self._piece
        self._piece, self._filled = memoryview(b""), end
        if size == PIECE_BYTES:
            return False
        if not self.whole.done():
            self.whole.set_result(memoryview(self._room)[:end])
        return True

    def fail(self, error: IdlepoolError) -> None:
        """Nothing more will come of it."""
        if not self.whole.done():
            self.whole.set_exception(error)


class LinkSource:
    """A peer. The link is opened at the first question, and again after the peer ended it because nothing was asked;
    answers come in the order of the questions."""

    def __init__(
        self, name: str, model: ModelId, connect: Callable[[], Awaitable[Link]], *, silence_s: float = SILENCE_S
    ) -> None:
        self.name = name
        self._model = model
        self._connect = connect
        self._silence_s = silence_s
        self._opening = asyncio.Lock()
        self._link: Link | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: deque[_Answer] = deque()
        self._heard = 0.0
        self._why = ""
        """The link ended."""

    async def read_manifest(self) -> Manifest:
        """The model's manifest; its hash is the model's id, so whoever sends it cannot change it."""
        data = await self._ask(WantManifest(self._model), bytearray(), most=MOST_MANIFEST_BYTES)
        manifest = await asyncio.to_thread(decode_manifest, data)
        if manifest.model != self._model:
            raise LinkError("it sent another model's manifest")
        return manifest

    async def have(self, manifest: Manifest) -> frozenset[int]:
        """See ByteSource."""
        count = len(manifest.chunks)
        return unpack_chunks(await self._ask(WantHave(self._model), bytearray(), most=count), count)

    async def read_file(self, name: str, size: int) -> memoryview:
        """See ByteSource."""
        return await self._ask(WantFile(self._model, name), bytearray(), most=size)

    async def read_chunk(self, index: int, room: bytearray) -> memoryview:
        """See ByteSource."""
        return await self._ask(WantChunk(self._model, index), room, most=len(room))

    async def close(self) -> None:
        """Close the link. Idempotent."""
        if self._link is not None and self._reader is not None:
            await self._link.close("done")
            await self._reader

    async def _ask(self, question: Message, room: bytearray, *, most: int) -> memoryview:
        async with self._opening:
            link = self._link if self._link and self._reader and not self._reader.done() else await self._open()
        clock = asyncio.get_running_loop().time
        if not self._waiting:
            self._heard = clock()
        answer = _Answer(room, most)
        self._waiting.append(answer)
        try:
            await link.send(question)
            while not (await asyncio.wait({answer.whole}, timeout=self._silence_s))[0]:
                if clock() - self._heard >= self._silence_s:
                    raise LinkError(f"{self.name} stopped sending.")
            return answer.whole.result()
        finally:
            answer.whole.cancel()

    async def _open(self) -> Link:
        self._link = link = await self._connect()
        self._why = f"{self.name} stopped sending."
        link.divert(self)
        self._reader = asyncio.create_task(self._read(link))
        return link

    async def _read(self, link: Link) -> None:
        async for _ in link:  # ends when the link does; what comes over it is diverted
            pass
        for answer in self._waiting:
            answer.fail(LinkError(self._why))
        self._waiting.clear()

    # --- as a Sink -----------------------------------------------------------------------------------------------

    def heard(self) -> None:
        """See Sink."""
        self._heard = asyncio.get_running_loop().time()

    def room_for(self, size: int) -> memoryview:
        """See Sink."""
        if not self._waiting:
            raise LinkError("What was sent was not asked for.")
        try:
            return self._waiting[0].room_for(size)
        except LinkError as error:
            self._why = error.sentence
            raise

    def filled(self) -> None:
        """See Sink."""
        if self._waiting[0].filled():
            self._waiting.popleft()

    def take(self, message: Message) -> None:
        """See Sink."""
        if not self._waiting or not isinstance(message, Refused):
            self._why = "it answered something else"
            raise LinkError(self._why)
        self._waiting.popleft().fail(PeerRefused(self.name, message.sentence))


def why_not(source: ByteSource, error: IdlepoolError) -> str:
    """Why a source gives nothing, for people."""
    reason = error.reason if isinstance(error, PeerRefused) else error.sentence
    return f"{source.name}: {reason.rstrip('.')}"
