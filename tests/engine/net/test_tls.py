"""Who is not of the pool gets no byte, hears why where it can, and costs little; each within five seconds."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from paired import paired, stranger_to, twin_of
from websockets.asyncio.client import connect

from idlepool.engine.errors import LinkError, PeerUnreachable
from idlepool.engine.net import strangers
from idlepool.engine.net.identity import make_identity
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.link_limits import LinkLimits
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import EndSequence, Hello, Refused, decode_message, encode_message
from idlepool.engine.net.roster import add_member, found_pool, read_roster, remove_member
from idlepool.engine.net.tls import Credentials, WasRemoved
from idlepool.engine.trust_errors import HOW_TO_PAIR, NotPaired
from idlepool.engine.types import Address

NORTH, SOUTH = paired("north", "south")
HELLO = Hello("activation", port=4711, session=7)


class Door:
    """A listener and what it says of those who came."""

    def __init__(self, credentials: Credentials, limits: LinkLimits | None = None) -> None:
        self.links: list[Link] = []
        self.refused: list[str] = []
        self.server = LinkServer(
            "127.0.0.1",
            0,
            credentials=credentials,
            on_link=self._enter,
            on_refused=lambda host, sentence: self.refused.append(f"{host}: {sentence}"),
            limits=limits,
        )

    async def _enter(self, link: Link) -> None:
        self.links.append(link)
        async for _ in link:
            pass

    async def dial(self, credentials: Credentials) -> Link:
        async with asyncio.timeout(5):
            return await dial(self.address, HELLO, credentials=credentials)

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.server.port)


@contextlib.asynccontextmanager
async def door(credentials: Credentials = NORTH, limits: LinkLimits | None = None) -> AsyncIterator[Door]:
    made = Door(credentials, limits)
    await made.server.start()
    try:
        yield made
    finally:
        await made.server.close()


async def test_members_meet_whoever_dials() -> None:
    async with door(NORTH) as north, door(SOUTH) as south:
        for link in (await north.dial(SOUTH), await south.dial(NORTH)):
            await link.close("Done.")
        assert [link.peer.name for link in (*north.links, *south.links)] == ["south", "north"]
        assert north.links[0].peer.node == SOUTH.own.node
        assert north.links[0].peer.epoch == 2
        assert north.links[0].peer.build
        assert north.refused == south.refused == []


async def test_a_connection_is_tls_1_3_and_a_session_is_not_resumed() -> None:
    async with door() as north:
        link = await north.dial(SOUTH)
        tls = link._connection.transport.get_extra_info("ssl_object")
        assert tls.version() == "TLSv1.3"
        assert not tls.session.has_ticket
        await link.close("Done.")


async def test_a_pc_that_is_not_known_here_hears_that_it_is_not() -> None:
    """A foreign certificate: under TLS 1.3 its owner sees no more than the end of the connection."""
    async with door() as north:
        with pytest.raises(
            NotPaired, match=r"^The PC at 127\.0\.0\.1:\d+ does not know this one\. Pair them: idlepool pair$"
        ):
            await north.dial(stranger_to(NORTH))
        assert north.refused == ["127.0.0.1: The PC at 127.0.0.1 is not paired with this PC."]
        assert north.links == []


async def test_a_pc_that_is_not_known_to_the_one_who_dials_is_named() -> None:
    stranger = stranger_to(NORTH)
    async with door(stranger) as door_of_stranger:
        with pytest.raises(NotPaired, match=r"^The PC at 127\.0\.0\.1:\d+ is not paired with this PC\. Pair them"):
            await door_of_stranger.dial(NORTH)
        assert door_of_stranger.links == []


async def test_without_a_certificate_there_is_no_connection() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    async with door() as north:
        reader, writer = await asyncio.open_connection("127.0.0.1", north.server.port, ssl=context)
        with contextlib.suppress(OSError):
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            async with asyncio.timeout(5):
                assert await reader.read() == b""
        writer.close()
        assert north.refused == ["127.0.0.1: The PC at 127.0.0.1 is not paired with this PC."]


async def test_an_older_tls_is_refused() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    async with door() as north:
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            await asyncio.open_connection("127.0.0.1", north.server.port, ssl=context)
        assert "an older version of it" in north.refused[0]


async def test_a_plain_connection_gets_no_byte() -> None:
    async with door() as north:
        reader, writer = await asyncio.open_connection("127.0.0.1", north.server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: idlepool\r\n\r\n")
        async with asyncio.timeout(5):
            assert not (await reader.read()).startswith(b"HTTP")
        writer.close()
        assert north.refused == [
            "127.0.0.1: Something other than Idlepool, or an older version of it, came from 127.0.0.1."
        ]


async def test_an_impostor_with_the_same_subject_is_no_member() -> None:
    """As a guest and as a host: all that a certificate is looked up by is the member's, but not its key."""
    twin = stranger_to(NORTH, identity=twin_of(SOUTH.identity))
    async with door() as north, door(twin) as trap:
        with pytest.raises(NotPaired):
            await north.dial(twin)
        with pytest.raises(NotPaired):
            await trap.dial(NORTH)
        link = await north.dial(SOUTH)
        await link.close("Done.")
        assert len(north.links) == 1
        assert trap.links == []


async def test_a_member_cannot_say_that_it_is_another() -> None:
    third = paired("x")[0]
    claimed = Hello("control", third.own.node, "x", pool=NORTH.roster.pool)
    async with door() as north:
        port = north.server.port
        async with connect("wss://x/", host="127.0.0.1", port=port, ssl=SOUTH.client_context, proxy=None) as socket:
            await socket.send(encode_message(claimed))
            async with asyncio.timeout(5):
                answer = decode_message(await socket.recv())
        assert answer == Refused("You show the certificate of one PC and the name of another.")
        assert north.links == []


async def test_a_removed_member_is_told_and_shown_the_proof() -> None:
    ada, bob, eve = (make_identity() for _ in range(3))
    founded = found_pool(ada, "ada")
    pair = add_member(founded, ada, certificate=bob.certificate, name="bob")
    removed = remove_member(pair, ada, bob.node)
    later = add_member(removed, ada, certificate=eve.certificate, name="eve")
    keeper = Credentials(ada, [founded, pair])
    bobs = Credentials(bob, [founded, pair])
    async with door(keeper) as at_ada, door(bobs) as at_bob:
        await (await at_ada.dial(bobs)).close("Done.")
        keeper.update([founded, pair, removed, later])
        with pytest.raises(WasRemoved, match=r"^This PC was removed from the pool\. Pair them: idlepool pair$") as told:
            await at_ada.dial(bobs)
        assert told.value.rosters == (removed,)  # who came after it is none of its business
        assert (told.value.by, at_ada.refused[-1]) == ("ada", "127.0.0.1: bob was removed from the pool.")
        with pytest.raises(NotPaired, match="bob was removed from the pool"):
            await at_bob.dial(keeper)
        assert len(at_ada.links) == 1
        restarted = Credentials(ada, [founded, pair, removed, later])
    async with door(restarted) as at_ada:
        with pytest.raises(WasRemoved):
            await at_ada.dial(bobs)


async def test_whoever_is_added_is_let_in_without_a_restart() -> None:
    ada, bob = make_identity(), make_identity()
    founded = found_pool(ada, "ada")
    pair = add_member(founded, ada, certificate=bob.certificate, name="bob")
    keeper = Credentials(ada, [founded])
    async with door(keeper) as at_ada:
        with pytest.raises(NotPaired):
            await at_ada.dial(Credentials(bob, [pair]))
        keeper.update([founded, pair])
        link = await at_ada.dial(Credentials(bob, [pair]))
        assert read_roster(pair).find(link.peer.node)
        await link.close("Done.")


async def test_a_member_of_two_pools_is_told_that_they_differ() -> None:
    other = stranger_to(NORTH, identity=SOUTH.identity)
    async with door() as north:
        with pytest.raises(LinkError, match="north belongs to another pool") as told:
            await north.dial(other)
        assert told.value.sentence.endswith("north belongs to another pool.")
        assert told.value.hint == HOW_TO_PAIR


async def test_strangers_cost_a_place_for_seconds_only() -> None:
    limits = replace(LinkLimits(), max_strangers=3, handshake_seconds=0.3)
    async with door(limits=limits) as north:
        silent = [socket.create_connection(("127.0.0.1", north.server.port)) for _ in range(3)]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5):
            assert [await asyncio.to_thread(each.recv, 1) for each in silent] == [b""] * 3
        link = await north.dial(SOUTH)
        await link.send(EndSequence(7, 1))
        await link.close("Done.")
        for each in silent:
            each.close()


async def test_a_host_that_was_refused_often_costs_no_more_handshakes(monkeypatch) -> None:
    stranger = stranger_to(NORTH)
    async with door(limits=replace(LinkLimits(), max_refusals=3)) as north:
        for _ in range(3):
            with pytest.raises(NotPaired):
                await north.dial(stranger)
        with pytest.raises(PeerUnreachable, match="it closed the connection"):
            await north.dial(stranger)
        assert len(north.refused) == 3
        monkeypatch.setattr(strangers, "FORGET_S", 0.0)
        link = await north.dial(SOUTH)
        await link.close("Done.")


def test_the_private_key_is_nowhere_on_the_disk(tmp_path, monkeypatch) -> None:
    """`ssl` takes keys from files only; what is written for it is gone, and was encrypted."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    seen: list[bytes] = []
    real = ssl.SSLContext.load_cert_chain

    def watching(context, certfile, keyfile=None, password=None) -> None:
        seen.append(Path(certfile).read_bytes())
        real(context, certfile, keyfile, password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", watching)
    Credentials(SOUTH.identity, SOUTH.chain)
    assert seen
    assert all(b"BEGIN ENCRYPTED PRIVATE KEY" in each for each in seen)
    assert list(tmp_path.iterdir()) == []
