"""A span's bytes over real links: each is verified, none is fetched twice, and what came stays whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from pathlib import Path

import pytest
import pytest_asyncio
from paired import paired

from idlepool.engine.errors import LinkError, ModelIncomplete, PeerRefused, StorageError
from idlepool.engine.models.partial import PartialModel
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.frames import Frame, FrameKind, encode_frame
from idlepool.engine.net.link import dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello, NodeStatus
from idlepool.engine.net.model_messages import PIECE_BYTES, WantChunk, WantFile, WantHave
from idlepool.engine.pool.bandwidth import Bandwidth
from idlepool.engine.pool.model_bytes import fetch_span
from idlepool.engine.pool.model_serving import serve_models
from idlepool.engine.pool.model_source import LinkSource, LocalSource
from idlepool.engine.types import Address, ElementType, ModelId, SessionId, Span

LAST = Span(3, 4)
WHOLE = Span(0, 4)


class Giver:
    """A PC that has the model; counts what it is asked for and may hang up, say nothing or say something else."""

    def __init__(self, name: str, model, *, credentials, taker) -> None:
        self.name = name
        self.model = model
        self.asked = []
        self.hangs_up_after = -1
        self.silent = asyncio.Event()
        self.sends: object = None
        self._taker = taker
        self.server = LinkServer("127.0.0.1", 0, credentials=credentials, on_link=self._serve)

    def source(self, model: ModelId | None = None, **settings) -> LinkSource:
        return LinkSource(self.name, model or self.model.model, self._connect, **settings)

    async def _connect(self):
        hello = Hello("model", self._taker.identity.node, "taker", 9)
        return await dial(Address("127.0.0.1", self.server.port), hello, credentials=self._taker)

    async def _serve(self, link) -> None:
        if self.sends is not None:
            await self._say_wrong_things(link)
        else:
            await serve_models(_Counted(link, self), lambda id_: self.model if id_ == self.model.model else None)

    async def _say_wrong_things(self, link) -> None:
        with contextlib.suppress(LinkError):
            async for _ in link:
                await (link.send(self.sends) if isinstance(self.sends, NodeStatus) else link.send_frame(self.sends))


class _Counted:
    """A link, its questions noted; it ends after so many, or stops to hear."""

    def __init__(self, link, giver: Giver) -> None:
        self._link = link
        self._giver = giver
        self.send, self.send_bytes = link.send, link.send_bytes

    async def __aiter__(self):
        giver = self._giver
        async for question in self._link:
            if len(giver.asked) == giver.hangs_up_after:
                return
            giver.asked.append(question)
            if giver.silent.is_set() and isinstance(question, WantChunk):
                continue
            yield question


@pytest_asyncio.fixture
async def givers(model, tmp_path):
    """Two PCs with the model; the weights of each may be damaged."""
    taker, *others = paired("taker", "one", "two")
    found = []
    for name, credentials in zip(("one", "two"), others, strict=True):
        folder = shutil.copytree(model, tmp_path / f"source-{name}")
        stored = ModelStore(tmp_path / name).add_folder(folder, name="tiny")
        found.append(Giver(name, stored, credentials=credentials, taker=taker))
        await found[-1].server.start()
    yield found
    for giver in found:
        await giver.server.close()


@pytest.fixture
def giver(givers) -> Giver:
    return givers[0]


@pytest.fixture
def taken(giver, tmp_path) -> PartialModel:
    """Where the bytes come to."""
    return ModelStore(tmp_path / "taker").partial(giver.model.manifest)


def again(taken: PartialModel) -> PartialModel:
    """The same after a restart."""
    return ModelStore(taken.folder.parents[1]).partial(taken.manifest)


async def fetch(taken, span, *sources, cap=None) -> list[tuple[int, int]]:
    """Fetch, close the sources, and tell the progress."""
    steps = []
    try:
        await fetch_span(taken, span, sources, progress=lambda *step: steps.append(step), cap=cap)
    finally:
        for source in sources:
            if isinstance(source, LinkSource):
                await source.close()
    return steps


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
    source = giver.source()
    assert await source.read_manifest() == giver.model.manifest
    steps = await fetch(taken, LAST, source)
    wanted = taken.manifest.chunks_of(LAST)
    assert chunks_asked(giver) == sorted(wanted)
    assert taken.held == set(wanted)
    assert all(taken.read_chunk(index) == giver.model.read_chunk(index) for index in wanted)
    assert all(taken.read_file(file.name) == giver.model.read_file(file.name) for file in taken.manifest.files)
    assert steps[-1] == (taken.bytes_needed(LAST), taken.bytes_needed(LAST))
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


async def test_what_is_here_is_not_asked_for_again(giver, taken):
    await fetch(taken, LAST, giver.source())
    giver.asked.clear()
    await fetch(taken, WHOLE, giver.source())
    await fetch(again(taken), WHOLE, giver.source())
    assert not [question for question in giver.asked if isinstance(question, WantFile)]
    assert chunks_asked(giver) == sorted(set(taken.manifest.chunks_of(WHOLE)) - set(taken.manifest.chunks_of(LAST)))


async def test_all_who_have_it_give_and_no_chunk_comes_twice(givers, taken):
    one, two = givers
    await fetch(taken, WHOLE, one.source(), two.source())
    assert sorted(chunks_asked(one) + chunks_asked(two)) == sorted(taken.manifest.chunks_of(WHOLE))
    assert chunks_asked(one)
    assert chunks_asked(two)


async def test_who_has_a_part_gives_it_and_the_rest_comes_from_others(givers, taken, tmp_path):
    one, two = givers
    part = ModelStore(tmp_path / "two").partial(taken.manifest)
    await fetch(part, LAST, one.source())
    one.asked.clear()
    two.model = part
    await fetch(taken, WHOLE, one.source(), two.source())
    assert taken.missing(WHOLE) == ()
    assert chunks_asked(two)
    assert set(chunks_asked(two)) <= part.held
    other = ModelStore(tmp_path / "third").partial(taken.manifest)
    with pytest.raises(ModelIncomplete, match=r"MB of “\w+” are missing here: no PC in reach has them\."):
        await fetch(other, WHOLE, two.source())
    assert other.held == part.held


async def test_wrong_bytes_are_refused_and_the_right_ones_come_from_another(givers, taken):
    one, two = givers
    bad = max(taken.manifest.chunks_of(LAST))
    damage(one, bad)
    with pytest.raises(ModelIncomplete, match=rf"missing here: one: chunk {bad} of \w+ is damaged: its SHA-256 is wr"):
        await fetch(taken, LAST, one.source())
    kept = set(taken.held)
    assert bad not in kept
    assert again(taken).held == kept
    await fetch(taken, LAST, one.source(), two.source())
    assert taken.missing(LAST) == ()
    assert not kept & set(chunks_asked(two))


@pytest.mark.parametrize("after", [0, 3, 6, 8])
async def test_a_source_that_vanishes_is_told_and_what_came_is_kept(giver, taken, after):
    giver.hangs_up_after = after
    with pytest.raises(ModelIncomplete, match="missing here: one: "):
        await fetch(taken, WHOLE, giver.source())
    kept = again(taken)
    assert kept.held == taken.held
    giver.hangs_up_after = -1
    await fetch(kept, WHOLE, giver.source())
    assert kept.missing(WHOLE) == ()


@pytest.mark.parametrize("after", [0, 3, 8, 12])
async def test_others_go_on_without_a_source_that_vanishes(givers, taken, after):
    one, two = givers
    one.hangs_up_after = after
    await fetch(taken, WHOLE, one.source(), two.source())
    assert taken.missing(WHOLE) == ()


async def test_all_vanished_is_told_with_a_reason_for_each(givers, taken):
    for giver in givers:
        giver.hangs_up_after = 4
    with pytest.raises(ModelIncomplete, match=r"one: .*; two: .*What came is kept"):
        await fetch(taken, WHOLE, *(giver.source() for giver in givers))
    assert again(taken).held == taken.held


async def test_what_a_silent_source_was_asked_for_comes_from_another(givers, taken):
    one, two = givers
    one.silent.set()
    await fetch(taken, WHOLE, one.source(), two.source())
    assert taken.missing(WHOLE) == ()
    assert set(chunks_asked(one)) <= set(chunks_asked(two))


async def test_a_silent_source_that_is_the_only_one_is_given_up(giver, taken):
    giver.silent.set()
    with pytest.raises(ModelIncomplete, match="one: one stopped sending"):
        await fetch(taken, WHOLE, giver.source(silence_s=0.2))


async def test_nobody_there_is_told(givers, taken):
    one, two = givers
    await one.server.close()
    with pytest.raises(ModelIncomplete, match=r"one: Nobody answers at 127\.0\.0\.1"):
        await fetch(taken, WHOLE, one.source())
    await fetch(taken, WHOLE, one.source(), two.source())


async def test_a_source_without_the_model_says_so(givers, taken):
    one, two = givers
    with pytest.raises(PeerRefused, match="That model is not here"):
        await one.source(ModelId("f" * 64)).read_manifest()
    await fetch(taken, WHOLE, one.source(ModelId("f" * 64)), two.source())
    assert taken.missing(WHOLE) == ()


async def test_a_source_that_lost_its_files_says_so(giver, taken):
    (giver.model.folder / "openvino_model.bin").write_bytes(b"")
    with pytest.raises(ModelIncomplete, match="no PC in reach has them"):
        await fetch(taken, LAST, giver.source())
    room = bytearray(4 << 20)
    source = giver.source()
    with pytest.raises(PeerRefused, match="it ends before byte"):
        await source.read_chunk(0, room)
    await source.close()


async def test_a_copy_on_this_pc_is_a_source_too(giver, taken, tmp_path):
    await fetch(taken, LAST, LocalSource(giver.model))
    assert taken.missing(LAST) == ()
    other = ModelStore(tmp_path / "third").partial(taken.manifest)
    with pytest.raises(ModelIncomplete):
        await fetch(other, WHOLE, LocalSource(taken))
    assert other.held == taken.held


def weights_frame(data: bytes) -> bytes:
    return encode_frame(Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, len(data), 1, data))


@pytest.mark.parametrize(
    "said",
    [NodeStatus(()), weights_frame(bytes(PIECE_BYTES)), weights_frame(bytes(2 * PIECE_BYTES)), weights_frame(b"{}")],
    ids=["another message", "no end", "too long", "too short"],
)
async def test_a_source_that_answers_nonsense_is_left_out(givers, taken, said):
    one, two = givers
    one.sends = said
    with pytest.raises(ModelIncomplete, match="one: "):
        await fetch(taken, WHOLE, one.source(silence_s=0.2))
    assert taken.held == frozenset()
    await fetch(taken, WHOLE, one.source(silence_s=0.2), two.source())
    assert taken.missing(WHOLE) == ()


async def test_a_question_that_nobody_waits_for_any_more_spoils_no_other(giver):
    source, rooms = giver.source(), [bytearray(4 << 20) for _ in range(3)]
    await source.have(giver.model.manifest)
    asked = [asyncio.create_task(source.read_chunk(index, rooms[index])) for index in range(3)]
    await asyncio.sleep(0)
    asked[1].cancel()
    first, last = await asked[0], await asked[2]
    assert (first, last) == (giver.model.read_chunk(0), giver.model.read_chunk(2))
    await source.close()


async def test_a_limit_counts_each_byte_once(giver, taken):
    now = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal now
        due = now + seconds
        await asyncio.sleep(0)
        now = max(now, due)  # others sleep at the same time

    cap = Bandwidth(1000, clock=lambda: now, sleep=sleep)
    await fetch(taken, LAST, giver.source(), cap=cap)
    assert now == pytest.approx(taken.bytes_needed(LAST) / 1000)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file that is always full (Linux)")
async def test_a_full_disk_ends_it_with_the_good_chunks_kept(givers, taken):
    await fetch(taken, LAST, givers[0].source())
    weights, kept = taken.folder / "openvino_model.bin", taken.folder / "kept"
    weights.rename(kept)
    weights.symlink_to("/dev/full")
    with pytest.raises(StorageError, match="No space left on device"):
        await fetch(taken, WHOLE, *(giver.source() for giver in givers))
    kept.replace(weights)
    assert again(taken).missing(LAST) == ()
    assert again(taken).missing(WHOLE) == taken.missing(WHOLE) != ()


async def test_what_a_pc_has_is_told_a_bit_a_chunk(giver, taken):
    await fetch(taken, LAST, LocalSource(giver.model))
    giver.model = taken
    source = giver.source()
    assert await source.have(taken.manifest) == taken.held
    assert [type(question) for question in giver.asked] == [WantHave]
    await source.close()
