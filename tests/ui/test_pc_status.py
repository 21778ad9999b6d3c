"""What this PC does at a glance: one of a few states, each with words and a reason."""

from __future__ import annotations

import msgspec
from pytestqt.qtbot import QtBot

from idlepool.engine.events import Ask, ChatMessage, Stop
from idlepool.engine.pool.donation import Reason
from idlepool.ui import lending_words
from idlepool.ui.lending_status import LendingStatus
from idlepool.ui.main_window import MainWindow
from idlepool.ui.pc_status import Kind


def line(window: MainWindow) -> LendingStatus:
    return window.findChild(LendingStatus)


def test_the_sidebar_says_why_nothing_is_lent(open_window, qtbot: QtBot):
    window = open_window("--play", "tray", "paused")
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.PAUSED)
    assert line(window).accessibleName() == "Not lending: You use this PC"
    assert line(window).words.text() == "Not lending"


def test_what_is_not_known_yet_needs_no_words_that_do_not_fit(open_window, qtbot: QtBot):
    window = open_window()
    assert line(window).accessibleName() == "Running"


def test_an_answer_under_way_is_a_state(open_window, qtbot: QtBot):
    window = open_window("--play", "tray", "ready")
    window.state.bridge.send(Ask(70, "c", "starter", (ChatMessage("user", "hold on"),)))
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.CHATTING)
    window.state.bridge.send(Stop(70))
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)


def test_a_dead_node_is_trouble_until_it_is_back(open_window, qtbot: QtBot):
    window = open_window("--play", "tray", "ready")
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)
    with qtbot.waitSignal(window.watch.changed):
        window.state.bridge._process.kill()
    assert window.watch.now.kind is Kind.TROUBLE
    assert "crashed" in window.watch.now.reason
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)


def test_a_click_opens_the_menu(open_window, qtbot: QtBot):
    window = open_window("--play", "tray", "ready")
    line(window).click()
    qtbot.waitUntil(line(window).menu_of_app.isVisible)
    line(window).menu_of_app.close()


def test_every_reason_of_the_node_has_words_for_its_owner(open_window, qtbot: QtBot):
    window = open_window("--play", "tray", "ready")
    qtbot.waitUntil(lambda: window.state.lending is not None)
    told = window.state.lending
    words = {reason: lending_words.reason(msgspec.structs.replace(told, reason=reason.value)) for reason in Reason}
    assert told.sentence not in words.values()
    assert len(set(words.values())) == len(Reason)
