"""Two ends of real connections on this PC: what arrives, how a link ends, what a slow or hostile peer costs."""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import replace

import pytest
from paired import paired

from idlepool.engine.errors import LinkError, PeerUnreachable
from idlepool.engine.net.frames import Frame, FrameKind, FrameLimits, Segment, encode_frame
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.link_limits import Intake, LinkLimits
from idlepool.engine.net.messages import EndSequence, Hello
from idlepool.engine.types import Address, ElementType, NodeId, SessionId

(SOUTH,) = paired("south")
HELLO = Hello("activation", port=4711, session=7)
WIDE = Intake(2**20, FrameLimits())


def hidden(rows: int = 2, width: int = 8) -> Frame:
    segments = (Segment(1, 0, rows),)
    payload = bytes(range(256)) * (rows * width * 4 // 256 + 1)
    return Frame(FrameKind.HIDDEN, SessionId(7), 1, segments, ElementType.F32, rows, width, payload[: rows * width * 4])


async def test_messages_and_frames_arrive_in_order_both_ways(listening) -> None:
    async def echo(link: Link) -> None:
        link.allow(WIDE)
        async for item in link:
            await (link.send_frame(encode_frame(item)) if isinstance(item, Frame) else link.send(item))

    sent = [EndSequence(7, 1), hidden(), EndSequence(7, 2), hidden(300, 576)]
    async with listening(echo) as north:
        link = await north.dial(HELLO)
        link.allow(WIDE)
        for item in sent:
            await (link.send_frame(encode_frame(item)) if isinstance(item, Frame) else link.send(item))
        assert [await anext(link) for _ in sent] == sent
        await link.close("Done.")


async def test_both_know_who_is_at_the_other_end(listening) -> None:
    async with listening() as north:
        link = await north.dial(HELLO, node=north.node)
        seen = await north.links.get()
        assert (link.peer.node, link.peer.name, link.peer.address) == (north.node, "north", north.address)
        assert (seen.peer.node, seen.peer.name, seen.peer.address) == (north.guest, "south", Address("127.0.0.1", 4711))
        assert seen.role == link.role == "activation"
        assert seen.session == link.session == 7
        await link.close("Done.")


async def test_a_goodbye_reaches_the_other_side_with_its_reason(listening) -> None:
    async with listening() as north:
        link = await north.dial(HELLO)
        seen = await north.links.get()
        await link.close("The owner is back.")
        assert await seen.wait_closed() == "The owner is back."
        assert await link.wait_closed() == "The owner is back."
        with pytest.raises(LinkError, match=r"The link to north is closed. The owner is back."):
            await link.send(EndSequence(7, 1))


async def test_what_comes_after_a_goodbye_is_not_taken(listening) -> None:
    async with listening() as north:
        link = await north.dial(HELLO)
        seen = await north.links.get()
        goodbye = asyncio.create_task(seen.close("The owner is back."))
        for sequence in range(20):  # more than are kept unread
            await link.send(EndSequence(7, sequence))
        await goodbye
        assert await link.wait_closed() == "The owner is back."
        assert north.heard.empty()


async def test_a_server_that_closes_says_so(listening) -> None:
    async with listening() as north:
        link = await north.dial(HELLO)
    assert await link.wait_closed() == "Idlepool was closed on north."
    with pytest.raises(PeerUnreachable, match=r"Nobody answers at 127.0.0.1:.*the connection was refused"):
        await north.dial(HELLO)


async def test_a_connection_that_breaks_is_told(listening) -> None:
    async with listening() as north:
        link = await north.dial(HELLO)
        seen = await north.links.get()
        link._connection.transport.abort()
        assert await seen.wait_closed() == "The connection to south broke."


@pytest.mark.parametrize("damage", ["bytes", "text", "too large"])
async def test_a_peer_that_breaks_the_protocol_is_cut_off_with_the_sentence(listening, damage: str) -> None:
    async with listening() as north:
        link = await north.dial(HELLO)
        seen = await north.links.get()
        seen.allow(Intake(1000, FrameLimits(max_rows=4)))
        if damage == "bytes":
            await link.send_frame(b"not a frame, but long enough to hold a header")
            said = "A binary message does not start like a frame."
        elif damage == "text":
            await link._connection.send('{"type": "obey"}')
            said = "A control message does not decode: "
        else:
            await link.send_frame(encode_frame(hidden(5)))
            said = "A HIDDEN frame announces 5 rows; at most 4 are allowed."
        assert (await link.wait_closed()).startswith(said)
        assert link._connection.close_code == 1002
        assert (await seen.wait_closed()).startswith(said)
        assert north.heard.empty()


async def test_a_slow_reader_holds_the_sender_back_and_loses_nothing(listening) -> None:
    read_on = asyncio.Event()
    steps: list[int] = []

    async def slow(link: Link) -> None:
        link.allow(WIDE)
        await read_on.wait()
        async for item in link:
            assert isinstance(item, Frame)
            steps.append(item.step)

    total = 200
    async with listening(slow) as north:
        link = await north.dial(HELLO)
        sent = 0

        async def send_all() -> None:
            nonlocal sent
            for step in range(total):
                await link.send_frame(encode_frame(replace(hidden(64, 1024), step=step)))
                sent += 1

        sender = asyncio.create_task(send_all())
        before = -1
        while sent != before:
            before = sent
            await asyncio.sleep(0.2)
        # 50 MB were to be sent; what the sockets' own buffers hold is all that may be on its way.
        assert sent < total / 2
        read_on.set()
        await sender
        await link.close("Done.")
    assert steps == list(range(total))


async def test_a_cancelled_read_loses_nothing(listening) -> None:
    async def talk(link: Link) -> None:
        async for _ in link:
            await link.send(EndSequence(7, 1))

    async with listening(talk) as north:
        link = await north.dial(HELLO)
        for _ in range(3):
            reading = asyncio.ensure_future(anext(link))
            await asyncio.sleep(0)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
        await link.send(EndSequence(7, 0))
        assert await anext(link) == EndSequence(7, 1)
        await link.close("Done.")


async def test_small_frames_are_not_delayed(listening) -> None:
    async with listening() as north:
        link = await north.dial(HELLO)
        for end in (link, await north.links.get()):
            raw = end._connection.transport.get_extra_info("socket")
            assert raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await link.close("Done.")


async def test_what_is_sent_never_reaches_a_log(listening, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with listening() as north:
        link = await north.dial(HELLO)
        secret = replace(hidden(1, 4), payload=b"my secret prompt")
        await link.send_frame(encode_frame(secret))
        await north.heard.get()
        await link.close("Done.")
    assert "secret" not in caplog.text
    assert "73 65 63 72" not in caplog.text


async def test_another_pc_at_the_address_is_not_taken_for_the_right_one(listening) -> None:
    async with listening() as north:
        with pytest.raises(PeerUnreachable, match="another PC, north, answers there"):
            await north.dial(HELLO, node=NodeId("c" * 64))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"", "it closed the connection|something other than Idlepool"),
        (b"SSH-2.0-x\r\n", "something other than Idlepool, or an older version of it, answers"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "something other than Idlepool, or an older version of it, answers"),
    ],
)
async def test_something_other_than_a_node_at_the_address(answer: bytes, said: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1024)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(PeerUnreachable, match=said):
            await dial(Address("127.0.0.1", port), HELLO, credentials=SOUTH)


@pytest.mark.parametrize("answer", [b"SSH-2.0-x\r\n", b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n"])
async def test_a_member_that_runs_something_else_at_the_address(answer: bytes) -> None:
    north, south = paired("north", "south")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=north.server_context) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(PeerUnreachable, match="something other than Idlepool"):
            await dial(Address("127.0.0.1", port), HELLO, credentials=south)


async def test_an_address_that_never_answers() -> None:
    limits = LinkLimits(handshake_seconds=0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = Address("127.0.0.1", silent.getsockname()[1])
        with pytest.raises(PeerUnreachable, match=r"no answer within 0.3 s"):
            await dial(address, HELLO, credentials=SOUTH, limits=limits)


async def test_a_cancelled_dial_leaves_no_connection() -> None:
    ended = asyncio.Event()
    entered = asyncio.Event()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        entered.set()
        while await reader.read(1024):
            pass
        writer.close()
        ended.set()

    async with await asyncio.start_server(hold, "127.0.0.1", 0) as other:
        address = Address("127.0.0.1", other.sockets[0].getsockname()[1])
        dialling = asyncio.create_task(dial(address, HELLO, credentials=SOUTH))
        await entered.wait()
        dialling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dialling
        await ended.wait()
