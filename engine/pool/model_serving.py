"""Answering what peers ask of the models here: manifests, small files, which chunks are here, and the chunks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from idlepool.engine.errors import IdlepoolError, LinkError
from idlepool.engine.models.chunk_set import pack_chunks
from idlepool.engine.net.frames import Frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import IDLE_S
from idlepool.engine.net.messages import Message, Refused
from idlepool.engine.net.model_messages import PIECE_BYTES, WantChunk, WantFile, WantHave, WantManifest
from idlepool.engine.pool.bandwidth import Bandwidth
from idlepool.engine.pool.model_source import Local
from idlepool.engine.types import ModelId


async def serve_models(
    link: Link, find: Callable[[ModelId], Local | None], *, cap: Bandwidth | None = None, idle_s: float = IDLE_S
) -> None:
    """Answer a peer's questions on a model link until it closes; the next answer is read while one is sent.

    The link is closed when all is answered and nothing is asked for `idle_s`.
    """
    cap = cap or Bandwidth()
    reader = _Reader(link, find)
    reading = asyncio.create_task(reader.next_answer())
    try:
        with contextlib.suppress(LinkError):  # the peer is gone and waits for nothing
            while (answer := await asyncio.wait_for(reading, idle_s)) is not None:
                reading = asyncio.create_task(reader.next_answer())
                await _send(link, answer, cap)
    except TimeoutError:
        await link.close(f"Nothing was asked for {idle_s:g} s.")
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


class _Reader:
    """The answers to the questions that come over a link, one by one; most questions are about one model."""

    def __init__(self, link: Link, find: Callable[[ModelId], Local | None]) -> None:
        self._questions = aiter(link)
        self._find = find
        self._known: dict[str, Local] = {}

    async def next_answer(self) -> bytes | Refused | None:
        """None: the link is closed."""
        try:
            question = await anext(self._questions)
        except StopAsyncIteration:
            return None
        try:
            return await asyncio.to_thread(_answer, question, self._find_once)
        except IdlepoolError as error:
            return Refused(str(error))
        except OSError as error:
            return Refused(f"It could not be read: {error.strerror or error}.")

    def _find_once(self, model: ModelId) -> Local | None:
        if model not in self._known and (found := self._find(model)) is not None:
            self._known[model] = found
        return self._known.get(model)


async def _send(link: Link, answer: bytes | Refused, cap: Bandwidth) -> None:
    if isinstance(answer, Refused):
        await link.send(answer)
        return
    view = memoryview(answer)
    for start in range(0, len(view) + 1, PIECE_BYTES):
        piece = view[start : start + PIECE_BYTES]
        await cap.take(len(piece))
        await link.send_bytes(piece)


def _answer(question: Message | Frame, find: Callable[[ModelId], Local | None]) -> bytes:
    if not isinstance(question, WantManifest | WantFile | WantHave | WantChunk):
        raise IdlepoolError("That is no question about a model.")
    model = find(ModelId(question.model))
    if model is None:
        raise IdlepoolError("That model is not here.")
    match question:
        case WantManifest():
            return model.manifest.encode()
        case WantFile(name=name):
            if name not in {file.name for file in model.manifest.files}:
                raise IdlepoolError(f"The model has no file called {name[:64]!r}.")
            return model.read_file(name)
        case WantHave():
            return pack_chunks(model.held, len(model.manifest.chunks))
        case WantChunk(index=index):
            if not 0 <= index < len(model.manifest.chunks):
                raise IdlepoolError(f"The model has no chunk {index}.")
            return model.read_chunk(index)
