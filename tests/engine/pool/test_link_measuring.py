"""PCs that have nothing to do find out what the link between them carries, and all others hear of it."""

from __future__ import annotations

import asyncio
from itertools import combinations

from played_pool import until

from idlepool.app.bench.proxy import DelayProxy, Line
from idlepool.engine.errors import LinkError
from idlepool.engine.net.sockets import free_port
from idlepool.engine.pool import link_measuring, peers
from idlepool.engine.pool.link_measuring import LinkMeasuring
from idlepool.engine.pool.plan_ways import Ways
from idlepool.engine.types import Address


def speeds(node) -> dict[str, float]:
    """What is known on that PC of the links of all, by who told it and of whom."""
    name_of = node.membership.name_of
    return {f"{pc.name} {name_of(link.node)}": link.bytes_per_s for pc in node.present() for link in pc.links}


async def test_each_pair_is_measured_by_one_of_them_and_known_to_all(pool, monkeypatch):
    monkeypatch.setattr(link_measuring, "PAUSE_S", 0.1)
    monkeypatch.setattr(peers, "HEARTBEAT_S", 0.1)
    nodes = [await pool.start(name) for name in ("pc-1", "pc-2", "pc-3")]
    by_id = [node.membership.own_name for node in sorted(nodes, key=lambda node: node.id)]
    wanted = {f"{one} {other}" for one, other in combinations(by_id, 2)}
    for node in nodes:
        await until(lambda node=node: {pair for pair, speed in speeds(node).items() if speed > 1e5} == wanted)


async def test_one_that_has_something_to_do_measures_nobody_and_each_is_tried_once(pool, monkeypatch):
    nodes = [await pool.start(name) for name in ("pc-1", "pc-2")]
    first, second = sorted(nodes, key=lambda node: node.id)
    await until(lambda: first._peers.present and first._peers.present[second.id].devices)
    monkeypatch.setattr(link_measuring, "PAUSE_S", 0.05)
    tried: list[str] = []
    idle = False

    async def fail(peer):
        tried.append(peer.node)
        raise LinkError("It did not work.")

    measuring = LinkMeasuring(first.id, first._peers.present, fail, idle=lambda: idle)
    measuring.start()
    await asyncio.sleep(0.5)
    assert tried == []
    idle = True
    await until(lambda: tried)
    await asyncio.sleep(0.5)
    assert tried == [second.id]
    await measuring.close()


async def test_a_long_and_thin_line_is_planned_with_as_it_is(pool, monkeypatch):
    monkeypatch.setattr(link_measuring, "PAUSE_S", 0.1)
    monkeypatch.setattr(peers, "HEARTBEAT_S", 0.1)
    ports = [free_port(), free_port()]
    lines = [DelayProxy(Address("127.0.0.1", port), Line(30, bytes_per_second=5e6)) for port in ports]
    async with lines[0], lines[1]:
        here = await pool.start("pc-1", port=ports[0], via=lines[0].address)
        await pool.start("pc-2", port=ports[1], via=lines[1].address)
        await until(lambda: len(here.present()) == 2 and any(speeds(here).values()))
        present = here.present()
        ways = Ways.told([pc.node for pc in present], {pc.node: pc.links for pc in present})
    assert ways.ms[0, 1] >= 30
    assert ways.bytes_ms[0, 1] <= 1.3 * 5e3
