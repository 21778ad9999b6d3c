"""Whoever dials whom, and however often: each pair of PCs keeps one control link for as long as both are there."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from paired import paired
from played_pool import until

from idlepool.engine.errors import FrameError
from idlepool.engine.net.discovery import NodeHint, short_id
from idlepool.engine.net.link import Link, dial
from idlepool.engine.net.link_server import LinkServer
from idlepool.engine.net.messages import DeviceInfo, EndSequence, Hello, NodeStatus
from idlepool.engine.net.tls import Credentials
from idlepool.engine.pool import peers as peers_module
from idlepool.engine.pool.peers import Peers
from idlepool.engine.types import Address, ElementType, NodeId


class Pc:
    """The control side of a node: it listens, dials, and notes what it hears."""

    def __init__(self, credentials: Credentials, *, instance: int = 1) -> None:
        self.credentials = credentials
        self.instance = instance
        self.id = NodeId(credentials.own.node)
        self.name = credentials.own.name
        self.met = 0
        self.lost: list[NodeId] = []
        self.status = NodeStatus(())
        self.server = LinkServer("127.0.0.1", 0, credentials=credentials, on_link=self._meet, instance=instance)
        self.peers = Peers(
            self.id,
            dial=self._dial,
            status=lambda: self.status,
            on_item=self._hear,
            on_change=lambda: None,
            on_lost=self.lost.append,
        )

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.server.port)

    @property
    def here(self) -> list[str]:
        return [peer.link.peer.name for peer in self.peers.present.values()]

    async def close(self) -> None:
        await self.peers.close()
        await self.server.close()

    async def _meet(self, link) -> None:
        self.met += 1
        await self.peers.adopt(link, dialled_here=False)

    async def _dial(self, address: Address) -> Link:
        hello = Hello("control", port=self.server.port, instance=self.instance)
        return await dial(address, hello, credentials=self.credentials)

    async def _hear(self, node, item) -> None:
        raise FrameError(f"pc-{self.name} expects no {type(item).__name__}.")


@pytest.fixture
async def pcs():
    """`a`, `b` (the larger id) and `c`, listening."""
    async with contextlib.AsyncExitStack() as stack:
        made = [Pc(credentials) for credentials in paired("a", "b", "c")]
        for pc in made:
            await pc.server.start()
            stack.push_async_callback(pc.close)
        yield made


async def test_two_that_dial_at_once_keep_the_same_one_link(pcs):
    a, b, _ = pcs
    a.peers.typed(b.address)
    b.peers.typed(a.address)
    await until(lambda: a.met and b.met and a.here and b.here)
    await asyncio.sleep(0.2)
    assert (a.here, b.here, a.lost, b.lost) == (["b"], ["a"], [], [])
    assert a.peers.present[b.id].dialled_here
    assert not b.peers.present[a.id].dialled_here
    a.status = NodeStatus((DeviceInfo("CPU", ElementType.F32, 5),))
    await a.peers.tell_status()
    await until(lambda: b.peers.present[a.id].devices)


async def test_who_is_here_is_not_dialled_again(pcs, monkeypatch):
    monkeypatch.setattr(peers_module, "FIRST_RETRY_S", 0.01)
    a, b, _ = pcs
    a.peers.typed(b.address)
    b.peers.typed(a.address)
    await until(lambda: a.here and b.here)
    await asyncio.sleep(0.5)
    assert a.met <= 2
    assert b.met <= 2
    await a.peers.present[b.id].link.close("The cable was pulled.")
    await until(lambda: b.lost and a.here and b.here)


async def test_a_typed_pc_is_tried_until_it_comes_and_again_when_it_went(pcs, monkeypatch):
    monkeypatch.setattr(peers_module, "FIRST_RETRY_S", 0.01)
    a, b, c = pcs
    address = b.address
    await b.close()
    a.peers.typed(address)
    for one in (b, c):  # a later PC at the same address is met as well
        await asyncio.sleep(0.05)
        pc = Pc(one.credentials)
        pc.server.port = address.port
        await pc.server.start()
        await until(lambda pc=pc: a.here == [pc.name])
        await pc.close()
        await until(lambda pc=pc: a.lost[-1:] == [pc.id])
    assert a.here == []


async def test_a_hint_leads_to_a_link(pcs):
    a, b, _ = pcs
    a.peers.hint(NodeHint(short_id(b.id), (Address("127.0.0.1", 1), b.address)))
    await until(lambda: a.here == ["b"] and b.here == ["a"])


async def test_a_hint_of_who_is_here_is_ignored(pcs):
    a, b, _ = pcs
    a.peers.typed(b.address)
    await until(lambda: a.here)
    a.peers.hint(NodeHint(short_id(b.id), (b.address,)))
    b.peers.hint(NodeHint(short_id(a.id), (a.address,)))
    await asyncio.sleep(0.1)
    assert (a.met, b.met) == (0, 1)


async def test_a_hint_is_followed_until_it_is_taken_back(pcs, monkeypatch):
    monkeypatch.setattr(peers_module, "FIRST_RETRY_S", 0.01)
    a, b, c = pcs
    await b.close()
    a.peers.hint(NodeHint(short_id(b.id), (b.address,)))
    a.peers.hint(NodeHint(short_id(c.id), (b.address,)))
    await asyncio.sleep(0.1)
    a.peers.forget(short_id(b.id))
    a.peers.hint(NodeHint(short_id(c.id), (c.address,)))  # it moved
    await until(lambda: a.here == ["c"])
    again = Pc(b.credentials)
    again.server.port = b.server.port
    await again.server.start()
    await asyncio.sleep(0.2)
    assert a.here == ["c"]
    await again.close()


async def test_a_hint_that_was_taken_back_leaves_an_open_link_alone(pcs):
    a, b, _ = pcs
    a.peers.hint(NodeHint(short_id(b.id), (b.address,)))
    await until(lambda: a.here == ["b"])
    a.peers.forget(short_id(b.id))
    await asyncio.sleep(0.05)
    assert a.here == ["b"]


async def test_a_pc_that_came_back_replaces_what_it_was(pcs):
    """It was restarted before its old link was missed: one PC, not two, and nothing of what was agreed holds."""
    a, b, _ = pcs
    again = Pc(b.credentials, instance=2)
    await again.server.start()
    b.peers.typed(a.address)
    await until(lambda: a.here == ["b"])
    old = a.peers.present[b.id].link
    again.peers.typed(a.address)
    await until(lambda: a.peers.present[b.id].link is not old)
    await until(lambda: not b.here)
    assert a.here == ["b"]
    assert a.lost == [b.id]
    await again.close()


async def test_what_breaks_the_protocol_ends_the_link_with_the_reason(pcs):
    a, b, _ = pcs
    a.peers.typed(b.address)
    await until(lambda: a.here and b.here)
    link = a.peers.present[b.id].link
    await b.peers.send(a.id, EndSequence(1, 1))
    assert await link.wait_closed() == "pc-a expects no EndSequence."
    await until(lambda: a.here and a.peers.present[b.id].link is not link)  # typed: it is tried again
    await a.peers.send(b.id, EndSequence(1, 1))
    await until(lambda: a.lost == [b.id, b.id])


async def test_a_goodbye_is_heard(pcs):
    a, b, c = pcs
    b.peers.typed(a.address)
    c.peers.typed(a.address)
    await until(lambda: sorted(a.here) == ["b", "c"])
    await b.close()
    await until(lambda: a.here == ["c"])
    assert a.lost == [b.id]
