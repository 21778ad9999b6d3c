"""Nodes on one PC find each other over loopback; strangers' nonsense and a network without multicast do no harm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from idlepool.engine.net.discovery import SERVICE_TYPE, Discovery, NodeHint, read_hint, short_id
from idlepool.engine.net.messages import PROTOCOL_VERSION
from idlepool.engine.types import Address, NodeId

NORTH, SOUTH = NodeId("a" * 64), NodeId("b" * 64)
LOOPBACK = ["127.0.0.1"]


class Node:
    """A discovery that keeps what it is told."""

    def __init__(self, node: NodeId, port: int, *, interfaces: list[str] | None = None) -> None:
        self.seen: asyncio.Queue[NodeHint] = asyncio.Queue()
        self.troubles: list[str] = []
        self.discovery = Discovery(
            node,
            port,
            on_seen=self.seen.put_nowait,
            on_trouble=self.troubles.append,
            interfaces=interfaces or LOOPBACK,
        )


@pytest.fixture
async def stranger() -> AsyncIterator[AsyncZeroconf]:
    zeroconf = AsyncZeroconf(interfaces=LOOPBACK)
    yield zeroconf
    await zeroconf.async_close()


async def test_two_nodes_find_each_other_and_not_themselves() -> None:
    north, south = Node(NORTH, 4001), Node(SOUTH, 4002)
    try:
        await north.discovery.start()
        await south.discovery.start()
        assert await north.seen.get() == NodeHint(short_id(SOUTH), (Address("127.0.0.1", 4002),))
        assert await south.seen.get() == NodeHint(short_id(NORTH), (Address("127.0.0.1", 4001),))
        assert north.troubles == south.troubles == []
    finally:
        await north.discovery.close()
        await south.discovery.close()
    assert north.seen.empty()


async def test_a_node_that_comes_back_on_another_port_is_reported_there() -> None:
    north, south = Node(NORTH, 4001), Node(SOUTH, 4002)
    try:
        await north.discovery.start()
        await south.discovery.start()
        assert (await north.seen.get()).addresses == (Address("127.0.0.1", 4002),)
        await south.discovery.close()
        south = Node(SOUTH, 4003)
        await south.discovery.start()
        while (await north.seen.get()).addresses != (Address("127.0.0.1", 4003),):
            pass
    finally:
        await north.discovery.close()
        await south.discovery.close()


async def test_nothing_but_version_id_and_port_is_announced(stranger: AsyncZeroconf) -> None:
    north = Node(NORTH, 4001)
    await north.discovery.start()
    try:
        name = f"{short_id(NORTH)}.{SERVICE_TYPE}"
        info = await stranger.async_get_service_info(SERVICE_TYPE, name)
        assert info is not None
        assert info.properties == {b"version": str(PROTOCOL_VERSION).encode(), b"id": b"a" * 16, b"port": b"4001"}
    finally:
        await north.discovery.close()


async def test_a_strangers_nonsense_is_passed_over(stranger: AsyncZeroconf) -> None:
    north, south = Node(NORTH, 4001), Node(SOUTH, 4002)
    for number, properties in enumerate([{"id": "b" * 16, "port": "0"}, {"id": b"\xff\xfe", "port": "80"}, {}]):
        name = f"odd {number}.{SERVICE_TYPE}"
        info = AsyncServiceInfo(SERVICE_TYPE, name, port=1, properties=properties, parsed_addresses=LOOPBACK)
        await stranger.async_register_service(info, cooperating_responders=True)
    try:
        await north.discovery.start()
        await south.discovery.start()
        assert (await north.seen.get()).addresses == (Address("127.0.0.1", 4002),)
    finally:
        await north.discovery.close()
        await south.discovery.close()
    assert north.seen.empty()


async def test_without_a_network_the_user_is_told_and_nothing_breaks() -> None:
    # An address for documentation (RFC 5737): no PC has it.
    node = Node(NORTH, 4001, interfaces=["203.0.113.77"])
    await node.discovery.start()
    await node.discovery.close()
    assert len(node.troubles) == 1
    assert node.troubles[0].startswith("Other PCs are not found by themselves here (")


async def test_closing_early_or_twice_is_harmless() -> None:
    node = Node(NORTH, 4001)
    await node.discovery.close()
    await node.discovery.start()
    await node.discovery.close()
    await node.discovery.close()
    assert node.troubles == []


@pytest.mark.parametrize(
    ("identity", "port", "hosts"),
    [
        (b"a" * 15, b"80", LOOPBACK),
        (b"A" * 16, b"80", LOOPBACK),
        (b"a" * 16, b"65536", LOOPBACK),
        (b"a" * 16, b"-1", LOOPBACK),
        (b"a" * 16, b"\xd9\xa1", LOOPBACK),
        (b"a" * 16, None, LOOPBACK),
        (b"a" * 16, b"80", []),
        (b"a" * 16, b"80", ["224.0.0.251", "0.0.0.0", "pc"]),
    ],
)
def test_a_bad_announcement_gives_no_hint(identity: bytes, port: bytes | None, hosts: list[str]) -> None:
    assert read_hint({b"id": identity, b"port": port}, hosts) is None


@given(
    st.dictionaries(st.sampled_from([b"id", b"port", b"version"]) | st.binary(), st.none() | st.binary()),
    st.lists(st.ip_addresses().map(str) | st.text(), max_size=20),
)
def test_any_announcement_gives_a_hint_or_nothing(properties: dict[bytes, bytes | None], hosts: list[str]) -> None:
    hint = read_hint(properties, hosts)
    assert hint is None or all(0 < address.port < 2**16 for address in hint.addresses)
