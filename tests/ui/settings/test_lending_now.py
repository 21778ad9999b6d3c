"""How long something goes on, in words that follow the clock of the PC wherever it is put."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from PySide6.QtCore import QLocale
from pytestqt.qtbot import QtBot

from idlepool.engine.events import LendingChanged, LendingRules
from idlepool.ui.bridge import Bridge
from idlepool.ui.node_state import NodeState
from idlepool.ui.settings.lending_now import LendingNow, until_words

NOW = datetime(2026, 6, 1, 14, 0).astimezone()


@pytest.fixture(autouse=True)
def _clock_of_24_hours():
    before = QLocale()
    QLocale.setDefault(QLocale("en_GB"))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (NOW + timedelta(seconds=20), "Until 14:00, in 1 min."),
        (NOW + timedelta(minutes=25), "Until 14:25, in 25 min."),
        (NOW + timedelta(hours=2, minutes=5), "Until 16:05, in 2 h 5 min."),
        (NOW + timedelta(hours=18), "Until Tuesday 08:00."),
        (NOW, ""),
        (NOW - timedelta(days=3), ""),
    ],
)
def test_until_when_is_told_from_the_clock(until: datetime, words: str):
    assert until_words(until, NOW) == words


def test_a_pause_across_midnight_tells_the_time_left():
    late = NOW.replace(hour=23, minute=23)
    assert until_words(late + timedelta(hours=1), late) == "Until 00:23, in 1 h 0 min."


def test_a_pause_that_the_clock_has_passed_is_no_pause_any_more(qtbot: QtBot):
    state = NodeState(Bridge(["nothing"]))
    now = LendingNow(state)
    qtbot.addWidget(now)
    now.show()
    ends = datetime.now().astimezone() + timedelta(milliseconds=300)
    told = LendingChanged("when_idle", False, "snoozed", "It is wanted.", ends, LendingRules(), ends)
    state.bridge.received.emit(told)
    assert now.resume.isVisible()
    now._timer.setInterval(50)
    qtbot.waitUntil(lambda: now.pause.isVisible() and not now.resume.isVisible())
    assert not now.until.isVisible()
