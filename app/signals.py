"""Polite requests to end, the same on all systems: Ctrl+C, SIGTERM, and on Windows Ctrl+Break or a closing console."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType

INTERRUPTED = 130
"""Exit code after Ctrl+C, as shells have it: 128 + SIGINT."""

NAMES = ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP")


def end_on_signal(stop: asyncio.Event) -> None:
    """Set `stop` when a polite request to end comes; call it on the running loop."""
    loop = asyncio.get_running_loop()

    def ask(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)

    for name in NAMES:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), ask)


def raise_on_termination() -> None:
    """Make SIGTERM and its kin unwind the main thread as Ctrl+C does, so that everything is cleaned up."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for name in NAMES[1:]:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)
