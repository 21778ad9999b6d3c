"""Cores for the played PCs: a process that is pinned at its start stays on one core, and so does what it starts."""

from __future__ import annotations

import contextlib

import psutil


def cores() -> tuple[int, ...]:
    """The cores this process may use; none where the system does not pin processes (macOS)."""
    process = psutil.Process()
    return tuple(process.cpu_affinity()) if hasattr(process, "cpu_affinity") else ()


def pin(pid: int, core: int | None) -> None:
    """Keep a process that was just started, and has no threads yet, on one core; None: leave it be."""
    with contextlib.suppress(psutil.NoSuchProcess):  # ended already: whoever talks to it will say so
        process = psutil.Process(pid)
        if core is not None and hasattr(process, "cpu_affinity"):
            process.cpu_affinity([core])
