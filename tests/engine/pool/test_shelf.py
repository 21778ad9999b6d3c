"""Fetched layers within the disk's room: what goes, what stays, and what is said where there is no room."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from small_disk import small_disk
from tiny_model import TinyShape, build_tiny_model

from idlepool.engine.disk_errors import NoDiskRoom
from idlepool.engine.errors import StorageError
from idlepool.engine.models.store import ModelStore
from idlepool.engine.pool.bandwidth import Bandwidth
from idlepool.engine.pool.model_bytes import fetch_span
from idlepool.engine.pool.model_source import LocalSource
from idlepool.engine.pool.shelf import Shelf
from idlepool.engine.types import Span

SHAPE = TinyShape(layers=6, hidden=256, vocabulary=500, inner=1024)
"""About 4 MB a layer: blocks of the disk do not count."""


@dataclass
class Disk:
    """One that is as full as a test says."""

    total: int = 10**12
    free: int = 10**11


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    store = ModelStore(tmp_path_factory.mktemp("whole"))
    folder = tmp_path_factory.mktemp("models")
    return [store.add_folder(build_tiny_model(folder / f"m{n}", SHAPE, seed=n), name=f"m{n}") for n in range(3)]


class Fetcher:
    """A PC's shelf with a cap."""

    def __init__(self, root) -> None:
        self.root = root
        self.cap: int | None = None
        self.disk: Disk | None = Disk()
        self.in_use: list = []
        self.shelf = self.opened()

    def opened(self) -> Shelf:
        return Shelf(ModelStore(self.root), cap=lambda: self.cap, in_use=lambda: self.in_use, usage=self._usage)

    def _usage(self, path: Path):
        return self.disk or shutil.disk_usage(path)

    async def fetch(self, model, span, *, on_bytes=lambda done, total: None, **settings) -> None:
        room = self.shelf.room_for(model.manifest, span, bandwidth=Bandwidth(), **settings)
        async with room as (partial, grant):
            await fetch_span(partial, span, [LocalSource(model)], progress=on_bytes, cap=grant)

    def spans(self, model) -> tuple[Span, ...]:
        partial = self.shelf.find(model.model)
        return partial.spans if partial is not None else ()

    @property
    def taken(self) -> int:
        return self.shelf.room().taken


@pytest_asyncio.fixture
async def fetcher(tmp_path) -> Fetcher:
    return Fetcher(tmp_path)


def size(model, *spans) -> int:
    """Room for these layers, and a little."""
    manifest = model.manifest
    chunks = {index for span in spans for index in manifest.chunks_of(span)}
    return int(1.03 * manifest.bytes_of(chunks)) + 3 * sum(file.size for file in manifest.files) + 100_000


async def test_the_model_that_was_not_used_for_longest_goes_first(fetcher, models):
    first, second, third = models
    fetcher.cap = 2 * size(first, Span(1, 3))
    await fetcher.fetch(first, Span(1, 3))
    await fetcher.fetch(second, Span(1, 3))
    await fetcher.fetch(first, Span(1, 3))  # used again, without fetching
    await fetcher.fetch(third, Span(1, 3))
    assert [fetcher.spans(model) for model in models] == [(Span(1, 3),), (), (Span(1, 3),)]
    assert fetcher.taken <= fetcher.cap


async def test_of_one_model_the_layers_go_that_were_not_used_for_longest(fetcher, models):
    model, *_ = models
    fetcher.cap = size(model, Span(1, 4))
    await fetcher.fetch(model, Span(1, 3))
    await fetcher.fetch(model, Span(3, 4))
    await fetcher.fetch(model, Span(2, 3))
    await fetcher.fetch(model, Span(4, 5))
    assert fetcher.spans(model) == (Span(2, 5),)
    assert fetcher.taken <= fetcher.cap
    partial = fetcher.opened().find(model.model)
    assert partial.spans == (Span(2, 5),)
    assert all(partial.read_chunk(index) == model.read_chunk(index) for index in partial.held)


async def test_what_stages_use_stays_and_where_that_leaves_no_room_nothing_goes(fetcher, models):
    first, second, third = models
    fetcher.cap = size(first, Span(1, 3)) + size(second, Span(1, 3))
    await fetcher.fetch(first, Span(1, 3))
    await fetcher.fetch(second, Span(1, 3))
    fetcher.in_use = [(first.model, Span(1, 3))]
    await fetcher.fetch(third, Span(1, 3))
    assert [bool(fetcher.spans(model)) for model in models] == [True, False, True]
    with pytest.raises(NoDiskRoom, match=r"need \d+\.\d MB more of the disk.*may take 0\.\d GB of it.*models clean"):
        await fetcher.fetch(second, Span(1, 6))
    assert [bool(fetcher.spans(model)) for model in models] == [True, False, True]


async def test_what_is_here_can_be_used_on_a_full_disk(fetcher, models):
    model, *_ = models
    await fetcher.fetch(model, Span(1, 3))
    fetcher.disk = Disk(free=0)
    await fetcher.fetch(model, Span(2, 3))
    with pytest.raises(NoDiskRoom, match=r"5\.0 GB of it are always left free"):
        await fetcher.fetch(model, Span(3, 4))


async def test_a_disk_that_fills_up_meanwhile_ends_the_fetch_and_good_chunks_stay(fetcher, models):
    model, *_ = models

    def fill(done: int, total: int) -> None:
        if done > total / 2:
            fetcher.disk = replace(fetcher.disk, free=5_000_000_000)

    with pytest.raises(NoDiskRoom, match="always left free"):
        await fetcher.fetch(model, Span(0, 6), on_bytes=fill)
    came = fetcher.opened().find(model.model).held
    assert came
    fetcher.disk = Disk()
    total = 0

    def note(done: int, in_all: int) -> None:
        nonlocal total
        total = in_all

    await fetcher.fetch(model, Span(0, 6), on_bytes=note)
    assert 0 < total <= model.manifest.bytes_of(set(range(len(model.manifest.chunks))) - came)


async def test_what_is_fetched_ahead_takes_the_place_of_nothing_that_was_used_lately(fetcher, models):
    first, second, _ = models
    fetcher.cap = size(first, Span(1, 3))
    await fetcher.fetch(first, Span(1, 3))
    with pytest.raises(NoDiskRoom):
        await fetcher.fetch(second, Span(1, 3), unused_s=3600)
    assert fetcher.spans(first) == (Span(1, 3),)
    fetcher.shelf.find(first.model).last_used._times[:] = [0.0] * 6
    await fetcher.fetch(second, Span(1, 3), unused_s=3600)
    assert fetcher.spans(first) == ()


async def test_two_fetches_at_once_do_not_share_the_same_room(fetcher, models):
    first, second, _ = models
    fetcher.cap = int(1.5 * size(first, Span(1, 3)))
    async with fetcher.shelf.room_for(first.manifest, Span(1, 3), bandwidth=Bandwidth()) as (partial, grant):
        with pytest.raises(NoDiskRoom):
            await fetcher.fetch(second, Span(1, 3))
        await fetch_span(partial, Span(1, 3), [LocalSource(first)], progress=lambda *_: None, cap=grant)
        assert grant.left == 0
    await fetcher.fetch(second, Span(1, 3))
    assert fetcher.spans(first) != fetcher.spans(second) == (Span(1, 3),)
    assert fetcher.taken <= fetcher.cap


async def test_a_smaller_cap_holds_at_once_but_for_what_is_in_use(fetcher, models):
    for model in models:
        await fetcher.fetch(model, Span(1, 3))
    fetcher.in_use = [(models[0].model, Span(1, 2))]
    fetcher.cap = size(models[0], Span(1, 3))
    await fetcher.shelf.trim()
    assert 0 < fetcher.taken <= fetcher.cap
    fetcher.cap = 0
    await fetcher.shelf.trim()
    assert [fetcher.spans(model) for model in models] == [(Span(1, 2),), (), ()]
    assert ModelStore(fetcher.root).fetched() == (models[0].model,)


async def test_a_fetch_that_has_brought_nothing_yet_keeps_its_folder(fetcher, models):
    first, *_ = models
    async with fetcher.shelf.room_for(first.manifest, Span(1, 3), bandwidth=Bandwidth()) as (partial, grant):
        await fetch_span(partial, Span(3, 4), [LocalSource(first)], progress=lambda *_: None)
        fetcher.cap = 0
        await fetcher.shelf.trim()
        assert partial.spans == ()
        await fetch_span(partial, Span(1, 3), [LocalSource(first)], progress=lambda *_: None, cap=grant)
    assert fetcher.spans(first) == (Span(1, 3),)


async def test_a_folder_that_somebody_else_removed_is_made_anew(fetcher, models):
    model, *_ = models
    await fetcher.fetch(model, Span(1, 3))
    shutil.rmtree(fetcher.shelf.find(model.model).folder)
    assert fetcher.shelf.find(model.model) is None
    await fetcher.fetch(model, Span(1, 3))
    assert fetcher.opened().find(model.model).spans == (Span(1, 3),)


async def test_cleaning_leaves_only_what_is_in_use(fetcher, models):
    first, second, _ = models
    await fetcher.fetch(first, Span(1, 3))
    await fetcher.fetch(second, Span(1, 3))
    fetcher.in_use = [(first.model, Span(1, 2))]
    before = fetcher.taken
    went = await fetcher.shelf.clear()
    assert fetcher.spans(first) == (Span(1, 2),)
    assert went == before - fetcher.taken > before / 2
    assert ModelStore(fetcher.root).fetched() == (first.model,)
    fetcher.in_use = []
    await fetcher.shelf.clear()
    assert ModelStore(fetcher.root).fetched() == ()
    assert fetcher.taken == 0


@pytest.fixture
def disk_of_24_mb(tmp_path):
    """A real one of 24 MB."""
    with small_disk(tmp_path / "disk", "24m") as disk:
        yield disk


async def test_on_a_real_disk_that_another_program_fills_the_good_chunks_stay(disk_of_24_mb, models):
    fetcher, (model, *_) = Fetcher(disk_of_24_mb / "home"), models
    fetcher.disk, fetcher.cap = None, 10**12
    with pytest.raises(NoDiskRoom, match=r"0\.0 GB of it are always left free"):
        await fetcher.fetch(model, Span(0, 6))
    filler = disk_of_24_mb / "filler"

    def fill(done: int, total: int) -> None:
        if done > total / 2 and not filler.exists():
            with contextlib.suppress(OSError), filler.open("wb") as file:
                while True:
                    file.write(bytes(100_000))

    with pytest.raises(StorageError):
        await fetcher.fetch(model, Span(1, 5), on_bytes=fill)
    fetcher.shelf.find(model.model).flush()  # what was still being written when it ended
    came = fetcher.opened().find(model.model)
    assert came.held
    assert all(came.read_chunk(index) == model.read_chunk(index) for index in came.held)
    filler.unlink()
    fetcher.shelf = fetcher.opened()
    await fetcher.fetch(model, Span(1, 5))
    assert fetcher.spans(model) == (Span(1, 5),)
