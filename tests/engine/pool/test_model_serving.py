"""A model link on which nothing is asked any more is ended, and whoever has another question opens one again."""

from __future__ import annotations

import asyncio

from paired import paired

from idlepool.engine.models.chunking import CHUNK_BYTES
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello
from idlepool.engine.pool.bandwidth import Bandwidth
from idlepool.engine.pool.model_serving import serve_models
from idlepool.engine.pool.model_source import LinkSource
from idlepool.engine.types import Address

IDLE_S = 0.2


async def test_an_idle_link_is_ended_and_opened_again_for_the_next_question(model, tmp_path) -> None:
    stored = ModelStore(tmp_path / "giver").add_folder(model, name="tiny")
    north, south = paired("north", "south")
    ended: asyncio.Queue[str] = asyncio.Queue()

    async def serve(link: Link) -> None:
        # The pace makes the sending of a chunk take longer than a link may be idle.
        await serve_models(link, lambda _: stored, cap=Bandwidth(300_000), idle_s=IDLE_S)
        ended.put_nowait(await link.wait_closed())

    server = LinkServer("127.0.0.1", 0, credentials=north, on_link=serve)
    await server.start()
    source = LinkSource(
        "north", stored.model, lambda: dial(Address("127.0.0.1", server.port), Hello("model"), credentials=south)
    )
    try:
        async with asyncio.timeout(20):
            for index in (8, 9):  # the longest
                assert await source.read_chunk(index, bytearray(CHUNK_BYTES)) == stored.read_chunk(index)
                assert await ended.get() == f"Nothing was asked for {IDLE_S:g} s."
        assert ended.empty()
    finally:
        await source.close()
        await server.close()
