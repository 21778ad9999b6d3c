"""What an X server knows, on Linux: for how long nobody touched anything, and whether a window fills the screen.

python-xlib and not libX11, which ends the whole program when the server goes away.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.xobject.drawable import Window

log = logging.getLogger("idlepool.machine")

RETRY_S = 5.0
_ANY_TYPE = 0  # X.AnyPropertyType

Answer = TypeVar("Answer")


class XServer:
    """The X server of the session: connected when it is first asked, and anew after it went away."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._name = environment.get("DISPLAY", "")
        self._lock = threading.Lock()
        self._display: Display | None = None
        self._not_before = 0.0

    def seconds(self) -> float | None:
        """Idle time, by the extension MIT-SCREEN-SAVER; None: unknown. See IdleSource."""
        return self._ask(_idle_seconds)

    def full_screen(self, own: frozenset[int] = frozenset()) -> bool | None:
        """Whether the active window fills the screen, other than one of the processes `own`; None: unknown."""
        return self._ask(lambda display: _full_screen(display, own))

    def close(self) -> None:
        """Let go; the next question connects anew."""
        with self._lock:
            if self._display is not None:
                self._display.close()
                self._display = None

    def _ask(self, question: Callable[[Display], Answer | None]) -> Answer | None:
        from Xlib.display import Display
        from Xlib.error import ConnectionClosedError, DisplayError, XError

        with self._lock:
            if self._display is None and time.monotonic() < self._not_before:
                return None
            try:
                self._display = self._display or Display(self._name or None)
                return question(self._display)
            except XError as error:
                log.info("the X server did not answer: %s", error)  # a window closed while it was asked about
            except (OSError, DisplayError, ConnectionClosedError) as error:
                log.info("the X server cannot be reached: %s", error)
                self._display = None
                self._not_before = time.monotonic() + RETRY_S
            return None


def _idle_seconds(display: Display) -> float | None:
    if not display.has_extension("MIT-SCREEN-SAVER"):
        return None
    root: Any = display.screen().root  # the extension adds the method when the connection is made
    return float(root.screensaver_query_info().idle) / 1000


def _full_screen(display: Display, own: frozenset[int]) -> bool | None:
    """By what window managers tell of the active window (Extended Window Manager Hints)."""
    active = next(iter(_told(display, display.screen().root, "_NET_ACTIVE_WINDOW")), 0)
    if not active:
        return None
    window = display.create_resource_object("window", active)
    if own.intersection(_told(display, window, "_NET_WM_PID")):
        return False
    return display.intern_atom("_NET_WM_STATE_FULLSCREEN") in _told(display, window, "_NET_WM_STATE")


def _told(display: Display, window: Window, name: str) -> Sequence[int]:
    """The numbers of a property; none where the window has no such property."""
    found = window.get_full_property(display.intern_atom(name), _ANY_TYPE)
    return () if found is None else found.value
