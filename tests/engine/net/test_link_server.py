"""Who is let in and who is not, with which words; and that a listener closes whatever its guests do."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from idlepool.engine.build import BUILD
from idlepool.engine.errors import PeerRefused, PortInUse
from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import MOST_LINKS, LinkLimits
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import (
    PROTOCOL_VERSION,
    EndSequence,
    Hello,
    Refused,
    decode_message,
    encode_message,
)

HELLO = Hello("control", "b" * 64, "south", 4711, session=7)
QUICK = LinkLimits(handshake_seconds=0.3, close_seconds=0.3)


def stranger_at(north) -> connect:
    """A member that says something else than a node would: `async with stranger_at(north) as stranger`."""
    port, context = north.server.port, north.south.client_context
    return connect("wss://idlepool/", host="127.0.0.1", port=port, ssl=context, proxy=None)


@pytest.mark.parametrize("version", [1, 9])
async def test_another_version_is_named_even_if_its_hello_is_unknown_here(listening, version: int) -> None:
    async with listening() as north, stranger_at(north) as stranger:
        await stranger.send(f'{{"type": "hello", "version": {version}, "name": "east", "role": "telepathy"}}')
        answer = decode_message(await stranger.recv())
        north_is = f"north (Idlepool {BUILD}) speaks protocol version {PROTOCOL_VERSION}"
        said = f"{north_is}, east version {version}: update the older one."
        assert answer == Refused(said)
        assert north.refused == [said]


async def test_a_pc_of_another_version_hears_it_as_a_refusal(listening) -> None:
    async with listening() as north:
        with pytest.raises(
            PeerRefused, match=rf"speaks protocol version {PROTOCOL_VERSION}, south \(Idlepool .*\) version 1: update"
        ):
            await north.dial(msgspec.structs.replace(HELLO, version=1))
        assert north.links.empty()


@pytest.mark.parametrize(
    "opening",
    [
        "nonsense",
        b"\x00\x01",
        encode_message(EndSequence(1, 1)),
        encode_message(msgspec.structs.replace(HELLO, node="../etc")),
        encode_message(msgspec.structs.replace(HELLO, name="x" * 5000)),
        encode_message(msgspec.structs.replace(HELLO, port=70_000)),
        encode_message(msgspec.structs.replace(HELLO, name="\u202e\n")),
    ],
)
async def test_who_does_not_say_a_proper_hello_is_turned_away(listening, opening: str | bytes) -> None:
    async with listening() as north, stranger_at(north) as stranger:
        await stranger.send(opening)
        await stranger.wait_closed()
        assert stranger.close_code == 1002
        assert north.links.empty()


async def test_who_says_nothing_is_turned_away(listening) -> None:
    async with listening(limits=QUICK) as north, stranger_at(north) as stranger:
        await stranger.wait_closed()
        assert stranger.close_reason == "No Hello came."


async def test_a_web_page_may_not_connect(listening) -> None:
    async with listening() as north:
        with pytest.raises(InvalidStatus, match="403"):
            await connect(
                "wss://idlepool/",
                host="127.0.0.1",
                port=north.server.port,
                ssl=north.south.client_context,
                proxy=None,
                origin="http://example.org",  # type: ignore[arg-type]
            )


async def test_strangers_are_limited_and_keep_no_member_out(listening) -> None:
    async with listening(limits=replace(QUICK, max_strangers=2, handshake_seconds=30)) as north:
        silent = [await asyncio.open_connection("127.0.0.1", north.server.port) for _ in range(3)]
        async with asyncio.timeout(5):
            with contextlib.suppress(ConnectionError):
                assert await silent[0][0].read() == b""
        links = [await north.dial(HELLO) for _ in range(4)]
        assert north.links.qsize() == 4
        for link in links:
            await link.close("Done.")
        for _, writer in silent:
            writer.close()


async def test_a_member_holds_so_many_links_at_once_and_hears_it(listening) -> None:
    async with listening(limits=replace(QUICK, max_links=2)) as north:
        links = [await north.dial(HELLO) for _ in range(2)]
        with pytest.raises(PeerRefused, match=r"south has 2 links to north already\. Start Idlepool on south again\.$"):
            await north.dial(HELLO)
        assert north.refused == ["south has 2 links to north already."]
        await links[0].close("Done.")
        async with asyncio.timeout(5):
            while True:
                with contextlib.suppress(PeerRefused):
                    await north.dial(HELLO)
                    break
                await asyncio.sleep(0.05)


async def test_before_it_is_welcome_a_member_may_say_little(listening) -> None:
    async with listening(limits=replace(QUICK, handshake_seconds=5)) as north, stranger_at(north) as stranger:
        with contextlib.suppress(ConnectionClosed):
            await stranger.send("x" * 2**20)
        await stranger.wait_closed()
        assert stranger.close_code == 1006
        assert north.refused == ["A PC at 127.0.0.1 said too much before it was let in."]


async def test_a_member_may_send_a_long_message_right_after_its_welcome(listening) -> None:
    async with listening() as north:
        link = await north.dial(HELLO)
        await link.send(Refused("x" * 2**19))
        assert await north.heard.get() == Refused("x" * 2**19)


async def test_of_links_with_one_purpose_a_member_holds_fewer(listening) -> None:
    async with listening() as north:
        for _ in range(MOST_LINKS["test"]):
            await north.dial(Hello("test"))
        with pytest.raises(PeerRefused, match=r"south has 4 test links to north already"):
            await north.dial(Hello("test"))
        await north.dial(Hello("model"))


async def test_closing_does_not_wait_for_strangers(listening) -> None:
    async with listening(limits=replace(QUICK, handshake_seconds=1000)) as north:
        _, writer = await asyncio.open_connection("127.0.0.1", north.server.port)
        await asyncio.sleep(0.05)
    writer.close()


async def test_closing_does_not_wait_for_a_handler_that_hangs(listening) -> None:
    ended = asyncio.Event()

    async def hang(link: Link) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with listening(hang, limits=QUICK) as north:
        await north.dial(HELLO)
        await north.links.get()
    assert ended.is_set()


async def test_a_port_in_use_is_named(listening) -> None:
    async with listening() as north:
        second = LinkServer("127.0.0.1", north.server.port, credentials=north.south, on_link=north.links.put)
        with pytest.raises(PortInUse, match=f"Port {north.server.port} is used by another program"):
            await second.start()
        await second.close()
