"""What `idlepool peers` tells of PCs that are there, that are away, and that belong to nobody here."""

from __future__ import annotations

import asyncio
import contextlib
import json

from idlepool.engine.build import BUILD
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.pool.folder_lock import folder_lock
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.pool.membership import load_membership
from idlepool.engine.pool.node_settings import NodeSettings
from idlepool.engine.pool.visitor import Visitor

LOOPBACK = ("--listen", "127.0.0.1")


@contextlib.asynccontextmanager
async def visiting(home):
    """The PC with this data folder, called like it, as long as the block lasts."""
    membership = load_membership(home, home.name, FileKeyStore(home))
    visitor = Visitor(NodeSettings(home.name, home), membership)
    await visitor.start()
    try:
        yield visitor, membership.node
    finally:
        await visitor.close()


async def test_each_pc_of_the_pool_is_told_of(tmp_path, run):
    """Paired are three, two are there; a fourth one in the network is none of theirs."""
    pair_homes({tmp_path / name: name for name in ("north", "south", "west")})
    async with visiting(tmp_path / "south") as (south, _), visiting(tmp_path / "stranger") as (_, stranger):
        command = run("peers", "--json", "--seconds", "6", *LOOPBACK, home=tmp_path / "north")
        assert await asyncio.to_thread(command.finish) == 1, command.error
        where = f"127.0.0.1:{south.links.port}"
    told = {pc["name"]: pc for pc in json.loads(command.out)}
    assert told["north"]["this_pc"]
    assert told["north"]["build"] == BUILD
    here, away = told["south"], told["west"]
    assert (here["state"], here["address"], here["build"]) == ("present", where, BUILD)
    assert here["found"] in ("announced", "called")
    assert min(here[figure] for figure in ("round_trip_ms", "receives_mb_s", "sends_mb_s")) > 0
    assert away["state"] == "looking"
    assert away["reason"].startswith("It is not announced in this network")
    assert "round_trip_ms" not in away
    unknown = told[stranger[:8]]
    assert (unknown["state"], unknown["reason"]) == ("unverified", "It is not paired with this PC.")


async def test_a_complete_pool_is_told_in_words(tmp_path, run):
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    async with visiting(tmp_path / "south") as (south, _):
        where = f"127.0.0.1:{south.links.port}"
        command = run("peers", "--peer", where, "--seconds", "20", *LOOPBACK, home=tmp_path / "north")
        assert await asyncio.to_thread(command.finish) == 0, command.error
    lines = command.out.splitlines()
    assert lines[:3] == ["north  this PC", f"  version {BUILD}", "south  present"]
    assert lines[3].startswith(f"  {where} (")
    assert lines[4].startswith("  round trip ")


def test_alone_one_is_told_how_to_pair(tmp_path, run):
    command = run("peers", "--name", "north", "--seconds", "1", *LOOPBACK, home=tmp_path)
    assert command.finish() == 0
    assert command.out.splitlines()[0] == "north  this PC"
    assert "This PC shares its pool with no other one yet. Pair them: idlepool pair" in command.error


def test_beside_a_running_node_it_says_so(tmp_path, run):
    with folder_lock(tmp_path):
        command = run("peers", *LOOPBACK, home=tmp_path)
        assert command.finish() == 1
    assert f"Idlepool runs already with {tmp_path}" in command.error
