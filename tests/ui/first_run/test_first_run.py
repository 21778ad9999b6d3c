"""The introduction: three pages by keyboard, shown once, with what is chosen in it told to the node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from idlepool.ui.bridge import Bridge
from idlepool.ui.first_run.first_run import SMALLEST, FirstRun
from idlepool.ui.main_window import MainWindow
from idlepool.ui.node_state import NodeState
from idlepool.ui.preferences import Preferences
from idlepool.ui.theme import colours

START_MS = 30_000


@pytest.fixture
def introduce(qtbot: QtBot, node_command: list[str], tmp_path: Path) -> Iterator:
    """The dialog above an empty window, with the state that it is made for."""
    bridges: list[Bridge] = []
    parents: list[QWidget] = []

    def begin(*node: str, lends_always: bool = False) -> FirstRun:
        play = ("--play", "settings", *(("always",) if lends_always else ()))
        bridge = Bridge([*node_command, *(node or ("--pairs", "idle-1", "lagoon")), *play])
        bridges.append(bridge)
        state = NodeState(bridge, bridge)
        parent = QWidget()
        parents.append(parent)
        qtbot.addWidget(parent)
        parent.resize(900, 700)
        parent.show()
        dialog = FirstRun(state, Preferences(tmp_path), parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        dialog.open()
        bridge.start()
        qtbot.waitUntil(lambda: state.machine is not None and bool(state.members), timeout=START_MS)
        return dialog

    yield begin
    for bridge in bridges:
        bridge.stop()


def words(widget: QWidget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_three_pages_by_the_enter_key_alone(introduce, qtbot: QtBot, tmp_path: Path):
    dialog = introduce()
    assert "could read the whole conversation" in words(dialog)
    for page in (1, 2):
        qtbot.keyClick(dialog.next, Qt.Key.Key_Return)
        assert dialog.pages.currentIndex() == page
    assert dialog.next.text() == "Start chatting"
    assert not dialog.skip.isVisible()
    qtbot.keyClick(dialog.next, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert Preferences(tmp_path).chosen.first_run_done


def test_the_dots_stay_in_the_middle_whatever_buttons_there_are(introduce):
    dialog = introduce()
    for page in range(3):
        dialog.show_page(page)
        dialog.layout().activate()
        dots = dialog.dots.geometry()
        assert abs(dots.left() - (dialog.width() - 1 - dots.right())) <= 1


def test_choices_that_cannot_be_made_are_muted(introduce):
    modes = introduce(lends_always=True).when.modes.buttons()
    assert {mode.palette().windowText().color().name() for mode in modes} == {colours().muted}


@pytest.mark.parametrize("leave", ["skip", "escape", "close"])
def test_whoever_leaves_it_is_not_asked_again(introduce, qtbot: QtBot, tmp_path: Path, leave: str):
    dialog = introduce()
    match leave:
        case "skip":
            dialog.skip.click()
        case "escape":
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        case "close":
            dialog.close()
    assert not dialog.isVisible()
    assert Preferences(tmp_path).chosen.first_run_done


def test_what_is_chosen_holds(introduce, qtbot: QtBot):
    dialog = introduce()
    state = dialog.when.state
    dialog.what.name.field.setFocus()
    qtbot.keyClicks(dialog.what.name.field, "Attic")
    dialog.show_page(1)
    qtbot.waitUntil(lambda: state.node_preferences.preferences.name == "Attic")
    assert dialog.when.modes.checkedId() == 0
    dialog.when.modes.button(2).click()
    qtbot.waitUntil(lambda: state.lending.rules.mode == "never")
    assert not dialog.when.idle_row.isVisible()
    assert not dialog.when.memory_row.isVisible()
    dialog.when.modes.button(0).click()
    dialog.when.idle.setValue(20)
    qtbot.waitUntil(lambda: (state.lending.rules.mode, state.lending.rules.idle_minutes) == ("when_idle", 20))


def test_a_pc_that_was_told_to_lend_always_shows_that_and_says_why(introduce, qtbot: QtBot):
    dialog = introduce(lends_always=True)
    dialog.show_page(1)
    assert dialog.when.modes.checkedId() == 1
    assert not any(button.isEnabled() for button in dialog.when.modes.buttons())
    assert "started to lend always" in words(dialog.when)
    assert "It lends on mains only" not in words(dialog.when)
    assert not dialog.when.memory_row.isVisible()


def test_the_starter_model_is_fetched_with_its_progress(introduce, qtbot: QtBot):
    dialog = introduce("--no-model", "--pairs", "idle-1", "--download", "hang")
    dialog.show_page(2)
    starter = dialog.steps.starter
    starter.button.click()
    qtbot.waitUntil(lambda: starter.words.text() == "Fetching: 41 of 93 MB")
    assert starter.bar.isVisible()
    assert not starter.button.isVisible()
    assert dialog.focusWidget() is dialog.next


def test_a_model_that_comes_is_told(introduce, qtbot: QtBot):
    dialog = introduce("--no-model", "--pairs", "idle-1")
    dialog.show_page(2)
    dialog.steps.starter.button.click()
    qtbot.waitUntil(lambda: "Here: starter" in words(dialog))
    assert not dialog.steps.starter.bar.isVisible()


def test_a_download_that_fails_says_why_and_can_be_tried_again(introduce, qtbot: QtBot):
    dialog = introduce("--no-model", "--pairs", "idle-1", "--download", "fail")
    dialog.show_page(2)
    starter = dialog.steps.starter
    starter.button.click()
    qtbot.waitUntil(lambda: "no route to host. Check the connection." in starter.row.problem.text())
    assert starter.button.isVisible()


def test_pcs_that_are_paired_are_named_and_more_can_be(introduce, qtbot: QtBot):
    dialog = introduce()
    dialog.show_page(2)
    assert "Paired with lagoon" in words(dialog)
    with qtbot.waitSignal(dialog.pair_requested):
        dialog.steps.pair.click()


def test_nothing_is_wider_than_the_smallest_window(introduce):
    dialog = introduce()
    dialog.resize(*SMALLEST)
    for page in range(3):
        dialog.show_page(page)
        area = dialog.pages.currentWidget()
        assert area.widget().minimumSizeHint().width() <= area.viewport().width()


def test_the_settings_lead_to_it_again(open_window):
    window: MainWindow = open_window("--play", "settings")
    window.show_page(window.settings_page)
    window.settings_page.look.introduction.click()
    introduction = window.findChild(FirstRun)
    assert introduction.isVisible()
    introduction.show_page(2)
    assert introduction.next.text() == "Start chatting"
    introduction.next.click()
    assert window.pages.currentWidget() is window.chat
