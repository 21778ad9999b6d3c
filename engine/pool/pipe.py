"""The child's end of the pipe between a node and its stage: frames in on standard input, out on standard output.

Whatever a library prints goes to standard error instead, so that no stray line can fall between two frames. When the
node goes away the pipe ends, and so does the stage: a node that was killed leaves nothing behind.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import BinaryIO

from idlepool.engine.net.frames import HEADER_BYTES, Frame, FrameKind, FrameLimits, decode_frame, decode_header
from idlepool.engine.net.frames import encode_frame as encode
from idlepool.engine.net.messages import Message, encode_message
from idlepool.engine.types import ElementType, SessionId


class StagePipe:
    """Frames from the node in order, and frames to it. One thread reads, so that the pipe's end is seen at any time."""

    def __init__(self, limits: FrameLimits) -> None:
        self._limits = limits
        self._in: BinaryIO = sys.stdin.buffer
        self._out: BinaryIO = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        self._frames: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="pipe", daemon=True).start()

    def receive(self) -> Frame:
        """The next frame; waits for it."""
        return self._frames.get()

    def send(self, frame: Frame) -> None:
        """Write a frame, whole."""
        data = memoryview(encode(frame, limits=self._limits))
        while data:
            data = data[self._out.write(data) or 0 :]

    def send_message(self, message: Message) -> None:
        """Write a control message."""
        self.send(message_frame(message))

    def _read(self) -> None:
        while header := self._in.read(HEADER_BYTES):
            body = self._in.read(decode_header(header, self._limits).body_bytes)
            self._frames.put(decode_frame(header + body, limits=self._limits))
        os._exit(0)  # the main thread may be inside an inference; nothing here is worth waiting for


def message_frame(message: Message) -> Frame:
    """A control message as a frame."""
    payload = encode_message(message).encode()
    return Frame(FrameKind.MESSAGE, SessionId(0), 0, (), ElementType.U8, len(payload), 1, payload)
