"""A node's side of a stage process: start it, load a shard into it, send it frames, and end it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable

import psutil

from idlepool.engine.errors import ProtocolError, StageEnded, StageFailed
from idlepool.engine.net.frames import HEADER_BYTES, Frame, FrameKind, FrameLimits, decode_frame, decode_header
from idlepool.engine.net.frames import encode_frame as encode
from idlepool.engine.net.messages import (
    DeviceInfo,
    EndSequence,
    LoadShard,
    Message,
    ShardFailed,
    ShardLoaded,
    StageHello,
    decode_message,
)
from idlepool.engine.pool.child_process import end, python_module, start
from idlepool.engine.pool.huge_pages import with_huge_pages
from idlepool.engine.pool.pipe import message_frame
from idlepool.engine.types import SequenceId

log = logging.getLogger("idlepool.hosting")

MODULE = "idlepool.engine.pool.stage_process"

HELLO_S = 60.0
"""What a process gets to import the engine; a slow disk takes some seconds, a hanging graphics driver for ever."""

LOAD_S = 2 * 3600.0
"""What a process gets to load its layers. It watches its drivers itself, see TimeLimits; this is for one that hangs so
badly that nothing else in the process runs either."""

OnFrame = Callable[[Frame, bytes], Awaitable[None]]
"""Takes a result, decoded and as it came; while it waits, the stage waits too."""


class StageHost:
    """One stage process. Its results go to `on_frame`, its end, if nobody asked for it, to `on_lost`."""

    def __init__(self, process: asyncio.subprocess.Process, limits: FrameLimits) -> None:
        self._process = process
        self._limits = limits
        self._reader: asyncio.Task[None] | None = None
        self._suspended = False
        self.devices: tuple[DeviceInfo, ...] = ()

    @classmethod
    async def start(cls, *, name: str, limits: FrameLimits | None = None) -> StageHost:
        """Start a process and wait until it has imported the engine. `name` is this PC's, for errors.

        Raises:
            StageFailed: it ended before it said hello.
        """
        host = cls(await start(python_module(MODULE), environment=with_huge_pages(os.environ)), limits or FrameLimits())
        try:
            async with asyncio.timeout(HELLO_S):
                hello = await host._message()
        except TimeoutError as error:
            await end(host._process, grace_s=0)
            raise StageFailed(name, f"its stage process did not start within {HELLO_S:.0f} s") from error
        except (asyncio.IncompleteReadError, ProtocolError) as error:
            await end(host._process, grace_s=0)
            raise StageFailed(name, "its stage process ended at once; what it said stands in the log") from error
        except asyncio.CancelledError:
            await end(host._process, grace_s=0)
            raise
        if isinstance(hello, StageHello):
            host.devices = hello.devices
        return host

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    async def load(self, order: LoadShard, *, name: str, limit_s: float = LOAD_S) -> ShardLoaded:
        """Load a shard.

        Raises:
            StageFailed: the process says why it cannot.
            StageEnded: it ended, or does not answer and should be closed.
        """
        await self.send(message_frame(order))
        try:
            async with asyncio.timeout(limit_s):
                answer = await self._message()
        except TimeoutError as error:
            raise StageEnded(name, f"its stage process did not load the layers within {limit_s:.0f} s") from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise StageEnded(name, "its stage process ended while it loaded the layers") from error
        match answer:
            case ShardLoaded():
                return answer
            case ShardFailed(sentence=sentence):
                raise StageFailed(name, sentence)
        raise StageFailed(name, f"its stage process answered {type(answer).__name__}")

    def serve(self, on_frame: OnFrame, on_lost: Callable[[], None]) -> None:
        """From now on pass on each result and the end of the process."""
        self._reader = asyncio.create_task(self._read(on_frame, on_lost))

    async def send(self, frame: Frame | bytes) -> None:
        """Hand the process a frame; waits while its pipe is full. That it is gone is told by `on_lost`, not here."""
        stdin = self._process.stdin
        assert stdin is not None
        with contextlib.suppress(ConnectionError):
            stdin.write(frame if isinstance(frame, bytes) else encode(frame, limits=self._limits))
            await stdin.drain()

    async def end_sequence(self, sequence: SequenceId, keep: int = 0) -> None:
        """Free what is held of a sequence after its first `keep` positions."""
        await self.send(message_frame(EndSequence(0, sequence, keep)))

    def suspend(self) -> None:
        """Let the process do nothing any more, from this moment on; all that is left to do with it is to close it."""
        self._suspended = True
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(self.pid).suspend()

    async def close(self) -> None:
        """End the process and free its memory."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        await (end(self._process, grace_s=0) if self._suspended else end(self._process))

    async def _read(self, on_frame: OnFrame, on_lost: Callable[[], None]) -> None:
        try:
            while True:
                await on_frame(*await self._frame())
        except (asyncio.IncompleteReadError, ConnectionError, ProtocolError) as error:
            log.info("a stage process is lost: %r", error)
            on_lost()

    async def _frame(self) -> tuple[Frame, bytes]:
        stdout = self._process.stdout
        assert stdout is not None
        header = await stdout.readexactly(HEADER_BYTES)
        data = header + await stdout.readexactly(decode_header(header, self._limits).body_bytes)
        return decode_frame(data, limits=self._limits), data

    async def _message(self) -> Message:
        frame, _ = await self._frame()
        if frame.kind is not FrameKind.MESSAGE:
            raise StageFailed("This PC", f"its stage process sent a {frame.kind.name} frame unasked")
        return decode_message(frame.payload)
