"""The pipe to a stage process: whole frames and nothing else, and no process that outlives it."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import numpy as np
import pytest

from idlepool.engine.net.arrays import frame_of
from idlepool.engine.net.frames import HEADER_BYTES, FrameKind, FrameLimits, Segment, decode_header, encode_frame
from idlepool.engine.types import SessionId

ECHO = """
import os, sys
from idlepool.engine.net.frames import FrameLimits
from idlepool.engine.pool.pipe import StagePipe
pipe = StagePipe(FrameLimits(), on_end=lambda: sys.stderr.write("ended\\n"))
while True:
    frame = pipe.receive()
    print("a library prints")
    os.system("echo and a program as well")
    pipe.send(frame)
"""


@pytest.fixture
def echo():
    """A process that sends every frame back."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", ECHO], stdin=pipe, stdout=pipe, stderr=pipe)
    yield process
    process.kill()
    process.communicate()


def frame(step: int, rows: int = 3) -> bytes:
    values = np.full((rows, 64), step, np.float32)
    return encode_frame(
        frame_of(FrameKind.HIDDEN, values, session=SessionId(1), step=step, segments=(Segment(1, 0, rows),))
    )


def read_frame(process) -> bytes:
    header = process.stdout.read(HEADER_BYTES)
    return header + process.stdout.read(decode_header(header, FrameLimits()).body_bytes)


def test_what_others_print_does_not_get_between_frames(echo):
    for step in range(3):
        echo.stdin.write(frame(step))
        echo.stdin.flush()
        assert read_frame(echo) == frame(step)
    out, error = echo.communicate(timeout=30)
    assert out == b""
    assert error.count(b"a library prints") == error.count(b"and a program as well") == 3


def test_a_long_frame_comes_whole(echo):
    echo.stdin.write(frame(7, rows=10_000))
    echo.stdin.flush()
    assert read_frame(echo) == frame(7, rows=10_000)


@pytest.mark.parametrize(
    "last", [b"", frame(1)[:20], frame(1)[:-5], b"no frame at all, but as long as a header, or longer"]
)
def test_the_process_ends_with_the_pipe(echo, last):
    """Also when the other side was killed in the middle of a frame, or talks nonsense."""
    echo.stdin.write(last)
    _, error = echo.communicate(timeout=30)
    assert error.splitlines()[-1] == b"ended"


def test_who_is_not_listened_to_any_more_ends_without_a_word(echo):
    echo.stdout.close()
    for step in range(3):
        with contextlib.suppress(BrokenPipeError):
            echo.stdin.write(frame(step, rows=2000))
            echo.stdin.flush()
    assert echo.wait(timeout=30) == 0
    error = echo.stderr.read().decode()
    assert "Traceback" not in error
    assert error.count("ended") == 1
