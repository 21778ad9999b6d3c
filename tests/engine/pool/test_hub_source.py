"""What no PC of the pool has comes from where the model came from: only the ranges of a span, each verified."""

from __future__ import annotations

import pytest
from hub_server import COMMIT, REPOSITORY

from idlepool.engine.errors import ModelIncomplete
from idlepool.engine.models.add_hub import add_from_hub
from idlepool.engine.models.hub import Hub, HubPlace
from idlepool.engine.models.manifest import WEIGHTS_FILE
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.messages import Place, PrepareStage
from idlepool.engine.pool.hub_source import origin_of
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.types import ElementType, NodeId, Span

LAST = Span(3, 4)
HERE = NodeId("a" * 64)
GONE = Place("b" * 64, "127.0.0.1", 9)


@pytest.fixture
def whole(server, tmp_path):
    """The model on a PC that is not there any more."""
    return add_from_hub(ModelStore(tmp_path / "other"), HubPlace(REPOSITORY), hub=Hub())


@pytest.fixture
def store(whole, tmp_path, server) -> ModelStore:
    """That of a PC that has the small files, and none of the weights."""
    store = ModelStore(tmp_path / "here")
    partial = store.partial(whole.manifest)
    for file in partial.missing_files():
        partial.write_file(file.name, whole.read_file(file.name))
    server.asked.clear()
    return store


async def bring(store: ModelStore, model: str):
    async def connect(place: Place):
        raise AssertionError("there is nobody else")

    order = PrepareStage(1, model, LAST.first, LAST.last, "CPU", ElementType.F32, GONE, None, None)
    return await ModelFolders(HERE, store, None, connect=connect).bring(order, lambda *_: None)


async def test_only_the_ranges_of_the_span_are_fetched(store, whole, server):
    model = await bring(store, whole.model)
    chunks = [whole.manifest.chunks[index] for index in whole.manifest.chunks_of(LAST)]
    ranges = [f"bytes={chunk.offset}-{chunk.offset + chunk.length - 1}" for chunk in chunks]
    assert sorted(server.asked) == sorted((WEIGHTS_FILE, asked) for asked in ranges)
    assert model.held == set(whole.manifest.chunks_of(LAST))
    assert all(model.read_chunk(index) == whole.read_chunk(index) for index in model.held)


async def test_other_bytes_than_were_added_are_refused(store, whole, server):
    server.files[WEIGHTS_FILE] = server.files[WEIGHTS_FILE][::-1]
    with pytest.raises(ModelIncomplete, match=rf"hf:{REPOSITORY}@{COMMIT}: chunk \d+ of .* its SHA-256 is wrong"):
        await bring(store, whole.model)
    assert ModelStore(store.root).known_partial(whole.model).held == frozenset()


async def test_a_server_without_ranges_is_told(store, whole, server):
    server.ranges = False
    with pytest.raises(ModelIncomplete, match="that server gives only whole files"):
        await bring(store, whole.model)


async def test_a_model_from_elsewhere_is_not_looked_for(model, tmp_path, server):
    whole = ModelStore(tmp_path / "other").add_folder(model, name="tiny")
    partial = ModelStore(tmp_path / "here").partial(whole.manifest)
    assert origin_of(partial) is None
    for file in partial.missing_files():
        partial.write_file(file.name, whole.read_file(file.name))
    assert origin_of(partial) is None
    with pytest.raises(ModelIncomplete, match="no PC in reach has them"):
        await bring(ModelStore(tmp_path / "here"), whole.model)
    assert server.asked == []
