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


class Watched:
    """A node as its window sees it: events in their order, and who is present by the latest of them."""

    def __init__(self, client: NodeClient) -> None:
        self.send = client.send
        self._client = client
        self._present: list[str] = []

    def next_of(self, kind):
        """The next event of this kind."""
        while not isinstance(event := self._next_event(), kind):
            pass
        return event

    def wait_for_pcs(self, *names: str) -> None:
        """Until these are present and no others; they may have met before they said that they are paired."""
        while self._present != sorted(names):
            self._next_event()

    def _next_event(self):
        event = self._client.next_event()
        if isinstance(event, PoolChanged):
            self._present = sorted(peer.name for peer in event.peers if peer.present)
        return event


Start = Callable[[str], Watched]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A node of that name, alone in its pool."""
    with ExitStack() as stack:

        def start_node(name: str) -> Watched:
            options = ["--control", "--name", name, "--home", str(tmp_path / name), "--port", "0", "--key-file"]
            options += ["--listen", "127.0.0.1", "--lend", "always"]
            node = Watched(stack.enter_context(NodeClient(python_module("idlepool.app", "node", *options))))
            node.next_of(NodeReady)
            return node

        yield start_node


def pair(north: Watched, south: Watched) -> PairingDone:
    north.send(OpenPairing())
    south.send(EnterCode(north.next_of(PairingOpen).code))
    at_south, at_north = south.next_of(PairingDone), north.next_of(PairingDone)
    assert at_south.words == at_north.words
    return at_north


def test_paired_nodes_meet_at_once_and_part_when_one_is_removed(start: Start):
    north, south = start("north"), start("south")
    assert [member.name for member in north.next_of(MembersChanged).members] == ["north"]
    paired = pair(north, south)
    assert paired.name == "south"
    north.wait_for_pcs("north", "south")
    south.wait_for_pcs("north", "south")
    north.send(RemoveMember(paired.node))
    north.wait_for_pcs("north")
    assert "north removed this PC from the pool" in south.next_of(Trouble).sentence
    south.wait_for_pcs("south")


def test_a_third_pc_meets_both(start: Start):
    north, south, west = start("north"), start("south"), start("west")
    pair(north, south)
    pair(south, west)
    for node in (north, south, west):
        node.wait_for_pcs("north", "south", "west")


def test_a_pc_that_left_is_met_no_more(start: Start):
    north, south = start("north"), start("south")
    pair(north, south)
    south.wait_for_pcs("north", "south")
    south.send(LeavePool())
    south.wait_for_pcs("south")
    north.wait_for_pcs("north")


def test_what_cannot_be_is_told(start: Start):
    north = start("north")
    north.send(EnterCode("K7"))
    assert "no pairing code" in north.next_of(PairingFailed).sentence
    north.send(RemoveMember("5" * 64))
    assert "no member" in north.next_of(PairingFailed).sentence
