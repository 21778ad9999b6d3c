"""Two nodes that run pair for their windows, meet at once, and part when one is removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from idlepool.app.node_client import NodeClient
from idlepool.engine.commands import EnterCode, LeavePool, OpenPairing, RemoveMember
from idlepool.engine.events import NodeReady, PoolChanged, Trouble
from idlepool.engine.pairing_events import MembersChanged, PairingDone, PairingFailed, PairingOpen
from idlepool.engine.pool.child_process import python_module

Start = Callable[[str], NodeClient]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A node of that name, alone in its pool."""
    with ExitStack() as stack:

        def start_node(name: str) -> NodeClient:
            options = ["--control", "--name", name, "--home", str(tmp_path / name), "--port", "0", "--key-file"]
            options += ["--listen", "127.0.0.1"]
            client = stack.enter_context(NodeClient(python_module("idlepool.app", "node", *options)))
            next_of(client, NodeReady)
            return client

        yield start_node


def next_of(client: NodeClient, kind, such=lambda event: True):
    while not (isinstance(event := client.next_event(), kind) and such(event)):
        pass
    return event


def here(*names: str) -> Callable[[PoolChanged], bool]:
    """Whether these PCs are present, and no others."""
    return lambda event: sorted(peer.name for peer in event.peers if peer.present) == sorted(names)


def pair(north: NodeClient, south: NodeClient) -> PairingDone:
    north.send(OpenPairing())
    south.send(EnterCode(next_of(north, PairingOpen).code))
    at_south, at_north = next_of(south, PairingDone), next_of(north, PairingDone)
    assert at_south.words == at_north.words
    return at_north


def test_paired_nodes_meet_at_once_and_part_when_one_is_removed(start: Start):
    north, south = start("north"), start("south")
    assert [member.name for member in next_of(north, MembersChanged).members] == ["north"]
    paired = pair(north, south)
    assert paired.name == "south"
    next_of(north, PoolChanged, here("north", "south"))
    next_of(south, PoolChanged, here("north", "south"))
    north.send(RemoveMember(paired.node))
    next_of(north, PoolChanged, here("north"))
    assert "north removed this PC from the pool" in next_of(south, Trouble).sentence
    next_of(south, PoolChanged, here("south"))


def test_a_third_pc_meets_both(start: Start):
    north, south, west = start("north"), start("south"), start("west")
    pair(north, south)
    pair(south, west)
    for client in (north, south, west):
        next_of(client, PoolChanged, here("north", "south", "west"))


def test_a_pc_that_left_is_met_no_more(start: Start):
    north, south = start("north"), start("south")
    pair(north, south)
    next_of(south, PoolChanged, here("north", "south"))
    south.send(LeavePool())
    next_of(south, PoolChanged, here("south"))
    next_of(north, PoolChanged, here("north"))


def test_what_cannot_be_is_told(start: Start):
    north = start("north")
    north.send(EnterCode("K7"))
    assert "no pairing code" in next_of(north, PairingFailed).sentence
    north.send(RemoveMember("5" * 64))
    assert "no member" in next_of(north, PairingFailed).sentence
