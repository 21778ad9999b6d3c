"""What a link takes is what its purpose needs: one byte more is refused by its header, and both sides know why."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from websockets.exceptions import ConnectionClosed

from idlepool.engine.errors import LinkError
from idlepool.engine.net.frames import Frame, FrameKind, Segment, encode_frame
from idlepool.engine.net.link import Link
from idlepool.engine.net.link_limits import MOST_LINKS, UNREAD, LinkLimits, intake_of
from idlepool.engine.net.messages import EndSequence, Hello, Role
from idlepool.engine.net.model_messages import PIECE_BYTES
from idlepool.engine.net.pings import PINGS_BURST
from idlepool.engine.net.presence_messages import TEST_BLOCK_BYTES
from idlepool.engine.types import ElementType, SessionId

MIB = 2**20
TLS_BYTES = MIB // 2


def weights(size: int) -> Frame:
    return Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, size, 1, bytes(size))


def chosen(rows: int, width: int) -> Frame:
    segments = (Segment(1, 0, rows, rows),)
    return Frame(FrameKind.CHOSEN, SessionId(7), 1, segments, ElementType.I32, rows, width, bytes(rows * width * 4))


@pytest.mark.parametrize(
    ("role", "dialled", "frame"),
    [
        ("control", False, chosen(3000, 42)),
        ("control", True, chosen(3000, 42)),
        ("test", False, weights(TEST_BLOCK_BYTES)),
        ("test", True, weights(TEST_BLOCK_BYTES)),
        ("model", True, weights(PIECE_BYTES)),
    ],
)
async def test_the_largest_that_a_link_is_for_arrives(listening, role: Role, dialled: bool, frame: Frame) -> None:
    async with listening() as north:
        ours, theirs = await north.dial(Hello(role)), await north.links.get()
        await (theirs if dialled else ours).send_frame(encode_frame(frame))
        assert await (anext(ours) if dialled else north.heard.get()) == frame


@pytest.mark.parametrize("dialled", [False, True])
@pytest.mark.parametrize("role", ["control", "activation", "model", "test"])
async def test_what_is_longer_is_refused_and_both_sides_know_why(listening, role: Role, dialled: bool) -> None:
    """By its header: what would have to be kept is never taken."""
    async with listening() as north:
        ours, theirs = await north.dial(Hello(role)), await north.links.get()
        limit = intake_of(role, dialled=dialled).max_bytes
        with contextlib.suppress(LinkError):
            await (theirs if dialled else ours).send_frame(bytes(limit + 1))
        assert [item async for item in ours] == []
        assert north.heard.empty()
        for link in (ours, theirs):
            said = await link.wait_closed()
            assert said.startswith(f"A message on the {role} link to {link.peer.name} was too large (")
            assert f"{limit + 1} bytes exceeds limit of {limit} bytes" in said


async def test_a_message_may_be_shorter_than_a_frame(listening) -> None:
    async with listening() as north:
        link = await north.dial(Hello("test"))
        await link._connection.send('{"type": "link_ping", "number": 1, "x": "' + 5000 * "x" + '"}')
        assert await link.wait_closed() == "A control message has 5,043 characters; that is too many."


async def test_a_link_takes_more_as_soon_as_it_is_allowed(listening) -> None:
    async with listening() as north:
        link = await north.dial(Hello("activation", session=7))
        (await north.links.get()).allow(intake_of("control", dialled=False))
        await link.send_frame(encode_frame(chosen(1000, 42)))
        assert await north.heard.get() == chosen(1000, 42)
        await link.send(EndSequence(7, 1))
        assert await north.heard.get() == EndSequence(7, 1)


@pytest.mark.parametrize("dialled", [False, True])
async def test_pings_are_not_answered_without_end(listening, dialled: bool) -> None:
    """Each answer would wait in this PC's memory for somebody who need not read it."""
    async with listening() as north:
        ours, theirs = await north.dial(Hello("control")), await north.links.get()
        hearing = asyncio.create_task(hear_out(ours))
        connection = (theirs if dialled else ours)._connection
        with contextlib.suppress(ConnectionClosed):
            for _ in range(PINGS_BURST + 20):
                await connection.ping()
        assert "It sent too many pings." in (await hearing, await theirs.wait_closed())


async def hear_out(link: Link) -> str:
    """Why the link ended."""
    async for _ in link:
        pass
    return await link.wait_closed()


def test_what_a_member_can_make_a_pc_keep_is_bounded() -> None:
    """The figure of link_limits.py: whatever it opens, and however little of it is taken."""
    largest = sorted(
        (intake_of(role, dialled=False).max_bytes for role, most in MOST_LINKS.items() for _ in range(most)),
        reverse=True,
    )
    links = LinkLimits().max_links
    assert sum(largest[:links]) * (UNREAD + 2) + links * TLS_BYTES < 70 * MIB
