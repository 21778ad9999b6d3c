"""The idle time comes from whoever knows it: a desktop on the bus, a Wayland compositor; ticks run over."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.machine.idle import RETRY_S, FirstThatAnswers, idle_source
from idlepool.engine.machine.idle_macos import HidSystem
from idlepool.engine.machine.idle_windows import LastInput, seconds_between

linux = pytest.mark.skipif(sys.platform != "linux", reason="a Linux desktop")


class Source:
    def __init__(self, answer: float | None) -> None:
        self.answer = answer
        self.asked = 0

    def seconds(self) -> float | None:
        self.asked += 1
        return self.answer


def test_the_first_source_that_knows_is_asked_until_it_knows_nothing_any_more() -> None:
    now = [0.0]
    first, second, third = Source(None), Source(4.0), Source(9.0)
    both = FirstThatAnswers([first, second, third], clock=lambda: now[0])
    assert [both.seconds() for _ in range(3)] == [4.0, 4.0, 4.0]
    assert (first.asked, third.asked) == (1, 0)
    second.answer = None
    assert both.seconds() == 9.0


def test_while_nobody_knows_it_is_not_asked_all_the_time() -> None:
    now = [0.0]
    source = Source(None)
    both = FirstThatAnswers([source], clock=lambda: now[0])
    assert [both.seconds() for _ in range(20)] == [None] * 20
    assert source.asked == 1
    source.answer, now[0] = 3.0, RETRY_S
    assert both.seconds() == 3.0


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**31))
def test_windows_ticks_begin_again_after_32_bits(last: int, passed_ms: int) -> None:
    assert seconds_between(last, (last + passed_ms) % 2**32) == passed_ms / 1000


@pytest.mark.skipif(sys.platform == "win32", reason="it knows there")
def test_windows_source_knows_nothing_elsewhere() -> None:
    assert LastInput().seconds() is None


@pytest.mark.skipif(sys.platform == "darwin", reason="it knows there")
def test_macos_source_knows_nothing_elsewhere() -> None:
    assert HidSystem().seconds() is None


def test_every_system_has_a_source_that_answers_or_says_that_it_does_not_know() -> None:
    answer = idle_source().seconds()
    assert answer is None or answer >= 0


@linux
def test_mutter_is_asked_over_the_bus(bus: str) -> None:
    from played_services import PlayedServices

    from idlepool.engine.machine.dbus import Bus
    from idlepool.engine.machine.idle_linux import Mutter

    source = Mutter(Bus("SESSION"))
    assert source.seconds() is None  # not started for us, and no error
    services = PlayedServices(["org.gnome.Mutter.IdleMonitor"], {"GetIdletime": lambda: ("t", (2500,))})
    assert source.seconds() == 2.5
    services.close()
    assert source.seconds() is None


@linux
def test_without_a_bus_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    from idlepool.engine.machine.dbus import Bus
    from idlepool.engine.machine.idle_linux import Mutter

    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    assert Mutter(Bus("SESSION")).seconds() is None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    assert Mutter(Bus("SESSION")).seconds() is None


@linux
def test_a_compositor_tells_when_nobody_is_there_and_when_somebody_is_back(tmp_path: Path) -> None:
    from played_compositor import PlayedCompositor

    from idlepool.engine.machine.idle_wayland import NOTICED_MS, ExtIdleNotify

    compositor = PlayedCompositor(tmp_path)
    source = ExtIdleNotify(compositor.environment)
    assert source.seconds() == 0.0
    while not compositor.asked_ms:
        time.sleep(0.01)
    assert compositor.asked_ms == NOTICED_MS
    compositor.idled()
    idle_s = source.seconds()
    assert idle_s is not None
    assert idle_s >= NOTICED_MS / 1000
    time.sleep(0.05)
    later_s = source.seconds()
    assert later_s is not None
    assert later_s > idle_s
    compositor.resumed()
    assert source.seconds() == 0.0
    compositor.close()


@linux
@pytest.mark.parametrize("offered", [(), ("wl_seat",), ("ext_idle_notifier_v1",)])
def test_a_compositor_that_cannot_tell_is_unknown(tmp_path: Path, offered: tuple[str, ...]) -> None:
    from played_compositor import PlayedCompositor

    from idlepool.engine.machine.idle_wayland import ExtIdleNotify

    compositor = PlayedCompositor(tmp_path, offered=offered)
    assert ExtIdleNotify(compositor.environment).seconds() is None
    compositor.close()


@linux
def test_a_compositor_that_is_not_there_is_unknown(tmp_path: Path) -> None:
    from idlepool.engine.machine.idle_wayland import ExtIdleNotify

    assert ExtIdleNotify({"XDG_RUNTIME_DIR": str(tmp_path)}).seconds() is None
    assert ExtIdleNotify({}).seconds() is None


@linux
def test_the_x_server_beside_a_wayland_compositor_is_not_asked() -> None:
    """It knows only the input of old programs: somebody who writes in another one would count as away."""
    from idlepool.engine.machine.idle_linux import linux_sources
    from idlepool.engine.machine.x_server import XServer

    def asks_x(environment: dict[str, str]) -> bool:
        return any(isinstance(source, XServer) for source in linux_sources(environment))

    assert asks_x({"DISPLAY": ":0"})
    assert not asks_x({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"})
    assert not asks_x({"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"})
    assert not asks_x({})
