"""Sleep and shut-down are told before they come, and a PC is kept awake only as long as somebody says so."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable

import pytest

from idlepool.engine.machine.leaving import leaving_notices
from idlepool.engine.machine.leaving_windows import meaning

linux = pytest.mark.skipif(sys.platform != "linux", reason="logind")

LOGIND = ("/org/freedesktop/login1", "org.freedesktop.login1.Manager")


class Locks:
    """logind's Inhibit: each lock is a pipe, whose other end tells whether it is still held."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self._ends: list[int] = []
        self._given: list[int] = []

    def inhibit(self, what: str, who: str, why: str, mode: str) -> tuple[str, tuple[int]]:
        reading, writing = os.pipe()
        self.asked.append((what, mode))
        self._ends.append(reading)
        self._given.append(writing)
        return "h", (writing,)

    def held(self) -> list[bool]:
        """For each lock in turn; what was sent is the other side's alone by now."""
        while self._given:
            os.close(self._given.pop())
        ready = select.select(self._ends, [], [], 0)[0]
        return [end not in ready for end in self._ends]


def eventually(condition: Callable[[], bool]) -> None:
    deadline = threading.Event()
    for _ in range(1000):
        if condition():
            return
        deadline.wait(0.01)
    raise AssertionError("it did not come about")


@pytest.mark.parametrize(
    ("message", "parameter", "leaves"),
    [(0x218, 4, True), (0x218, 7, False), (0x218, 0x12, False), (0x218, 10, None), (0x16, 1, True), (0x16, 0, False)],
)
def test_what_windows_broadcasts(message: int, parameter: int, leaves: bool | None) -> None:
    assert meaning(message, parameter) is leaves


def test_other_messages_of_windows_mean_nothing() -> None:
    assert meaning(0x11, 1) is None


def test_every_system_can_be_listened_to() -> None:
    notices = leaving_notices(lambda leaves: None)
    notices.start()
    notices.stop()


@linux
def test_logind_waits_until_the_others_know(bus: str) -> None:
    from played_services import PlayedServices

    locks, told, may_return = Locks(), list[bool](), threading.Event()
    services = PlayedServices(["org.freedesktop.login1"], {"Inhibit": locks.inhibit})

    def on_leaving(leaves: bool) -> None:
        told.append(leaves)
        may_return.wait(10)

    notices = leaving_notices(on_leaving)
    notices.start()
    eventually(lambda: len(locks.asked) == 1)
    services.signal(*LOGIND, "PrepareForSleep", True)
    eventually(lambda: told == [True])
    assert locks.held() == [True]  # while they are told
    may_return.set()
    eventually(lambda: locks.held() == [False])
    services.signal(*LOGIND, "PrepareForSleep", False)
    eventually(lambda: told == [True, False] and len(locks.asked) == 2)
    services.signal(*LOGIND, "PrepareForShutdown", True)
    eventually(lambda: told == [True, False, True])
    notices.stop()
    assert locks.held() == [False, False]
    assert locks.asked == [("sleep:shutdown", "delay")] * 2
    services.close()


@linux
def test_somebody_else_s_signals_mean_nothing(bus: str) -> None:
    from played_services import PlayedServices

    locks, told = Locks(), list[bool]()
    services = PlayedServices(["org.freedesktop.login1"], {"Inhibit": locks.inhibit})
    other = PlayedServices(["org.example.Other"], {})
    notices = leaving_notices(told.append)
    notices.start()
    eventually(lambda: len(locks.asked) == 1)
    other.signal(*LOGIND, "PrepareForSleep", True)
    services.signal("/org/freedesktop/login1", LOGIND[1], "SessionNew", True)
    services.signal(*LOGIND, "PrepareForSleep", False)
    eventually(lambda: told == [False])
    notices.stop()
    services.close()
    other.close()


@linux
def test_the_pc_is_kept_awake_between_hold_and_release(bus: str) -> None:
    from played_services import PlayedServices

    from idlepool.engine.machine.awake import awake

    locks, gnome = Locks(), list[tuple[object, ...]]()

    def uninhibit(cookie: int) -> tuple[str, tuple[int]]:
        gnome.append((cookie,))
        return "b", (1,)

    logind = PlayedServices(["org.freedesktop.login1"], {"Inhibit": locks.inhibit})
    manager = PlayedServices(
        ["org.gnome.SessionManager"],
        {"Inhibit": lambda *asked: gnome.append(asked) or ("u", (77,)), "Uninhibit": uninhibit},
    )
    keeper = awake()
    keeper.hold()
    keeper.hold()
    assert locks.held() == [True]
    keeper.release()
    assert locks.held() == [False]
    assert locks.asked == [("idle", "block")]
    assert [asked[3:] for asked in gnome[:1]] == [(4,)]
    assert gnome[1:] == [(77,)]
    keeper.release()
    logind.close()
    manager.close()


@linux
def test_where_nobody_keeps_pcs_awake_nothing_happens(bus: str) -> None:
    from idlepool.engine.machine.awake import awake

    keeper = awake()
    keeper.hold()
    keeper.release()
