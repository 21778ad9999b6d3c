"""Who is let in and who is not, with which words; and that a listener closes whatever its guests do."""

from __future__ import annotations

import asyncio
import datetime
import ssl
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from idlepool.engine.errors import PeerRefused, PeerUnreachable, PortInUse
from idlepool.engine.net.link import Link, LinkLimits, dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import EndSequence, Hello, Refused, Welcome, decode_message, encode_message

HELLO = Hello("activation", "b" * 64, "south", 4711, session=7)
QUICK = LinkLimits(handshake_seconds=0.3, close_seconds=0.3)


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        (msgspec.structs.replace(HELLO, version=9), "north speaks protocol version 1, south version 9"),
        (msgspec.structs.replace(HELLO, pool="upstairs"), "north belongs to another pool"),
        (msgspec.structs.replace(HELLO, node="a" * 64), "That is this PC itself"),
    ],
)
async def test_a_hello_is_refused_with_the_reason(listening, hello: Hello, said: str) -> None:
    async with listening() as north:
        with pytest.raises(PeerRefused, match=said):
            await dial(north.address, hello)
        assert north.links.empty()


async def test_a_later_version_is_named_even_if_its_hello_is_unknown_here(listening) -> None:
    async with listening() as north, connect(f"ws://{north.address}", proxy=None) as stranger:
        await stranger.send('{"type": "hello", "version": 3, "name": "east", "role": "telepathy"}')
        answer = decode_message(await stranger.recv())
        assert answer == Refused("north speaks protocol version 1, east version 3: update the older one.")


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
    async with listening() as north, connect(f"ws://{north.address}", proxy=None) as stranger:
        await stranger.send(opening)
        await stranger.wait_closed()
        assert stranger.close_code == 1002
        assert north.links.empty()


async def test_who_says_nothing_is_turned_away(listening) -> None:
    async with listening(limits=QUICK) as north, connect(f"ws://{north.address}", proxy=None) as stranger:
        await stranger.wait_closed()
        assert stranger.close_reason == "No Hello came."


async def test_a_web_page_may_not_connect(listening) -> None:
    async with listening() as north:
        with pytest.raises(InvalidStatus, match="403"):
            await connect(f"ws://{north.address}", proxy=None, origin="http://example.org")  # type: ignore[arg-type]


async def test_strangers_are_limited_and_make_room_again(listening) -> None:
    async with listening(limits=replace(QUICK, max_strangers=2, handshake_seconds=30)) as north:
        first, second = [await asyncio.open_connection("127.0.0.1", north.server.port) for _ in range(2)]
        with pytest.raises(PeerUnreachable):
            await dial(north.address, HELLO)
        for _, writer in (first, second):
            writer.close()
            await writer.wait_closed()
        links = [await dial(north.address, HELLO) for _ in range(4)]
        assert north.links.qsize() == 4
        for link in links:
            await link.close("Done.")


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
        await dial(north.address, HELLO)
        await north.links.get()
    assert ended.is_set()


async def test_a_port_in_use_is_named(listening) -> None:
    async with listening() as north:
        second = LinkServer(
            "127.0.0.1", north.server.port, welcome=Welcome(HELLO.node, "south", 0), on_link=north.links.put
        )
        with pytest.raises(PortInUse, match=f"Port {north.server.port} is used by another program"):
            await second.start()
        await second.close()


def _certificate(folder: Path) -> Path:
    """A self-signed certificate and its key in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "north")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "north.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


async def test_links_run_over_tls_and_plain_connections_are_turned_away(listening, tmp_path: Path) -> None:
    pem = _certificate(tmp_path)
    inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    inside.load_cert_chain(pem)
    outside = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    outside.check_hostname = False
    outside.load_verify_locations(pem)
    async with listening(tls=inside) as north:
        link = await dial(north.address, HELLO, tls=outside)
        await link.send(EndSequence(7, 1))
        assert await north.heard.get() == EndSequence(7, 1)
        await link.close("Done.")
        with pytest.raises(PeerUnreachable):
            await dial(north.address, HELLO)
        with pytest.raises(PeerUnreachable, match="certificate verify failed"):
            await dial(north.address, HELLO, tls=ssl.create_default_context())
