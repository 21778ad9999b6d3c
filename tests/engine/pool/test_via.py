"""Nodes that are reached by way of something in front of them: here a line with a delay."""

from __future__ import annotations

import socket

from played_pool import answer, until

from idlepool.app.bench.proxy import DelayProxy, Line
from idlepool.engine.types import Address, Sampling

HOST = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def link_to(node, other):
    return node._peers.present[other.id].link


async def test_every_link_between_nodes_crosses_the_line(pool, model, unsplit):
    ports = [free_port(), free_port()]
    lines = [DelayProxy(Address(HOST, port), Line(delay_ms=2)) for port in ports]
    async with lines[0], lines[1]:
        head = await pool.start("pc-1", model=model, port=ports[0], via=lines[0].address)
        other = await pool.start("pc-2", port=ports[1], via=lines[1].address)
        pipeline = await pool.open(head, stages=2)
        assert link_to(head, other).peer.address == lines[1].address
        assert link_to(other, head).peer.address == lines[0].address
        prompt = list(range(2, 20))
        found = await answer(pipeline, "chat", prompt, count=6, sampling=Sampling())
        assert found == unsplit(prompt, count=6, sampling=Sampling())
        stage = next(iter(other._hosting._stages.values()))
        assert stage.order.head.port == lines[0].address.port
        for line in lines:
            line.cut()
        await until(lambda: pipeline.broken)
