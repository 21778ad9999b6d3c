"""A node that dies is started again by itself, but not for ever."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from idlepool.engine.events import Ask, ChatMessage
from idlepool.ui.bridge import Bridge
from idlepool.ui.revival import LATELY_S, Revival


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def die(bridge: Bridge) -> None:
    bridge.send(Ask(1, "c", "starter", (ChatMessage("user", "die"),)))


def test_three_times_in_two_minutes_and_then_only_by_hand(qtbot: QtBot, node_command: list[str]):
    clock, bridge = Clock(), Bridge(node_command)
    revival = Revival(bridge, delays_ms=(0, 10, 20), clock=clock)
    told: list[int] = []
    revival.died.connect(lambda sentence, delay_ms: told.append(delay_ms))
    bridge.start()
    for delay_ms in (0, 10, 20):
        with qtbot.waitSignal(revival.restarted):
            die(bridge)
        assert told[-1] == delay_ms
    with qtbot.waitSignal(revival.died):
        die(bridge)
    assert told == [0, 10, 20, -1]
    assert not bridge.running
    revival.restart()
    assert bridge.running
    clock.now += LATELY_S
    with qtbot.waitSignal(revival.restarted):
        die(bridge)
    assert told[-1] == 0, "it is long ago"
    bridge.stop()


def test_the_window_says_so_and_goes_on(open_window, qtbot: QtBot):
    window = open_window()
    with qtbot.waitSignal(window.state.bridge.node_ended):
        die(window.state.bridge)
    assert window.banners.isVisible()
    qtbot.waitUntil(lambda: window.state.ready is not None)
    (banner,) = window.banners.shown
    assert "ended unexpectedly (code 3)" in banner.sentence
    assert "started again" in banner.accessibleName()
    next(button for button in banner.findChildren(QPushButton) if button.text() == "Details").click()
    reports = [view.toPlainText() for view in window.findChildren(QPlainTextEdit) if view.isReadOnly()]
    assert any("What happened last" in report for report in reports)


def test_a_node_that_cannot_start_at_all_is_given_up(qtbot: QtBot):
    bridge = Bridge(["no-such-program-of-idlepool"])
    revival = Revival(bridge, delays_ms=(0, 0))
    with qtbot.waitSignal(revival.died, check_params_cb=lambda sentence, delay_ms: delay_ms < 0):
        bridge.start()
    assert not bridge.running
