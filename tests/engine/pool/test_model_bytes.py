"""A span's bytes over a real link: each is verified, none is fetched twice, and what came stays whatever happens."""

from __future__ import annotations

import contextlib
import shutil

import pytest
import pytest_asyncio
from paired import paired

from idlepool.engine.errors import LinkError, ModelDamaged, ModelIncomplete, PeerRefused
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.link import dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello, NodeStatus, WantChunk, WantFile
from idlepool.engine.pool import model_bytes
from idlepool.engine.pool.model_bytes import LinkSource, LocalSource, fetch_span, serve_models
from idlepool.engine.types import Address, ModelId, Span

LAST = Span(3, 4)
WHOLE = Span(0, 4)


class Giver:
    """A PC that has the model; counts what it is asked for and may hang up or say something else."""

    def __init__(self, model) -> None:
        self.model = model
        self.asked = []
        self.hangs_up_after = -1
        giver, self.taker = paired("giver", "taker")
        self.server = LinkServer("127.0.0.1", 0, credentials=giver, on_link=self._serve)

    @contextlib.asynccontextmanager
    async def source(self, model: ModelId | None = None):
        link = await dial(Address("127.0.0.1", self.server.port), Hello("model"), credentials=self.taker)
        source = LinkSource(link, model or self.model.model)
        try:
            yield source
        finally:
            await source.close()

    async def _serve(self, link) -> None:
        giver = self

        class Counted:
            """The link, its questions noted; it ends after so many."""

            async def __aiter__(self):
                async for question in link:
                    if len(giver.asked) == giver.hangs_up_after:
                        return
                    giver.asked.append(question)
                    yield question

            send, send_frame = staticmethod(link.send), staticmethod(link.send_frame)

        await serve_models(Counted(), lambda model: self.model if model == self.model.model else None)


@pytest_asyncio.fixture
async def giver(model, tmp_path):
    """Its weights may be damaged."""
    folder = shutil.copytree(model, tmp_path / "source")
    giver = Giver(ModelStore(tmp_path / "giver").add_folder(folder, name="tiny"))
    await giver.server.start()
    yield giver
    await giver.server.close()


@pytest.fixture
def taken(giver, tmp_path) -> PartialModel:
    """Where the bytes come to."""
    return ModelStore(tmp_path / "taker").partial(giver.model.manifest)


def chunks_asked(giver: Giver) -> list[int]:
    return sorted(question.index for question in giver.asked if isinstance(question, WantChunk))


def damage(giver: Giver, index: int) -> None:
    """One wrong byte in a chunk."""
    with (giver.model.folder / "openvino_model.bin").open("r+b") as file:
        file.seek(giver.model.manifest.chunks[index].offset + 7)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 1]))


async def test_a_span_is_fetched_and_nothing_else(giver, taken):
    steps = []
    async with giver.source() as source:
        assert await source.read_manifest() == giver.model.manifest
        await fetch_span(taken, LAST, source, progress=lambda *step: steps.append(step))
    wanted = taken.manifest.chunks_of(LAST)
    assert chunks_asked(giver) == sorted(wanted)
    assert taken.held == set(wanted)
    assert all(taken.read_chunk(index) == giver.model.read_chunk(index) for index in wanted)
    assert all(taken.read_file(file.name) == giver.model.read_file(file.name) for file in taken.manifest.files)
    assert steps[-1] == (taken.bytes_needed(LAST), taken.bytes_needed(LAST))
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


async def test_what_is_here_is_not_asked_for_again(giver, taken):
    async with giver.source() as source:
        await fetch_span(taken, LAST, source, progress=lambda *_: None)
        giver.asked.clear()
        await fetch_span(taken, WHOLE, source, progress=lambda *_: None)
        again = ModelStore(taken.folder.parents[1]).partial(taken.manifest)  # as after a restart
        await fetch_span(again, WHOLE, source, progress=lambda *_: None)
    assert not [question for question in giver.asked if isinstance(question, WantFile)]
    assert chunks_asked(giver) == sorted(set(taken.manifest.chunks_of(WHOLE)) - set(taken.manifest.chunks_of(LAST)))


async def test_a_large_file_comes_in_pieces(giver, taken, monkeypatch):
    monkeypatch.setattr(model_bytes, "FILE_PIECE", 1000)
    async with giver.source() as source:
        await fetch_span(taken, LAST, source, progress=lambda *_: None)
    assert len([question for question in giver.asked if isinstance(question, WantFile)]) > 10
    assert taken.missing_files() == ()


async def test_wrong_bytes_are_refused_and_right_ones_kept(giver, taken):
    *good, bad = taken.manifest.chunks_of(LAST)
    damage(giver, bad)
    async with giver.source() as source:
        with pytest.raises(ModelDamaged, match=rf"^chunk {bad} of {taken.name} is damaged: its SHA-256 is wrong\."):
            await fetch_span(taken, LAST, source, progress=lambda *_: None)
        assert taken.held <= set(good)
        kept = set(taken.held)
        damage(giver, bad)  # twice is right again
        giver.asked.clear()
        await fetch_span(taken, LAST, source, progress=lambda *_: None)
    assert bad in taken.held
    assert not kept & set(chunks_asked(giver))


@pytest.mark.parametrize("after", [0, 3, 6, 8])
async def test_a_source_that_vanishes_is_told_and_what_came_is_kept(giver, taken, after):
    giver.hangs_up_after = after
    async with giver.source() as source:
        with pytest.raises(LinkError, match="giver"):
            await fetch_span(taken, WHOLE, source, progress=lambda *_: None)
    kept = ModelStore(taken.folder.parents[1]).partial(taken.manifest)
    assert kept.held == taken.held
    giver.hangs_up_after = -1
    async with giver.source() as source:
        await fetch_span(kept, WHOLE, source, progress=lambda *_: None)
    assert kept.missing(WHOLE) == ()


async def test_a_source_without_the_model_says_so(giver):
    async with giver.source(ModelId("f" * 64)) as source:
        with pytest.raises(PeerRefused, match="That model is not here"):
            await source.read_manifest()


async def test_a_source_that_lost_its_files_says_so(giver, taken):
    async with giver.source() as source:
        (giver.model.folder / "openvino_model.bin").write_bytes(b"")
        with pytest.raises(PeerRefused, match=r"openvino_model\.bin is damaged: it ends before byte"):
            await fetch_span(taken, LAST, source, progress=lambda *_: None)


async def test_a_part_gives_what_it_has(giver, taken, tmp_path):
    async with giver.source() as source:
        await fetch_span(taken, LAST, source, progress=lambda *_: None)
    giver.model, manifest = taken, taken.manifest
    other = ModelStore(tmp_path / "third").partial(manifest)
    async with giver.source() as source:
        await fetch_span(other, LAST, source, progress=lambda *_: None)
        with pytest.raises(PeerRefused, match="are missing here"):
            await fetch_span(other, WHOLE, source, progress=lambda *_: None)
    assert other.held == taken.held
    with pytest.raises(ModelIncomplete):
        await fetch_span(other, WHOLE, LocalSource(taken), progress=lambda *_: None)


async def test_a_source_that_talks_unasked_is_hung_up_on(tmp_path, model):
    async def chatter(link) -> None:
        await link.send(NodeStatus(()))
        async for _ in link:
            pass

    giver, taker = paired("chatter", "taker")
    server = LinkServer("127.0.0.1", 0, credentials=giver, on_link=chatter)
    await server.start()
    link = await dial(Address("127.0.0.1", server.port), Hello("model"), credentials=taker)
    source = LinkSource(link, ModelId("f" * 64))
    await link.wait_closed()
    with pytest.raises(LinkError):
        await source.read_chunk(0)
    await source.close()
    await server.close()
