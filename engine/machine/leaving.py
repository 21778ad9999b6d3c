"""Says when the PC goes to sleep or is shut down, a moment before it does, and when it is back.

Windows and Linux tell programs (a closed lid is sleep there as well). macOS tells of sleep only those that run its
kind of event loop, which this program does not: the others notice the silence. At a log-off every system ends its
programs, and a node that is ended says goodbye by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol

OnLeaving = Callable[[bool], None]
"""True: the PC is about to leave, False: it is back. Called from a thread, and the PC waits until it returns; for a
few seconds at most (Linux: 5, Windows: 2)."""


class LeavingNotices(Protocol):
    """Notices from `start` until `stop`."""

    def start(self) -> None:
        """Begin to listen."""

    def stop(self) -> None:
        """Listen no more."""


class NoNotices:
    """Where nothing is told."""

    def start(self) -> None:
        """See LeavingNotices."""

    def stop(self) -> None:
        """See LeavingNotices."""


def leaving_notices(on_leaving: OnLeaving) -> LeavingNotices:
    """Who tells it on this system."""
    if sys.platform == "win32":
        from idlepool.engine.machine.leaving_windows import HiddenWindow

        return HiddenWindow(on_leaving)
    if sys.platform == "darwin":
        return NoNotices()
    from idlepool.engine.machine.leaving_linux import LogindSignals

    return LogindSignals(on_leaving)
