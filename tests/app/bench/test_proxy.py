"""The played network: late, in order, complete, and not slower than the line."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import subprocess
import sys

import pytest

from idlepool.app.bench.proxy import DelayProxy, Line
from idlepool.engine.types import Address


@contextlib.asynccontextmanager
async def echo():
    """A server that sends back what it gets, and ends when its peer does."""

    async def answer(reader, writer):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])


@contextlib.asynccontextmanager
async def through(line):
    async with echo() as target, DelayProxy(target, line) as proxy:
        reader, writer = await asyncio.open_connection(proxy.address.host, proxy.address.port)
        yield proxy, reader, writer
        writer.transport.abort()


async def test_what_comes_back_crossed_the_line_twice():
    async with through(Line(delay_ms=60)) as (_, reader, writer):
        loop = asyncio.get_running_loop()
        started = loop.time()
        writer.write(b"there and back")
        assert await reader.readexactly(14) == b"there and back"
        assert loop.time() - started >= 0.12


@pytest.mark.parametrize("line", [Line(5), Line(5, jitter_ms=20, seed=3), Line(1, bytes_per_second=20e6)])
async def test_everything_arrives_in_order(line):
    sent = random.Random(1).randbytes(3_000_000)
    async with through(line) as (_, reader, writer):
        writing = asyncio.create_task(send(writer, sent))
        assert await reader.readexactly(len(sent)) == sent
        await writing
        writer.write_eof()
        assert await reader.read() == b""  # the end crosses the line as well


async def test_pieces_wait_side_by_side_and_not_one_after_the_other():
    """A hundred pieces 100 ms late each are all there after little more than 200 ms, not after ten seconds."""
    async with through(Line(delay_ms=100)) as (_, reader, writer), asyncio.timeout(5):
        for _ in range(100):
            writer.write(b"x")
            await asyncio.sleep(0.001)
        assert await reader.readexactly(100) == b"x" * 100


async def test_what_stalls_is_late_and_not_lost():
    async with through(Line(delay_ms=1)) as (proxy, reader, writer):
        proxy.stall(True)
        writer.write(b"late")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.readexactly(4), 0.1)
        proxy.stall(False)
        assert await reader.readexactly(4) == b"late"


async def test_a_cut_breaks_the_connection_and_the_next_one_works():
    async with through(Line(delay_ms=1)) as (proxy, reader, writer):
        writer.write(b"a")
        assert await reader.readexactly(1) == b"a"
        proxy.cut()
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        again, writer = await asyncio.open_connection(proxy.address.host, proxy.address.port)
        writer.write(b"b")
        assert await again.readexactly(1) == b"b"
        writer.transport.abort()


async def test_nobody_behind_it_ends_the_connection():
    async with DelayProxy(Address("127.0.0.1", 1), Line(delay_ms=1)) as proxy:
        reader, writer = await asyncio.open_connection(proxy.address.host, proxy.address.port)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.transport.abort()


async def test_as_a_process_it_ends_with_its_input():
    async with echo() as target:
        port = free_port()
        command = [sys.executable, "-m", "idlepool.app.bench.proxy", "--delay-ms", "1", f"{port}:{target.port}"]
        process = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE)
        try:
            reader, writer = await reached(port)
            writer.write(b"hello")
            assert await reader.readexactly(5) == b"hello"
            writer.transport.abort()
            process.stdin.close()
            assert await asyncio.wait_for(process.wait(), 20) == 0
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()


async def reached(port):
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(ConnectionError):
                return await asyncio.open_connection("127.0.0.1", port)
            await asyncio.sleep(0.05)


async def send(writer, data):
    for first in range(0, len(data), 50_000):
        writer.write(data[first : first + 50_000])
        await writer.drain()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
