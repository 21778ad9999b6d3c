"""The tray's menu, the line at the bottom of the sidebar in each state, the shortcuts, a node that died."""

from __future__ import annotations

from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shots.shot import SETTLE_MS, Shot, wait_until

from idlepool.ui.app_menu import AppMenu
from idlepool.ui.lending_status import LendingStatus
from idlepool.ui.main_window import MainWindow
from idlepool.ui.pc_status import Kind
from idlepool.ui.shortcut_list import ShortcutList


def open_menu(window: MainWindow, *, kind: Kind) -> QWidget:
    """The menu that the line opens; the tray has the same."""
    wait_until(lambda: window.watch.now.kind is kind)
    line = window.findChild(LendingStatus)
    line.open_menu()
    QTest.qWait(SETTLE_MS)
    return line.menu_of_app


def open_snooze(window: MainWindow) -> QWidget:
    """The lengths of a snooze."""
    menu = open_menu(window, kind=Kind.READY)
    assert isinstance(menu, AppMenu)
    menu.snooze.popup(menu.pos())
    QTest.qWait(SETTLE_MS)
    return menu.snooze


def wait_for(window: MainWindow, *, kind: Kind) -> None:
    """Only the window."""
    wait_until(lambda: window.watch.now.kind is kind)


def chat(window: MainWindow) -> None:
    """An answer comes."""
    window.chat.ask("hold on: why is the sky blue?")
    wait_for(window, kind=Kind.CHATTING)


def kill(window: MainWindow, *, times: int) -> None:
    """The node dies so often, and is started again in between."""
    window.revival._delays_ms = (0, 0, 0)
    for _ in range(times):
        wait_until(lambda: window.state.ready is not None)
        window.state.bridge._process.kill()
        wait_until(lambda: window.state.ready is None)
    if times < 4:
        wait_until(lambda: window.state.ready is not None)


def list_shortcuts(window: MainWindow) -> QWidget:
    """What F1 shows."""
    window.show_shortcuts()
    QTest.qWait(SETTLE_MS)
    return window.findChild(ShortcutList)


def menu(name: str, kind: Kind, *play: str) -> Shot:
    return Shot(f"tray-menu-{name}", partial(open_menu, kind=kind), ("--play", "tray", *play, "--pairs", "a"))


def line(name: str, kind: Kind, *play: str) -> Shot:
    return Shot(f"tray-{name}", partial(wait_for, kind=kind), ("--play", "tray", *play))


SHOTS = [
    menu("ready", Kind.READY, "ready"),
    menu("lending", Kind.LENDING, "lending"),
    menu("snoozed", Kind.PAUSED, "snoozed"),
    menu("always", Kind.READY, "always"),
    Shot("tray-menu-lengths", open_snooze, ("--play", "tray", "ready", "--pairs", "a")),
    line("lending", Kind.LENDING, "lending"),
    line("paused", Kind.PAUSED, "paused"),
    line("not-told", Kind.STARTING),
    Shot("tray-chatting", chat, ("--play", "tray", "ready")),
    Shot("tray-revived", partial(kill, times=1), ("--play", "tray", "ready")),
    Shot("tray-given-up", partial(kill, times=4), ("--play", "tray", "ready")),
    Shot("tray-narrow", partial(wait_for, kind=Kind.LENDING), ("--play", "tray", "lending"), ((420, 480),)),
    Shot("tray-shortcuts", list_shortcuts, ("--play", "tray", "ready")),
]
