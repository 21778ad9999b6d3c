"""Standard output as a pipe to the parent: nothing but what we mean to say may get onto it."""

from __future__ import annotations

import os
import sys


def take_standard_output() -> int:
    """A private descriptor of the pipe that standard output is; whatever else prints goes to standard error from now
    on, or nowhere in a process without one (a windowed program on Windows)."""
    private = os.dup(1)
    elsewhere = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()
    os.dup2(elsewhere, 1)
    return private


def read_exactly(descriptor: int, size: int) -> bytes:
    """`size` bytes, or fewer where the pipe ends.

    os.read and not sys.stdin: its lock, held by a reading thread, aborts the process when the main thread ends.
    """
    parts = []
    while size and (part := os.read(descriptor, min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
