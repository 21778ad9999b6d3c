"""Model bytes by the short way: they arrive where they belong, beside messages and pings, and nothing else is taken."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from idlepool.engine.errors import LinkError
from idlepool.engine.net.frames import Frame, FrameKind, Segment, encode_frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.messages import Hello, Message, Refused
from idlepool.engine.net.model_messages import PIECE_BYTES
from idlepool.engine.types import ElementType, SessionId


class Taker:
    """Takes pieces of model bytes and messages, in the order in which they come."""

    def __init__(self, link: Link) -> None:
        self.came: list[bytes | Message] = []
        self._rooms: list[bytearray] = []
        link.divert(self)

    def room_for(self, size: int) -> memoryview:
        if size == 13:
            raise LinkError("It sent an unlucky number of bytes.")
        self._rooms.append(bytearray(size))
        return memoryview(self._rooms[-1])

    def filled(self) -> None:
        self.came.append(bytes(self._rooms[-1]))

    def take(self, message: Message) -> None:
        self.came.append(message)

    def heard(self) -> None:
        pass


def weights(data: bytes) -> bytes:
    return encode_frame(Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, len(data), 1, data))


async def linked(listening) -> tuple[Taker, Link, Link]:
    ours, theirs = await listening.dial(Hello("model")), await listening.links.get()
    return Taker(ours), ours, theirs


async def hear_out(link: Link) -> str:
    async for _ in link:
        pass
    return await link.wait_closed()


@pytest.mark.parametrize("short_way_out", [True, False])
async def test_what_is_sent_arrives_in_order_beside_pings(listening, short_way_out: bool) -> None:
    """Also from a program that sends its frames as any others."""
    sizes = (0, 1, 70, 125, 126, 65_535, 65_536, 5_000)
    async with listening() as north:
        taker, ours, theirs = await linked(north)
        pieces = [bytes([number]) * size for number, size in enumerate(sizes)]
        pieces.append(bytes(range(256)) * (PIECE_BYTES // 256))
        for number, piece in enumerate(pieces):
            await (theirs.send_bytes(memoryview(piece)) if short_way_out else theirs.send_frame(weights(piece)))
            await theirs.send(Refused(str(number)))
            await (await theirs._connection.ping())
        assert taker.came == [item for number, piece in enumerate(pieces) for item in (piece, Refused(str(number)))]
        hearing = asyncio.create_task(hear_out(ours))
        await theirs.close("The owner is back.")
        assert await hearing == "The owner is back."


async def test_questions_go_out_as_before(listening) -> None:
    async with listening() as north:
        _, ours, _ = await linked(north)
        await ours.send(Refused("no"))
        assert await north.heard.get() == Refused("no")
        await ours.close("done")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (weights(bytes(PIECE_BYTES + 1)), f"announces {PIECE_BYTES + 1:,} rows; at most {PIECE_BYTES:,} are allowed"),
        (weights(bytes(13)), "It sent an unlucky number of bytes."),
        (weights(b"abc")[:-1], "A WEIGHTS frame of"),
        (weights(b"abc")[:20], "A binary message of 20 bytes is no frame."),
        (b"nonsense" * 100, "A binary message does not start like a frame."),
        ("nonsense", "A control message does not decode"),
        ("x" * 5000, "A control message has 5,000 bytes; that is too many."),
        (["in ", "parts"], "A message came in parts."),
    ],
)
async def test_what_breaks_the_protocol_ends_the_link_with_a_sentence(listening, data, said: str) -> None:
    async with listening() as north:
        taker, ours, theirs = await linked(north)
        with contextlib.suppress(Exception):
            await theirs._connection.send(data)
        assert said in await hear_out(ours)
        assert said in await theirs.wait_closed()
        assert taker.came == []


async def test_a_frame_of_another_kind_is_not_taken(listening) -> None:
    async with listening() as north:
        taker, ours, theirs = await linked(north)
        frame = Frame(FrameKind.TOKENS, SessionId(0), 0, (Segment(1, 0, 1),), ElementType.I32, 1, 1, bytes(4))
        await theirs.send_frame(encode_frame(frame))
        assert await hear_out(ours) == "A TOKENS frame of 68 bytes came where model bytes were due."
        assert taker.came == []


async def test_an_end_in_the_middle_is_told(listening) -> None:
    async with listening() as north:
        _, ours, theirs = await linked(north)
        hearing = asyncio.create_task(hear_out(ours))
        frame = weights(bytes(100_000))
        theirs._connection.transport.write(b"\x82\x7f" + len(frame).to_bytes(8, "big") + frame[:90_000])
        await asyncio.sleep(0.05)
        theirs._connection.transport.abort()
        assert await hearing == "The connection to north broke."
        with pytest.raises(LinkError):
            await theirs.send_bytes(memoryview(b"more"))
