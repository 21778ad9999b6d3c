"""Long work leaves the window time, tells how far it is, and is undone where it is given up."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from idlepool.ui.slices import Slices, Steps


def test_the_window_gets_its_turns_between_slices(qtbot: QtBot):
    turns = 0

    def count() -> None:
        nonlocal turns
        turns += 1

    def steps() -> Steps:
        begun = turns
        while turns < begun + 3:  # for good, if the window never had a turn
            yield turns - begun, 3

    beat = QTimer(interval=0)
    beat.timeout.connect(count)
    beat.start()
    work = Slices()
    with qtbot.waitSignal(work.ended):
        work.begin(steps())
        assert work.busy
    assert not work.busy


def test_what_is_given_up_is_closed_and_another_work_takes_its_place(qtbot: QtBot):
    closed: list[str] = []

    def steps(name: str) -> Steps:
        try:
            while True:
                yield 1, 2
        finally:
            closed.append(name)

    work = Slices()
    with qtbot.waitSignal(work.progressed):
        work.begin(steps("first"))
    with qtbot.waitSignal(work.progressed):
        work.begin(steps("second"))
    assert closed == ["first"]
    with qtbot.waitSignal(work.ended):
        work.give_up()
    assert closed == ["first", "second"]
    assert not work.busy
    work.give_up()


def test_work_that_fails_is_over(qtbot: QtBot):
    def steps() -> Steps:
        yield 1, 2
        raise ZeroDivisionError

    work = Slices()
    with capture_exceptions() as raised, qtbot.waitSignal(work.ended):
        work.begin(steps())
    assert not work.busy
    with pytest.raises(ZeroDivisionError):
        raise raised[0][1]
