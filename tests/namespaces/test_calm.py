"""A pool that is left alone stays as it is: on a bad network, beside another pool, and where a PC starts ever anew."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager

import pytest
from played_network import PlayedNetwork, why_not
from played_nodes import PlayedNode, running
from played_office import PlayedOffice, node_options, plain_node, played_office

from idlepool.app.bench.proxy import DelayProxy, Line
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pool.founding import pair_homes
from idlepool.engine.types import Address

in_namespaces = pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be played here")

SECONDS, MANY_SECONDS = 20, float(os.environ.get("IDLEPOOL_CALM_SECONDS", "600"))
UNSTEADY = Line(delay_ms=0, jitter_ms=100, seed=6)
"""50 ms each way, more or less by up to 50 ms."""
STALL_S = 1.0
STALLS_EVERY_S = 2.0, 8.0
HOST = "127.0.0.1"
SEA = "Tell me about the sea."


def on_line(port: int, line: DelayProxy) -> list[str]:
    return ["--port", str(port), "--via", str(line.address)]


@asynccontextmanager
async def unsteady_office(root, *, pcs: int) -> AsyncIterator[tuple[PlayedOffice, list[DelayProxy]]]:
    """An office on this PC's loopback, whose PCs reach each other over unsteady lines alone."""
    names = [f"pc-{number}" for number in range(1, pcs + 1)]
    pair_homes({root / name: name for name in names})
    async with AsyncExitStack() as stack:
        ports = [free_port() for _ in names]
        lines = [await stack.enter_async_context(DelayProxy(Address(HOST, port), UNSTEADY)) for port in ports]
        peers = [option for line in lines for option in ("--peer", str(line.address))]
        nodes = [
            PlayedNode(name, plain_node(name, [*node_options(root, name, HOST, pcs), *on_line(port, line), *peers]))
            for name, port, line in zip(names, ports, lines, strict=True)
        ]
        stack.enter_context(running(nodes))
        yield PlayedOffice(nodes, stages=pcs), lines


async def stall_now_and_then(line: DelayProxy, generator: random.Random) -> None:
    while True:
        await asyncio.sleep(generator.uniform(*STALLS_EVERY_S))
        line.stall(True)
        await asyncio.sleep(STALL_S)
        line.stall(False)


@pytest.mark.model
@pytest.mark.parametrize(
    "seconds", [SECONDS, pytest.param(MANY_SECONDS, marks=[pytest.mark.long, pytest.mark.timeout(1800)])]
)
async def test_nobody_is_given_up_over_lines_that_jitter_and_stall(tmp_path, starter_store, seconds):
    async with unsteady_office(tmp_path, pcs=3) as (office, lines), asyncio.TaskGroup() as group:
        await asyncio.to_thread(office.make_whole)
        head = office.head
        changes = [len(node.pool) for node in office.nodes]
        stalls = [group.create_task(stall_now_and_then(line, random.Random(n))) for n, line in enumerate(lines)]
        answers = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            answers.append(await asyncio.to_thread(head.answer, head.ask(SEA, max_tokens=16)))
        for stall in stalls:
            stall.cancel()

        assert len({answer.done.token_ids for answer in answers}) == 1
        assert all(answer.done.finish == "length" and not answer.pauses for answer in answers)
        assert {change.state for change in head.pipeline_changes} == {"preparing", "ready"}
        for node, before in zip(office.nodes, changes, strict=True):
            assert all(len([peer for peer in change.peers if peer.present]) == 3 for change in node.pool[before:])


@in_namespaces
def test_two_pools_on_one_network_never_mix(tmp_path):
    pools = {"ours-1": "ours", "ours-2": "ours", "theirs-1": "theirs", "theirs-2": "theirs"}
    for pool in set(pools.values()):
        pair_homes({tmp_path / name: name for name in pools if pools[name] == pool})
    with PlayedNetwork(list(pools)) as network, ExitStack() as stack:
        typed = ["--peer", network.addresses["theirs-1"]]
        nodes = [
            PlayedNode(
                name, network.command(name, plain_node(name, [*node_options(tmp_path, name, address, 1), *typed]))
            )
            for name, address in network.addresses.items()
        ]
        stack.enter_context(running(nodes))
        for node in nodes:
            node.until_here(2)
            node.until(lambda node=node: sum(peer.state == "unverified" for peer in node.peers) == 2)
        nodes[1].kill()
        nodes[2].kill()
        nodes[0].until_here(1)
        nodes[1].start()
        nodes[2].start()
        for node in nodes:
            node.until_here(2)

        for node in nodes:
            members = {name for name in pools if pools[name] == pools[node.name]}
            assert all(peer.name in members for change in node.pool for peer in change.peers if peer.present)


@in_namespaces
def test_a_pc_that_starts_anew_five_times_is_one_pc(tmp_path):
    with played_office(tmp_path, pcs=2, stages=1, options=["--port", "0"]) as office:
        stays, restarts = office.nodes
        for number in range(5):
            if number % 2:
                restarts.close()
            else:
                restarts.kill()
            stays.until_here(1)
            restarts.start()
            stays.until_here(2)
            restarts.until_here(2)

        known = {stays.ready.node, restarts.ready.node}
        assert all(len(change.peers) <= 2 for change in stays.pool)
        assert {peer.node for change in stays.pool for peer in change.peers} == known
