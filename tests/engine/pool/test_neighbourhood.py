"""What a PC knows of the others, and what it says of those it does not reach."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
import pytest
from played_pool import until
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from idlepool.engine.net import handshake
from idlepool.engine.net.discovery import SERVICE_TYPE, short_id
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.messages import PROTOCOL_VERSION
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pool import peers as peers_module
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.pool.membership import load_membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.visitor import Visitor
from idlepool.engine.trust_errors import HOW_TO_PAIR
from idlepool.engine.types import Address


class Neighbour(Visitor):
    """A PC called like its data folder."""

    def __init__(self, home, **settings):
        self.home = home
        self.membership = load_membership(home, home.name, FileKeyStore(home))
        super().__init__(NodeSettings(home.name, home, **settings), self.membership)

    @property
    def address(self):
        return Address("127.0.0.1", self.links.port)

    def says(self, name):
        """What it says of the PC with that name."""
        return next((info for info in self.neighbourhood.infos() if info.name == name), None)

    def state_of(self, name):
        info = self.says(name)
        return info.state if info else None


@pytest.fixture
async def start(tmp_path):
    """`await start(name, **settings)`: a PC that looks who is there."""
    async with contextlib.AsyncExitStack() as stack:

        async def start(name, **settings):
            neighbour = Neighbour(tmp_path / name, **settings)
            stack.push_async_callback(neighbour.close)
            await neighbour.start()
            return neighbour

        yield start


@pytest.fixture
def paired(tmp_path):
    pair_homes({tmp_path / name: name for name in ("north", "south")})


async def test_two_of_a_pool_find_each_other(start, paired):
    north, south = await start("north"), await start("south")
    await until(lambda: north.state_of("south") == south.state_of("north") == "present")
    info = north.says("south")
    assert (info.node, info.address) == (south.membership.node, str(south.address))
    assert info.found in ("announced", "called")
    assert info.build
    here = north.says("north")
    assert (here.here, here.present, here.node) == (True, True, north.membership.node)


async def test_everybody_is_called_what_the_roster_says(start, tmp_path):
    """Whatever a PC calls itself now: the name is that under which it was paired."""
    pair_homes({tmp_path / "north": "north", tmp_path / "south": "Ann's laptop"})
    north, _ = await start("north"), await start("south")
    await until(lambda: north.state_of("Ann's laptop") == "present")
    assert north.says("south") is None


async def test_a_pc_that_is_silent_is_shown_as_such_with_its_seconds(start, paired, monkeypatch):
    monkeypatch.setattr(peers_module, "TICK_S", 0.1)
    monkeypatch.setattr(peers_module, "SUSPECT_TICKS", 11)
    monkeypatch.setattr(peers_module, "GONE_TICKS", 10_000)
    monkeypatch.setattr(peers_module, "SHOWN_TICKS", 10)
    north, _ = await start("north"), await start("south")
    monkeypatch.setattr(peers_module, "HEARTBEAT_S", 3600)
    suspect = await until(lambda: (info := north.says("south")).state == "suspect" and info)
    assert (suspect.present, suspect.reason) == (True, "Nothing was heard of it for 1 s.")
    await until(lambda: north.says("south").reason == "Nothing was heard of it for 2 s.")


async def test_a_pc_of_another_pool_is_told_apart_from_one_that_is_off(start):
    north = await start("north")
    off = Address("127.0.0.1", free_port())
    south = await start("south", peers=(north.address, off))
    await until(lambda: south.state_of(str(north.address)) == "unpaired")
    told = south.says(str(north.address))
    assert (told.reason, told.hint) == (f"The PC at {north.address} is not paired with this PC.", HOW_TO_PAIR)
    await until(lambda: south.state_of(str(off)) == "unreachable")
    told = south.says(str(off))
    assert told.reason == f"Nobody answers at {off}: the connection was refused."
    assert told.hint == "Is Idlepool running there?"


async def test_who_calls_and_is_not_let_in_is_shown(start):
    north = await start("north")
    _, writer = await asyncio.open_connection(north.address.host, north.address.port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    caller = await until(lambda: north.says("127.0.0.1"))
    writer.close()
    assert (caller.state, caller.found, caller.present) == ("refused", "called", False)
    assert caller.reason.startswith("Something other than Idlepool")


async def test_who_is_only_announced_is_unverified(start):
    north, south = await start("north"), await start("south")
    name = short_id(south.membership.node)[:8]
    await until(lambda: north.state_of(name) == "unverified")
    assert north.says(name).address == str(south.address)
    assert north.neighbourhood.peers.present == {}


async def test_who_is_removed_is_no_neighbour_any_more(start, paired):
    north, south = await start("north"), await start("south")
    await until(lambda: north.state_of("south") == south.state_of("north") == "present")
    north.membership.remove(south.membership.node)
    assert north.says("south") is None
    assert north.neighbourhood.peers.present == {}
    await until(lambda: south.membership.removed_by == "north" and south.says("north") is None)


async def test_two_admins_that_added_a_pc_each_while_apart_are_one_pool_again(start, paired, tmp_path):
    for old, new in (("north", "west"), ("south", "east")):
        host, guest = (load_membership(tmp_path / name, name, FileKeyStore(tmp_path / name)) for name in (old, new))
        host.add(guest.identity.certificate, new)
        guest.join(host.chain)
    pcs = [await start(name) for name in ("west", "north", "south", "east")]
    await until(lambda: len({str(pc.membership.roster) for pc in pcs}) == 1)
    await until(lambda: all(len(pc.neighbourhood.peers.present) == 3 for pc in pcs))
    assert {member.name for member in pcs[0].membership.roster.members} == {"north", "south", "west", "east"}


async def test_a_pc_that_was_removed_while_it_was_off_learns_of_it(start, paired):
    north = await start("north")
    north.membership.remove(Neighbour(north.home.parent / "south").membership.node)
    south = await start("south", peers=(north.address,))
    await until(lambda: south.membership.removed_by == "north")
    assert [info.name for info in south.neighbourhood.infos() if info.state == "present"] == ["south"]


async def test_a_newer_pc_that_is_dialled_is_named_by_its_version(start, paired, monkeypatch):
    """It is announced nowhere: the address was typed."""
    north = await start("north", interfaces=("127.0.0.1",))
    real = handshake.answer_hello

    def refuse(data, welcome, *, guest):
        clash = handshake.version_clash("north", 9, "south", PROTOCOL_VERSION)
        return handshake.Refused(clash, 9) if guest != north.membership.node else real(data, welcome, guest=guest)

    monkeypatch.setattr("idlepool.engine.net.link_server.answer_hello", refuse)
    south = await start("south", peers=(north.address,))
    told = await until(lambda: (info := south.says(str(north.address))) and info)
    assert told.state == "other version"
    assert f"north speaks protocol version 9, south version {PROTOCOL_VERSION}" in told.reason


async def test_another_version_is_named(start, paired, tmp_path, monkeypatch):
    """An older program is announced as such, and refuses this one with both versions."""
    north = await start("north")
    older = Neighbour(tmp_path / "south")

    def refuse(data, welcome, *, guest):
        opening = msgspec.json.decode(data)
        return handshake.Refused(handshake.version_clash("south", 1, "north", opening["version"]))

    monkeypatch.setattr("idlepool.engine.net.link_server.answer_hello", refuse)
    await older.links.start()
    announced = AsyncZeroconf(interfaces=["127.0.0.1"])
    identity = short_id(older.membership.node)
    properties = {"version": "1", "id": identity, "port": str(older.links.port)}
    info = AsyncServiceInfo(
        SERVICE_TYPE,
        f"{identity}.{SERVICE_TYPE}",
        port=older.links.port,
        properties=properties,
        parsed_addresses=["127.0.0.1"],
    )
    await announced.async_register_service(info, cooperating_responders=True)
    try:
        told = await until(lambda: (info := north.says("south")).state == "other version" and info)
    finally:
        await announced.async_close()
        await older.close()
    assert f"south speaks protocol version 1, north version {PROTOCOL_VERSION}" in told.reason
