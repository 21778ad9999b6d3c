"""Polite requests to end, the same on all systems: Ctrl+C, SIGTERM, and on Windows Ctrl+Break or a closing console."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable
from types import FrameType

INTERRUPTED = 130
"""Exit code after Ctrl+C, as shells have it: 128 + SIGINT."""

NAMES = ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP")


def end_on_signal(stop: asyncio.Event) -> None:
    """Set `stop` when a polite request to end comes; call it on the running loop."""
    loop = asyncio.get_running_loop()

    def ask(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the end is near anyway
            loop.call_soon_threadsafe(stop.set)

    _handle(NAMES, ask)


def raise_on_termination() -> None:
    """Make SIGTERM and its kin unwind the main thread as Ctrl+C does, so that everything is cleaned up."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    _handle(NAMES[1:], leave)


def _handle(names: tuple[str, ...], handler: Callable[[int, FrameType | None], None]) -> None:
    """Handle the signals that this system has; one that the parent has ignored (nohup) stays ignored."""
    for name in names:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
