"""A link is measured within two seconds, and whoever serves a test is not kept busy by it."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from paired import paired

from idlepool.engine.errors import LinkError
from idlepool.engine.net.link import dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import Hello
from idlepool.engine.net.presence_messages import TEST_BLOCK_BYTES, Heartbeat, LinkPing, LinkPong, WantTestBytes
from idlepool.engine.pool import link_test
from idlepool.engine.pool.link_test import MAX_PINGS, MAX_SERVED, measure_link, serve_link_test
from idlepool.engine.types import Address


@contextlib.asynccontextmanager
async def linked(serve):
    """A test link whose other end is in the hands of `serve`."""
    north, south = paired("north", "south")
    server = LinkServer("127.0.0.1", 0, credentials=north, on_link=serve)
    await server.start()
    link = await dial(Address("127.0.0.1", server.port), Hello("test"), credentials=south)
    try:
        yield link
    finally:
        await link.close("done")
        await server.close()


async def test_a_link_is_measured_both_ways():
    async with linked(serve_link_test) as link:
        figures = await measure_link(link)
        assert 0 < figures.round_trip_ms < 1000
        assert figures.receives_bytes_s > 2**20
        assert figures.sends_bytes_s > 2**20
        await link.send(LinkPing(1))  # and it is left as it was


async def test_a_slow_link_is_not_flooded(monkeypatch):
    """A second for each block: one is sent each way, and no more than that is under way."""
    monkeypatch.setattr(link_test, "PINGS_S", 0.0)
    monkeypatch.setattr(link_test, "BLOCKS_S", 0.1)
    asked = []

    async def slow(link):
        async for item in link:
            asked.append(type(item).__name__)
            if isinstance(item, WantTestBytes):
                await asyncio.sleep(0.2)
                await link.send_frame(link_test._block(item.count))
            elif isinstance(item, LinkPing):
                await asyncio.sleep(0.2 if len(asked) > 1 else 0)
                await link.send(link_test.LinkPong(item.number))

    async with linked(slow) as link:
        await measure_link(link)
    assert asked == ["LinkPing", "WantTestBytes", "Frame", "LinkPing"]


async def test_a_link_that_breaks_says_so():
    async def leave(link):
        await anext(link)

    async with linked(leave) as link:
        with pytest.raises(LinkError, match=r"The test of the link to north broke off\."):
            await measure_link(link)


async def test_a_link_that_stalls_says_so(monkeypatch):
    monkeypatch.setattr(link_test, "PATIENCE_S", 0.2)

    async def stall(link):
        async for _ in link:
            pass

    async with linked(stall) as link:
        with pytest.raises(LinkError, match="took longer than"):
            await measure_link(link)


async def test_a_test_that_asks_nothing_any_more_is_ended():
    async with linked(lambda link: serve_link_test(link, idle_s=0.2)) as link:
        await link.send(LinkPing(1))
        assert await anext(link) == LinkPong(1)
        assert [item async for item in link] == []
        assert await link.wait_closed() == "Nothing was asked for 0.2 s."


@pytest.mark.parametrize(
    ("item", "count", "reason"),
    [
        (WantTestBytes(TEST_BLOCK_BYTES + 1), 1, "no part of a link test"),
        (WantTestBytes(0), 1, "no part of a link test"),
        (WantTestBytes(-1), 1, "no part of a link test"),
        (Heartbeat(), 1, "no part of a link test"),
        (WantTestBytes(1), MAX_SERVED + 1, "does not need so much"),
        (LinkPing(1), MAX_PINGS + 1, "does not need so much"),
    ],
)
async def test_whoever_asks_for_too_much_is_cut_off(item, count, reason):
    async with linked(serve_link_test) as link:
        with contextlib.suppress(LinkError):
            for _ in range(count):
                await link.send(item)
        async for _ in link:
            pass
        assert reason in await link.wait_closed()
