"""A real X server tells for how long nobody touched it, and which window fills the screen."""

from __future__ import annotations

import time
from typing import Any

import pytest

from idlepool.engine.machine.x_server import XServer

pytest.importorskip("Xlib")


def full_screen_window(display: Any, pid: int) -> Any:
    """A window that says of itself, in the words of a window manager, that it is active and fills the screen."""
    from Xlib import Xatom

    root = display.screen().root
    window = root.create_window(0, 0, 320, 240, 0, display.screen().root_depth)
    window.map()
    state, full = display.intern_atom("_NET_WM_STATE"), display.intern_atom("_NET_WM_STATE_FULLSCREEN")
    window.change_property(state, Xatom.ATOM, 32, [full])
    window.change_property(display.intern_atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [pid])
    root.change_property(display.intern_atom("_NET_ACTIVE_WINDOW"), Xatom.WINDOW, 32, [window.id])
    display.sync()
    return window


def test_the_idle_time_grows_until_somebody_touches_the_mouse(x_server: Any) -> None:
    server = XServer({"DISPLAY": x_server.name})
    x_server.touch()
    time.sleep(0.3)
    before = server.seconds()
    assert before is not None
    assert before > 0.2
    x_server.touch()
    after = server.seconds()
    assert after is not None
    assert after < before
    server.close()


def test_a_window_that_fills_the_screen_is_seen_unless_it_is_our_own(x_server: Any) -> None:
    from Xlib.display import Display

    server = XServer({"DISPLAY": x_server.name})
    assert server.full_screen() is None  # no window manager has said anything
    display: Any = Display(x_server.name)
    window = full_screen_window(display, pid=4711)
    assert server.full_screen() is True
    assert server.full_screen(frozenset({4711})) is False
    window.change_property(display.intern_atom("_NET_WM_STATE"), display.intern_atom("ATOM"), 32, [])
    display.sync()
    assert server.full_screen() is False
    window.destroy()  # and the active one is none any more
    display.sync()
    assert server.full_screen() is None
    assert server.seconds() is not None
    display.close()
    server.close()


def test_a_server_that_goes_away_takes_nobody_along(x_server: Any) -> None:
    server = XServer({"DISPLAY": x_server.name})
    assert server.seconds() is not None
    x_server.process.kill()
    x_server.process.wait()
    assert server.seconds() is None
    assert server.full_screen() is None


def test_a_server_that_is_not_there_is_unknown_and_no_error() -> None:
    absent = XServer({"DISPLAY": ":4095"})
    assert absent.seconds() is None
    assert absent.full_screen() is None
