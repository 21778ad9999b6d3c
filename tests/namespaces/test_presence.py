"""PCs with networks of their own find each other whatever their adapters do, and miss each other soon."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys

import psutil
import pytest
from played_network import PlayedNetwork, why_not

from idlepool.app.node_client import NodeClient
from idlepool.engine.events import PoolChanged
from idlepool.engine.pool.founding import pair_homes

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())


class Pair:
    """The nodes "north" and "south", who listen on all their adapters."""

    def __init__(self, network, root):
        self.network = network
        self._root = root
        self.clients = {}

    def start(self, name):
        node = [sys.executable, "-m", "idlepool.app", "node", "--control", "--key-file"]
        node += ["--name", name, "--home", str(self._root / name), "--listen", "::", "--lend", "always"]
        client = self.clients[name] = NodeClient(self.network.command(name, node))
        return client

    def ip(self, name, *commands):
        """Do something to the adapters of a PC."""
        for command in commands:
            subprocess.run(self.network.command(name, ["ip", *command.split()]), check=True)

    def until(self, name, condition):
        """What the PC `name` says of the other one, once it fulfils the condition."""
        while True:
            event = self.clients[name].next_event()
            if isinstance(event, PoolChanged):
                (other,) = (peer for peer in event.peers if not peer.here and peer.name in self.network.addresses)
                if condition(other):
                    return other

    def until_here(self, name):
        return self.until(name, lambda peer: peer.present)

    def until_gone(self, name):
        return self.until(name, lambda peer: not peer.present)


@contextlib.contextmanager
def pair(root, *, before=()):
    """Both nodes, present for each other; `before` they start, the adapters of both are changed by these commands."""
    names = ("north", "south")
    pair_homes({root / name: name for name in names})
    with PlayedNetwork(names) as network, contextlib.ExitStack() as stack:
        played = Pair(network, root)
        for name in names:
            played.ip(name, *before)
            stack.enter_context(played.start(name))
        yield played


def test_a_pc_that_froze_or_lost_its_cable_is_missed_and_found_again(tmp_path):
    with pair(tmp_path) as played:
        found = played.until_here("north")
        assert found.address.startswith(("10.77.0.2:", "[fe80::"))
        south = psutil.Process(played.clients["south"].pid)
        south.send_signal(signal.SIGSTOP)
        played.until("north", lambda peer: peer.state == "suspect")
        played.until_gone("north")
        south.send_signal(signal.SIGCONT)
        played.until_here("north")
        played.until_gone("south")
        played.until_here("south")
        played.ip("south", "link set eth0 down")
        played.until_gone("north")
        played.until_gone("south")
        played.ip("south", "link set eth0 up")
        played.until_here("north")


def test_a_pc_that_gets_another_address_is_found_there(tmp_path):
    no_ipv6 = ("link set eth0 addrgenmode none", "-6 address flush dev eth0")
    with pair(tmp_path, before=no_ipv6) as played:
        assert played.until_here("north").address.startswith("10.77.0.2:")
        played.ip("south", "address flush dev eth0", "address add 10.77.0.99/24 dev eth0")
        played.until_gone("north")
        assert played.until_here("north").address.startswith("10.77.0.99:")


def test_pcs_without_ipv4_find_each_other(tmp_path):
    """A cable between two PCs, and nobody who gives out addresses."""
    with pair(tmp_path, before=("-4 address flush dev eth0",)) as played:
        found = played.until_here("north")
        assert found.address.startswith("[fe80::")
        assert "%" in found.address


def test_the_common_lan_is_taken_and_not_a_network_of_containers(tmp_path):
    """Both have the same address there, as with Docker's default network."""
    containers = ("link add docker0 type bridge", "address add 172.17.0.1/16 dev docker0", "link set docker0 up")
    with pair(tmp_path, before=containers) as played:
        found = played.until_here("north")
        assert found.address.startswith(("10.77.0.2:", "[fe80::"))
