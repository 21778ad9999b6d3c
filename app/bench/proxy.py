"""A slow network, played: a TCP proxy that hands on what comes N milliseconds later, in order and at full speed.

`python -m idlepool.app.bench.proxy --delay-ms 10 4001:5001 4002:5002` listens on 127.0.0.1:4001 for what listens on
127.0.0.1:5001, and so on, until its standard input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from idlepool.engine.net.sockets import listening_socket
from idlepool.engine.types import Address

CHUNK_BYTES = 1 << 16
MAX_CHUNKS = 4096
"""Pieces under way in one direction of a connection; then the sender has to wait, as on a line that is full."""


@dataclass(frozen=True, slots=True)
class Line:
    """How a line behaves, each way: delay and, on top, seeded jitter of at most so many milliseconds a piece."""

    delay_ms: float
    jitter_ms: float = 0.0
    seed: int = 0
    bytes_per_second: float = 0.0
    """0: as fast as it comes."""


class DelayProxy:
    """Listens on `port` (0: any) of the loopback for as long as the `async with` block lasts.

    `stalled` may be set and cleared at any time: meanwhile nothing is handed on, and nothing is lost.
    """

    def __init__(self, target: Address, line: Line, *, port: int = 0) -> None:
        self._target = target
        self._line = line
        self._port = port
        self._random = random.Random(line.seed)
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._connections: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        listener = listening_socket("127.0.0.1", self._port)
        self.address = Address("127.0.0.1", listener.getsockname()[1])
        self._server = await asyncio.start_server(self._serve, sock=listener)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def stall(self, stalled: bool) -> None:
        """Hold everything back, or let it flow again."""
        if stalled:
            self._flowing.clear()
        else:
            self._flowing.set()

    def cut(self) -> None:
        """Break every connection; new ones are taken as before."""
        for task in self._connections:
            task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        with contextlib.suppress(asyncio.CancelledError, OSError):  # cut: for both ends just a connection that broke
            await self._relay(reader, writer)
        writer.transport.abort()
        self._connections.discard(task)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(self._target.host, self._target.port)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._carry(reader, far_writer))
                both.create_task(self._carry(far_reader, writer))
        except* OSError:
            pass  # one end broke the connection; the other hears of it by the abort
        finally:
            far_writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction: a piece is read at once and written when its time has come."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(MAX_CHUNKS)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._hand_on(pieces, writer))
            due = _DueTimes(self._line, self._random, asyncio.get_running_loop().time)
            data = b"."
            while data:
                data = await reader.read(CHUNK_BYTES)
                await pieces.put((due.of(len(data)), data))

    async def _hand_on(self, pieces: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due, data = await pieces.get()
            if (wait_s := due - loop.time()) > 0:
                await asyncio.sleep(wait_s)
            await self._flowing.wait()
            if not data:
                writer.write_eof()
                return
            writer.write(data)
            await writer.drain()


class _DueTimes:
    """When each piece of one direction leaves the line: never before the one that came before it."""

    def __init__(self, line: Line, generator: random.Random, now: Callable[[], float]) -> None:
        self._line = line
        self._random = generator
        self._now = now
        self._sent = 0.0
        self._due = 0.0

    def of(self, size: int) -> float:
        line = self._line
        self._sent = max(self._sent, self._now())
        if line.bytes_per_second:
            self._sent += size / line.bytes_per_second
        delay_ms = line.delay_ms + line.jitter_ms * self._random.random()
        self._due = max(self._due, self._sent + delay_ms / 1e3)
        return self._due


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the proxies of a command line until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay-ms", type=float, required=True, help="milliseconds each way")
    parser.add_argument("--jitter-ms", type=float, default=0.0, help="up to so many more, drawn for each piece")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bytes-per-second", type=float, default=0.0, help="0: no limit")
    parser.add_argument("hops", nargs="+", metavar="PORT:TARGET_PORT")
    parsed = parser.parse_args(arguments)
    line = Line(parsed.delay_ms, parsed.jitter_ms, parsed.seed, parsed.bytes_per_second)
    ports = [tuple(map(int, hop.split(":"))) for hop in parsed.hops]
    asyncio.run(_serve_all([DelayProxy(Address("127.0.0.1", target), line, port=port) for port, target in ports]))


async def _serve_all(proxies: Sequence[DelayProxy]) -> None:
    async with AsyncExitStack() as stack:
        for proxy in proxies:
            await stack.enter_async_context(proxy)
        await asyncio.to_thread(_wait_for_end)


def _wait_for_end() -> None:
    while os.read(sys.stdin.fileno(), 1 << 12):
        pass


if __name__ == "__main__":
    main()
