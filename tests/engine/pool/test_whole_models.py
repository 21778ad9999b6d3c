"""A model that only one PC has: the others know of it, and that PC answers about it."""

from __future__ import annotations

import pytest
from played_pool import PlayedPool, until
from played_window import Window

from idlepool.engine.events import ModelInfo, PoolChanged
from idlepool.engine.models.store import ModelStore


def seen_at(pool: PlayedPool, name: str) -> tuple[ModelInfo, ...]:
    """What one PC's window is told of the models of others."""
    changes = pool.seen(name, PoolChanged)
    return tuple(model for peer in (changes[-1].peers if changes else ()) for model in peer.whole)


async def test_the_others_hear_of_a_model_as_soon_as_it_is_there_and_of_its_end(tmp_path, cache, tiny_model):
    async with PlayedPool(tmp_path / "pool", cache=cache) as pool:
        north = await pool.start("north")
        await pool.start("south")
        store = ModelStore(pool.home("north"))
        store.add_folder(tiny_model, name="tiny")
        await north.models.look()
        (told,) = await until(lambda: seen_at(pool, "south"))
        known = store.get("tiny")
        assert told == ModelInfo("tiny", known.manifest.layers, known.manifest.context, known.bytes_in_all)
        store.remove("tiny")
        await north.models.look()
        await until(lambda: not seen_at(pool, "south"))


@pytest.mark.model
async def test_the_pc_that_has_the_model_answers(tmp_path, cache, starter_store):
    """It runs nowhere before; the one that asks has not a byte of it afterwards."""
    folder = starter_store.get("starter").folder
    async with PlayedPool(tmp_path / "pool", cache=cache) as pool:
        await pool.start("north", model=folder, stages=1)
        south = await pool.start("south")
        await until(lambda: seen_at(pool, "south"))
        window = Window(south, folder)
        request = window.ask("What is the capital of Japan?", model="TINY")
        assert (await window.done(request)).finish == "stop"
        assert "Tokyo" in window.text(request)
        assert window.started(request).answered_by == "north"
        unknown = window.ask("What is the capital of Japan?", model="nobody")
        assert "There is no model called “nobody”" in (await window.done(unknown)).detail
        await window.service.close()
        assert south.models.complete() == ()
