"""A node's side of a stage process: start it, load a shard into it, send it frames, and end it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Awaitable, Callable

from idlepool.engine.errors import ProtocolError, StageEnded, StageFailed
from idlepool.engine.net.frames import HEADER_BYTES, Frame, FrameKind, FrameLimits, decode_frame, decode_header
from idlepool.engine.net.frames import encode_frame as encode
from idlepool.engine.net.messages import (
    DeviceInfo,
    EmptyShard,
    EndSequence,
    LoadShard,
    Message,
    ShardCompiling,
    ShardEmptied,
    ShardFailed,
    ShardLoaded,
    StageHello,
    decode_message,
)
from idlepool.engine.pool.child_process import end, python_module, start
from idlepool.engine.pool.huge_pages import with_huge_pages
from idlepool.engine.pool.pipe import message_frame
from idlepool.engine.pool.stage_watch import TICK_S, StageWatch
from idlepool.engine.pool.tasks import TaskKeeper
from idlepool.engine.types import SequenceId

log = logging.getLogger("idlepool.hosting")

MODULE = "idlepool.engine.pool.stage_process"

HELLO_S = 60.0
"""What a process gets to import the engine; a slow disk takes some seconds, a hanging graphics driver for ever."""

LOAD_S = 2 * 3600.0
"""What a process gets to load its layers. It watches its drivers itself, see TimeLimits; this is for one that hangs so
badly that nothing else in the process runs either."""

LEAVE_S = 2.0
"""What a process gets to leave by itself; one that does nothing any more gets nothing."""

OnFrame = Callable[[Frame, bytes], Awaitable[None]]
"""Takes a result, decoded and as it came; while it waits, the stage waits too."""


class StageHost:
    """One stage process. Its results go to `on_frame`; that it ended without being asked, or does not answer, is told
    once, as a sentence, by `on_lost`."""

    def __init__(self, process: asyncio.subprocess.Process, limits: FrameLimits) -> None:
        self._process = process
        self._limits = limits
        self._header = b""
        """Of a frame that is read."""
        self._steps_ms: tuple[float, ...] = ()
        self._watch = StageWatch()
        self._waits_for_result = True
        self._leave_s = LEAVE_S
        self._tasks = TaskKeeper()
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

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.returncode is not None

    async def load(
        self,
        order: LoadShard,
        *,
        name: str,
        limit_s: float = LOAD_S,
        on_compiling: Callable[[], None] = lambda: None,
    ) -> ShardLoaded:
        """Load a shard. `on_compiling` hears when a device begins to compile it, once for each that is tried.

        Raises:
            StageFailed: the process says why it cannot.
            StageEnded: it ended, or does not answer and should be closed.
        """
        await self.send(message_frame(order))
        try:
            async with asyncio.timeout(limit_s):
                while isinstance(answer := await self._message(), ShardCompiling):
                    on_compiling()
        except TimeoutError as error:
            raise StageEnded(name, f"its stage process did not load the layers within {limit_s:.0f} s") from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise StageEnded(name, "its stage process ended while it loaded the layers") from error
        match answer:
            case ShardLoaded():
                self._steps_ms = answer.steps_ms
                self._watch = StageWatch(self._steps_ms)
                return answer
            case ShardFailed(sentence=sentence):
                raise StageFailed(name, sentence)
        raise StageFailed(name, f"its stage process answered {type(answer).__name__}")

    def serve(
        self,
        on_frame: OnFrame,
        on_lost: Callable[[str], None],
        *,
        on_step: Callable[[int, float], None] = lambda rows, ms: None,
    ) -> None:
        """From now on pass on each result and the end of the process; `on_step` hears how long each step took."""
        self._tasks.start(self._read(on_frame, on_lost, on_step))
        self._tasks.start(self._notice_silence(on_lost))

    async def send(self, frame: Frame) -> None:
        """Hand the process a frame; waits while its pipe is full. That it is gone is told by `on_lost`, not here."""
        if frame.kind is not FrameKind.MESSAGE:
            self._watch.sent(frame.rows, time.monotonic())
        stdin = self._process.stdin
        assert stdin is not None
        with contextlib.suppress(ConnectionError):
            stdin.write(encode(frame, limits=self._limits))
            await stdin.drain()

    async def end_sequence(self, sequence: SequenceId, keep: int = 0) -> None:
        """Free what is held of a sequence after its first `keep` positions."""
        await self.send(message_frame(EndSequence(0, sequence, keep)))

    async def empty(self) -> None:
        """Have the process forget all sequences; no result of what waits comes out any more. It may serve again then.

        Raises:
            StageEnded: it ended.
        """
        await self._tasks.close()
        stdin = self._process.stdin
        assert stdin is not None
        try:
            # Not send(): while its results are not read the process may not read either.
            stdin.write(encode(message_frame(EmptyShard()), limits=self._limits))
            while not await self._is_emptied():
                pass
        except (asyncio.IncompleteReadError, ConnectionError, ProtocolError) as error:
            raise StageEnded("This PC", "its stage process ended while it was emptied") from error
        self._watch = StageWatch(self._steps_ms)
        self._waits_for_result = True

    def kill(self) -> None:
        """End the process at this moment; all that is left to do is to close it."""
        self._leave_s = 0.0
        self._tasks.cancel()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """End the process and free its memory."""
        await self._tasks.close()
        await end(self._process, grace_s=self._leave_s)

    async def _read(
        self, on_frame: OnFrame, on_lost: Callable[[str], None], on_step: Callable[[int, float], None]
    ) -> None:
        try:
            while True:
                frame, data = await self._frame()
                rows, seconds = self._watch.answered(time.monotonic(), computed=bool(frame.segments))
                if frame.segments and frame.kind is not FrameKind.FAULT:
                    on_step(rows, 1e3 * seconds)
                self._waits_for_result = False
                await on_frame(frame, data)
                self._waits_for_result = True
        except (asyncio.IncompleteReadError, ConnectionError, ProtocolError) as error:
            log.info("a stage process is lost: %r", error)
            self._tasks.cancel()
            on_lost("its stage process ended unexpectedly")

    async def _notice_silence(self, on_lost: Callable[[str], None]) -> None:
        overdue = False
        while not overdue:
            await asyncio.sleep(TICK_S)
            overdue = self._waits_for_result and self._watch.tick()
        self._leave_s = 0.0
        self._tasks.cancel()
        on_lost("its stage process does not answer")

    async def _frame(self) -> tuple[Frame, bytes]:
        """The next frame. Whoever is cancelled here leaves it whole to the next."""
        stdout = self._process.stdout
        assert stdout is not None
        self._header = self._header or await stdout.readexactly(HEADER_BYTES)
        data = self._header + await stdout.readexactly(decode_header(self._header, self._limits).body_bytes)
        self._header = b""
        return decode_frame(data, limits=self._limits), data

    async def _is_emptied(self) -> bool:
        """Whether the next frame says so; all others are for nobody."""
        frame, _ = await self._frame()
        return frame.kind is FrameKind.MESSAGE and isinstance(decode_message(frame.payload), ShardEmptied)

    async def _message(self) -> Message:
        frame, _ = await self._frame()
        if frame.kind is not FrameKind.MESSAGE:
            raise StageFailed("This PC", f"its stage process sent a {frame.kind.name} frame unasked")
        return decode_message(frame.payload)
