"""What each PC of a pool has on its disk, and what it fetches when it is asked to run layers."""

from __future__ import annotations

import shutil

import pytest
from played_pool import MODEL, answer, until

from idlepool.engine.errors import LinkError, StageFailed, UnknownModel
from idlepool.engine.events import PipelineChanged
from idlepool.engine.models.store import ModelStore
from idlepool.engine.models.stored import StoredModel
from idlepool.engine.net.messages import Place, PrepareStage
from idlepool.engine.pool.model_folders import ModelFolders
from idlepool.engine.types import ElementType, ModelId, NodeId, Sampling, Span


def fetched(pool, name: str) -> bool:
    """Whether a PC fetched anything, by what the head was told."""
    changes = pool.seen("pc-1", PipelineChanged)
    return any(s.phase.startswith("fetching") for change in changes for s in change.stages if s.name == name)


async def test_a_pc_holds_its_layers_and_fetches_them_once(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    span = Span(pipeline.stages[1].first, pipeline.stages[1].last)
    assert fetched(pool, "pc-2")
    manifest = head.models.named(MODEL).manifest
    held = ModelStore(pool.home("pc-2")).partial(manifest)
    assert held.held == set(manifest.chunks_of(span))
    assert pipeline.stages[1].bytes_on_disk == held.bytes_on_disk < pipeline.stages[1].bytes_of_model
    await pool.leave("pc-2")
    pool.forget_events("pc-1")
    await pool.start("pc-2")
    await until(lambda: pool.names_seen("pc-1") == ["pc-1", "pc-2"])
    again = await pool.open(head, stages=2)
    assert not fetched(pool, "pc-2")
    assert len(await answer(again, "chat", [1, 2, 3], count=3, sampling=Sampling())) == 3


async def test_a_complete_model_of_its_own_is_used_as_it_is(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2", model=model)
    pipeline = await pool.open(head, stages=2)
    assert [stage.bytes_on_disk for stage in pipeline.stages] == [pipeline.stages[0].bytes_of_model] * 2
    assert not (pool.home("pc-2") / "shards").exists()


async def test_a_library_is_read_and_never_written(pool, model, tmp_path):
    library = tmp_path / "library"
    ModelStore(library).add_folder(model, name=MODEL)
    before = sorted(library.rglob("*"))
    head = await pool.start("pc-1", library=library)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    assert sorted(library.rglob("*")) == before
    assert isinstance(head.models.named(MODEL), StoredModel)
    assert pipeline.stages[0].bytes_on_disk < pipeline.stages[0].bytes_of_model
    with pytest.raises(UnknownModel, match="There is no model called “other”"):
        head.models.named("other")


async def test_a_damaged_source_is_told_at_the_head_and_mended(pool, model, tmp_path):
    folder = shutil.copytree(model, tmp_path / "model")
    head = await pool.start("pc-1", model=folder)
    await pool.start("pc-2")
    manifest = head.models.named(MODEL).manifest
    only_last = set(manifest.chunks_of(Span(3, 4))) - set(manifest.chunks_of(Span(0, 3)))
    weights = folder / "openvino_model.bin"
    whole = weights.read_bytes()
    offset = manifest.chunks[max(only_last)].offset
    weights.write_bytes(whole[:offset] + bytes([whole[offset] ^ 1]) + whole[offset + 1 :])
    with pytest.raises(
        StageFailed, match=r"^pc-2 could not run its layers: .* missing here: pc-1: chunk \d+ of .* SHA-256"
    ):
        await pool.open(head, stages=2)
    weights.write_bytes(whole)
    pipeline = await pool.open(head, stages=2)
    assert len(await answer(pipeline, "chat", [1, 2, 3], count=3, sampling=Sampling())) == 3


async def test_layers_that_a_model_has_not_are_told_as_such(model, tmp_path):
    whole = ModelStore(tmp_path / "library").add_folder(model, name=MODEL)
    head = Place("b" * 64, "127.0.0.1", 9)
    order = PrepareStage(1, whole.model, 3, 9, "CPU", ElementType.F32, head, None, None)

    async def connect(place: Place):
        raise LinkError("there is nobody else")

    home, library = ModelStore(tmp_path / "home"), ModelStore(tmp_path / "library")
    brought = await ModelFolders(NodeId("a" * 64), home, library, connect=connect).bring(order, lambda *_: None)
    assert brought.held == frozenset()


async def test_a_part_is_served_after_a_restart(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    await pool.leave("pc-2")
    again = await pool.start("pc-2")
    found = again.models.find(ModelId(pipeline.model))
    assert found.held == set(found.manifest.chunks_of(Span(pipeline.stages[1].first, pipeline.stages[1].last)))
