"""What is notified is what must be known, in words that anybody may see; what the owner did himself is not."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from pytestqt.qtbot import QtBot
from scripted_tray import IDLE

from idlepool.engine.pool.donation import Reason
from idlepool.ui.main_window import MainWindow
from idlepool.ui.notifications import Notifications

Told = list[tuple[str, str]]
OpenTold = Callable[..., tuple[MainWindow, Told]]

DONE = ("The answer is there", "Open Idlepool to read it.")
WITHOUT_ITS_OWNER = {"too hot", "memory cap", "disk cap", "idle time unknown"}


@pytest.fixture
def open_told(open_window) -> OpenTold:
    """A window, and the titles and sentences that are notified."""

    def open_it(*arguments: str) -> tuple[MainWindow, Told]:
        window, told = open_window(*arguments), []
        Notifications(
            window.state, tell=lambda title, words: told.append((title, words)), wanted=lambda: True, parent=window
        )
        return window, told

    return open_it


def test_an_answer_that_breaks_off_is_told_as_such(open_told: OpenTold, qtbot: QtBot):
    window, told = open_told()
    window.chat.ask("fail with a secret")
    qtbot.waitUntil(lambda: bool(told))
    assert told == [("The answer broke off", "Open Idlepool to see why.")]


def test_an_answer_that_was_stopped_is_no_news(open_told: OpenTold, qtbot: QtBot):
    window, told = open_told()
    window.chat.ask("hold on")
    qtbot.waitUntil(lambda: bool((coming := window.chat.session.answering) and coming.text))
    window.chat.stop()
    qtbot.waitUntil(lambda: window.chat.session.answering is None)
    assert told == []
    window.chat.ask("tell me")
    qtbot.waitUntil(lambda: told == [DONE])


def test_a_trouble_says_what_to_do_and_a_notice_waits_in_the_window(open_told: OpenTold, qtbot: QtBot):
    window, told = open_told()
    window.chat.ask("notice this")
    qtbot.waitUntil(lambda: told == [DONE])
    assert [banner.sentence for banner in window.banners.shown] == ["The private key of this PC lies in a file."]
    window.chat.ask("break it")
    qtbot.waitUntil(lambda: len(told) == 3)
    assert told[1:] == [("Idlepool needs you", "The disk of idle-2 is full. Free some space there."), DONE]


def test_a_pc_that_lends_no_more_is_news_only_where_its_owner_did_nothing(open_told: OpenTold):
    window, told = open_told()
    received = window.state.bridge.received
    news = set()
    for reason in {reason.value for reason in Reason} - {"idle", "always"}:
        told.clear()
        for lends, why in ((True, "idle"), (False, reason), (False, reason)):
            received.emit(msgspec.structs.replace(IDLE, lends=lends, reason=why, sentence="It stands here."))
        if told:
            news.add(reason)
            assert [title for title, _ in told] == ["This PC lends nothing more"], "once"
    assert news == WITHOUT_ITS_OWNER
