"""`idlepool pair`, `peers` and `plan` where a node runs with the same data folder: it does what they ask for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from idlepool.app.event_lines import next_of
from idlepool.app.node_client import NodeClient
from idlepool.engine.events import NodeReady, PoolChanged
from idlepool.engine.models.store import ModelStore
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pairing_events import MembersChanged
from idlepool.engine.pool.child_process import python_module
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.pool.membership import load_membership

Start = Callable[[str], NodeClient]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A node of that name with its window; its port is that of nobody else."""
    with ExitStack() as stack:

        def start_node(name: str, *more: str) -> NodeClient:
            options = ["--control", "--name", name, "--home", str(tmp_path / name), "--key-file"]
            options += ["--listen", "127.0.0.1", "--lend", "always", *(more or ("--port", "0"))]
            window = stack.enter_context(NodeClient(python_module("idlepool.app", "node", *options)))
            next_of(window, NodeReady)
            return window

        yield start_node


def wait_for_pcs(window: NodeClient, *names: str) -> None:
    """Until these are present and no others."""
    while sorted(peer.name for peer in next_of(window, PoolChanged).peers if peer.present) != sorted(names):
        pass


def members(home: Path) -> list[str]:
    return sorted(member.name for member in load_membership(home, home.name, FileKeyStore(home)).roster.members)


def test_nodes_that_run_pair_by_commands_and_meet_at_once(start: Start, run, tmp_path: Path):
    north, south = start("north"), start("south")
    shows = run("pair", home=tmp_path / "north")
    code = shows.read().strip()
    types = run("pair", code.lower(), home=tmp_path / "south")
    assert (types.finish(), shows.finish()) == (0, 0), types.error + shows.error
    words = types.out.split()
    assert len(words) == 4
    assert shows.out.split() == [code, *words]
    assert "Type this code on the other PC within" in shows.error
    assert "Paired with north" in types.error
    wait_for_pcs(north, "north", "south")
    removes = run("pair", "--remove", "south", home=tmp_path / "north")
    assert removes.finish() == 0, removes.error
    assert removes.error.startswith("south is no member of the pool any more.")
    wait_for_pcs(south, "south")
    assert members(tmp_path / "north") == ["north"]


def test_what_cannot_be_is_told_as_without_a_node(start: Start, run, tmp_path: Path):
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    start("north")
    unknown = run("pair", "--remove", "east", home=tmp_path / "north")
    assert unknown.finish() == 1
    assert "No PC called “east” is paired here. Paired are: south." in unknown.error
    pooled = run("pair", "K7MP-3XQ9", home=tmp_path / "north")
    assert pooled.finish() == 1
    assert "shares a pool with south already" in pooled.error


def test_a_pc_leaves_its_pool_and_its_window_hears_of_it(start: Start, run, tmp_path: Path):
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    window = start("north")
    leaves = run("pair", "--leave", home=tmp_path / "north")
    assert leaves.finish() == 0, leaves.error
    assert leaves.error.startswith("This PC is in no pool with others any more.")
    while [member.name for member in next_of(window, MembersChanged).members] != ["north"]:
        pass


def test_the_pcs_are_told_of_as_the_node_sees_them(start: Start, run, tmp_path: Path):
    pair_homes({tmp_path / name: name for name in ("north", "south", "west")})
    start("north")
    port = str(free_port())
    start("south", "--port", port)
    command = run("peers", "--json", "--peer", f"127.0.0.1:{port}", "--seconds", "10", home=tmp_path / "north")
    assert command.finish() == 1, command.error
    told = {pc["name"]: pc for pc in json.loads(command.out)}
    assert told["north"]["this_pc"]
    assert told["south"]["state"] == "present"
    assert min(told["south"][figure] for figure in ("round_trip_ms", "receives_mb_s", "sends_mb_s")) > 0
    assert told["west"]["state"] == "looking"
    assert "round_trip_ms" not in told["west"]
    again = run("peers", home=tmp_path / "north")
    assert again.finish() == 1
    assert "  round trip " in again.out


def test_a_plan_is_made_from_what_the_node_knows(start: Start, run, tmp_path: Path, tiny_model: Path):
    pair_homes({tmp_path / name: name for name in ("north", "south")})
    ModelStore(tmp_path / "north").add_folder(tiny_model, name="tiny")
    start("north")
    plan = run("plan", "tiny", "--json", home=tmp_path / "north")
    while plan.finish() and "or not yet" in plan.error:  # its devices are found in its first seconds
        plan = run("plan", "tiny", "--json", home=tmp_path / "north")
    made = json.loads(plan.out)
    assert [(stage["name"], stage["first"], stage["last"]) for stage in made["stages"]] == [("north", 0, 4)]
    assert [left["name"] for left in made["left_out"]] == ["south"]
