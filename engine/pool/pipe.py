"""The child's end of the pipe between a node and its stage: frames in on standard input, out on standard output.

When the node goes away the pipe ends, and so does the stage: a node that was killed leaves nothing behind. What comes
in waits in a StageQueue, so that frames nobody needs any more are dropped before they are run.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import NoReturn

from idlepool.engine.net.frames import HEADER_BYTES, Frame, FrameKind, FrameLimits, decode_frame, decode_header
from idlepool.engine.net.frames import encode_frame as encode
from idlepool.engine.net.messages import Message, decode_message, encode_message
from idlepool.engine.pool.stage_queue import StageQueue
from idlepool.engine.pool.standard_streams import read_exactly, take_standard_output
from idlepool.engine.types import ElementType, SessionId

MAX_WAITING = 64
"""Frames read ahead of the inference; more of them fill the pipe, and the node waits."""


class StagePipe:
    """What the node sends, by the order of StageQueue, and frames to it. One thread reads, so that an end is seen at
    any time: of a sequence, or of the pipe.

    Whoever notices that the node is gone calls `on_end` right before it ends the process.
    """

    def __init__(self, limits: FrameLimits, *, on_end: Callable[[], None] = lambda: None) -> None:
        self._limits = limits
        self._on_end = on_end
        self._out = take_standard_output()
        self._queue = StageQueue()
        self._moved = threading.Condition()
        self._ending = threading.Lock()
        threading.Thread(target=self._read, name="pipe", daemon=True).start()

    def receive(self) -> Frame | Message:
        """What to do next; waits for it. A frame without segments has nothing left that is needed."""
        with self._moved:
            self._moved.wait_for(lambda: len(self._queue) > 0)
            self._moved.notify()
            return self._queue.take()

    def send(self, frame: Frame) -> None:
        """Write a frame, whole; where the node is gone, so is this process."""
        data = memoryview(encode(frame, limits=self._limits))
        try:
            while data:
                data = data[os.write(self._out, data) :]
        except OSError:  # what it is called differs between systems
            self._end()

    def send_message(self, message: Message) -> None:
        """Write a control message."""
        self.send(message_frame(message))

    def _put(self, frame: Frame) -> None:
        item = decode_message(frame.payload) if frame.kind is FrameKind.MESSAGE else frame
        with self._moved:
            self._moved.wait_for(lambda: len(self._queue) < MAX_WAITING)
            self._queue.put(item)
            self._moved.notify()

    def _read(self) -> None:
        try:
            while header := read_exactly(0, HEADER_BYTES):
                body = read_exactly(0, decode_header(header, self._limits).body_bytes)
                self._put(decode_frame(header + body, limits=self._limits))
        finally:
            # Also after half a frame, when the node was killed in mid-write. The main thread may be inside an
            # inference; nothing here is worth waiting for.
            self._end()

    def _end(self) -> NoReturn:
        self._ending.acquire()  # for ever: the second thread that notices waits for its end
        try:
            self._on_end()
        finally:
            os._exit(0)


def message_frame(message: Message) -> Frame:
    """A control message as a frame."""
    payload = encode_message(message).encode()
    return Frame(FrameKind.MESSAGE, SessionId(0), 0, (), ElementType.U8, len(payload), 1, payload)
