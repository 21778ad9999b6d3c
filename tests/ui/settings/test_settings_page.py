"""The settings page against the scripted node: what is chosen is told to the node at once, and can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from idlepool.engine.lending_rules import LendingRules, WeekHours
from idlepool.ui.bridge import Bridge
from idlepool.ui.details import DetailsDialog
from idlepool.ui.node_state import NodeState
from idlepool.ui.preferences import Preferences
from idlepool.ui.settings.settings_page import SettingsPage

OpenSettings = Callable[..., SettingsPage]


@pytest.fixture
def open_settings(qtbot: QtBot, node_command: list[str]) -> Iterator[OpenSettings]:
    """The page alone, with the state that it is made for."""
    bridges: list[Bridge] = []
    pages: list[SettingsPage] = []

    def open_it(*play: str) -> SettingsPage:
        bridge = Bridge([*node_command, "--pairs", "idle-1", "lagoon", "--play", "settings", *play])
        bridges.append(bridge)
        page = SettingsPage(NodeState(bridge, bridge), Preferences(None))
        qtbot.addWidget(page)
        pages.append(page)
        page.resize(700, 600)
        page.show()
        bridge.start()
        qtbot.waitUntil(lambda: page.state.machine is not None, timeout=30_000)
        return page

    yield open_it
    for bridge in bridges:
        bridge.stop()


@pytest.fixture
def page(open_settings: OpenSettings) -> SettingsPage:
    return open_settings("in-use")


def kept(page: SettingsPage) -> LendingRules:
    """What the node keeps."""
    assert page.state.lending
    assert page.state.lending.rules
    return page.state.lending.rules


# --- lending ----------------------------------------------------------------------------------------------------------


def test_the_reason_that_holds_now_is_shown_and_the_rule_that_decides_is_marked(page: SettingsPage):
    assert "somebody uses it" in page.lending.now.sentence.text()
    assert page.lending.now.until.text().startswith("Until ")
    marked = [field for field, row in page.lending.rows.items() if row.decides.isVisible()]
    assert marked == ["idle_minutes"]


def test_the_mode_holds_at_once_and_its_own_settings_come_and_go(page: SettingsPage, qtbot: QtBot):
    mode = page.lending.rows["mode"].control
    mode.setCurrentIndex(2)
    mode.activated.emit(2)
    qtbot.waitUntil(lambda: kept(page).mode == "never")
    assert not page.lending.rows["idle_minutes"].isVisible()
    assert page.lending.rows["mode"].decides.isVisible()


def test_a_change_is_taken_back(page: SettingsPage, qtbot: QtBot):
    before = kept(page)
    page.lending.rows["on_metered"].control.click()
    qtbot.waitUntil(lambda: kept(page).on_metered)
    assert "metered" in page.undo.words.text()
    page.undo.button.click()
    qtbot.waitUntil(lambda: kept(page) == before)
    assert not page.lending.rows["on_metered"].control.isChecked()
    assert not page.undo.isVisible()


def test_changes_of_a_slider_are_taken_back_together(page: SettingsPage, qtbot: QtBot):
    slider = page.lending.memory.slider
    for _ in range(3):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: kept(page).memory_share == 0.65)
    assert page.lending.memory.words.text() == "65 % · 10.4 GB"
    page.undo.button.click()
    qtbot.waitUntil(lambda: kept(page).memory_share == 0.5)


def test_two_quick_changes_are_both_kept(page: SettingsPage, qtbot: QtBot):
    page.lending.rows["on_metered"].control.click()
    page.lending.rows["pause_full_screen"].control.click()
    qtbot.waitUntil(lambda: kept(page).on_metered and not kept(page).pause_full_screen)


def test_numbers_are_typed(page: SettingsPage, qtbot: QtBot):
    for field, typed, expected in (("idle_minutes", "12", 12), ("disk_bytes", "40", 40_000_000_000)):
        control = page.lending.rows[field].control
        control.selectAll()
        qtbot.keyClicks(control, typed)
        qtbot.keyClick(control, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda field=field, expected=expected: getattr(kept(page), field) == expected)
    page.lending.rows["disk_bytes"].control.setValue(0)
    qtbot.waitUntil(lambda: kept(page).disk_bytes is None)


def test_hours_are_painted_with_the_mouse(page: SettingsPage, qtbot: QtBot):
    grid = page.lending.hours.grid
    first, last = (grid._rect(cell).center().toPoint() for cell in ((0, 9), (1, 11)))
    qtbot.mousePress(grid, Qt.MouseButton.LeftButton, pos=first)
    for hour in (10, 11):
        qtbot.mouseMove(grid, grid._rect((0, hour)).center().toPoint())
    qtbot.mouseMove(grid, last)
    qtbot.mouseRelease(grid, Qt.MouseButton.LeftButton, pos=last)
    qtbot.waitUntil(lambda: WeekHours((0,), 9 * 60, 12 * 60) in kept(page).hours)
    assert WeekHours((1,), 11 * 60, 12 * 60) in kept(page).hours
    assert "9:00–12:00" in page.lending.hours.field.text()


def test_hours_are_chosen_by_keyboard_and_said_aloud(page: SettingsPage, qtbot: QtBot):
    grid = page.lending.hours.grid
    grid.setFocus()
    assert "Monday, 0:00 to 1:00: nothing is lent" in grid.accessibleDescription()
    qtbot.keyClick(grid, Qt.Key.Key_Space)
    qtbot.keyClick(grid, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: WeekHours((0,), 0, 2 * 60) in kept(page).hours)
    assert "Monday, 1:00 to 2:00: may be lent" in grid.accessibleDescription()


def test_hours_are_written_and_what_is_not_understood_is_told_beside_them(page: SettingsPage, qtbot: QtBot):
    hours = page.lending.hours
    hours.field.setText("weekends")
    qtbot.keyClick(hours.field, Qt.Key.Key_Return)
    assert "“weekends” is not understood" in hours.problem.text()
    assert hours.problem.isVisible()
    assert kept(page).hours[0].first == 18 * 60
    hours.field.setText("sat, sun 8-20")
    qtbot.keyClick(hours.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: kept(page).hours == (WeekHours((5, 6), 8 * 60, 20 * 60),))
    assert not hours.problem.isVisible()
    hours.every.click()
    qtbot.waitUntil(lambda: kept(page).hours == ())


def test_programs_are_added_chosen_and_removed(page: SettingsPage, qtbot: QtBot):
    programs = page.lending.programs
    programs.field.setText("C:\\games\\chess.exe")
    programs.add.click()
    assert "without the folder" in programs.problem.text()
    programs.field.setText("chess.exe")
    programs.add.click()
    qtbot.waitUntil(lambda: kept(page).exclusive_programs == ("blender.exe", "game.exe", "chess.exe"))
    programs.choose.click()
    dialog = programs.findChild(QDialog)
    assert dialog
    dialog.search.setText("spread")
    dialog.choose.click()
    qtbot.waitUntil(lambda: "spreadsheet.exe" in kept(page).exclusive_programs)
    button(programs, "Remove blender.exe").click()
    qtbot.waitUntil(lambda: "blender.exe" not in kept(page).exclusive_programs)


def test_it_pauses_ends_the_pause_and_stops(page: SettingsPage, qtbot: QtBot):
    now = page.lending.now
    now.menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: now.resume.isVisible())
    assert now.until.text().endswith("in 30 min.")
    now.resume.click()
    qtbot.waitUntil(lambda: now.pause.isVisible())
    now.stop.click()
    qtbot.waitUntil(lambda: now.resume.isVisible())
    assert now.until.text().startswith("Until ")  # late in the evening it names the day


def test_a_node_that_lends_always_cannot_be_told_otherwise(open_settings):
    page = open_settings("always")
    assert "started to lend always" in page.lending.now.until.text()
    assert not any(row.isEnabled() for row in page.lending.rows.values())
    assert page.lending.rows["mode"].control.currentText() == "Always"
    shown = [field for field, row in page.lending.rows.items() if row.isVisible()]
    assert shown == ["mode"], "no rule holds"


# --- node -------------------------------------------------------------------------------------------------------------


def test_the_api_is_switched_on_shown_and_its_key_renewed_after_a_question(page: SettingsPage, qtbot: QtBot):
    api = page.api
    assert not api.address.isVisible()
    api.on.click()
    qtbot.waitUntil(lambda: api.address.field.text() == "http://127.0.0.1:7419/v1")
    key = api.key.field.text()
    assert key not in api.key.field.displayText()
    api.key.eye.click()
    assert api.key.field.displayText() == key
    api.example.copy.click()
    assert key in QGuiApplication.clipboard().text()
    api.renew.click()
    box = page.findChild(QMessageBox)
    assert box
    button(box, "Make a new key").click()
    qtbot.waitUntil(lambda: api.key.field.text() not in ("", key))


def test_trouble_with_the_api_stands_beside_its_switch(open_settings):
    page = open_settings("broken-api")
    assert "used by another program" in page.api.on_row.problem.text()


def test_the_network_is_spared_and_the_pc_gets_a_name(page: SettingsPage, qtbot: QtBot):
    def node():
        return page.state.node_preferences.preferences

    page.network.rate.setValue(12.5)
    qtbot.waitUntil(lambda: node().model_bytes_per_s == 12_500_000)
    field = page.pool.name.field
    qtbot.keyClicks(field, "Attic")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: node().name == "Attic")
    assert node().model_bytes_per_s == 12_500_000


# --- about ------------------------------------------------------------------------------------------------------------


def test_the_report_is_seen_before_it_is_copied(open_window, qtbot: QtBot):
    window = open_window("--pairs", "idle-1", "lagoon")
    qtbot.waitUntil(lambda: len(window.state.members) == 2)
    QGuiApplication.clipboard().clear()
    window.settings_page.about.report.click()
    dialog = window.findChild(DetailsDialog)
    assert dialog
    assert "lagoon" not in dialog.view.toPlainText()
    assert QGuiApplication.clipboard().text() == ""
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.view.toPlainText()


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_list_leads_to_a_section_and_the_keyboard_goes_on_there(page: SettingsPage):
    page.section_list.buttons.button(3).click()
    assert page.area.verticalScrollBar().value() > 0
    focused = QApplication.focusWidget()
    assert focused
    assert page.api.isAncestorOf(focused)


def test_the_list_marks_the_section_that_was_gone_to_and_then_the_one_that_is_read(page: SettingsPage):
    for number in (*range(len(page.sections)), 2, 4):
        page.section_list.buttons.button(number).click()
        assert page.section_list.buttons.checkedId() == number
    bar = page.area.verticalScrollBar()
    marked = []
    for scrolled in range(bar.maximum() + 1):
        bar.setValue(scrolled)
        marked.append(page.section_list.buttons.checkedId())
    bar.setValue(0)
    assert page.section_list.buttons.checkedId() == 0
    assert marked == sorted(marked)
    assert set(marked) >= set(range(1, len(page.sections))), "each has its turn"


def test_the_wheel_over_a_control_scrolls_and_changes_nothing(page: SettingsPage):
    before = kept(page)
    control = page.lending.rows["idle_minutes"].control
    turn = QWheelEvent(
        QPointF(4, 4),
        QPointF(control.mapToGlobal(QPoint(4, 4))),
        QPoint(),
        QPoint(0, -240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(control, turn)
    assert control.value() == before.idle_minutes


def test_nothing_can_be_changed_while_there_is_no_node(page: SettingsPage, qtbot: QtBot):
    page.lending.rows["on_metered"].control.click()
    page.state.bridge.node_ended.emit("The engine crashed.")
    assert not page.lending.rows["mode"].isEnabled()
    assert not page.api.on_row.isEnabled()
    assert not page.undo.isVisible()
    assert page.lending.now.sentence.text() == "Not known yet."


def button(inside, name: str) -> QPushButton:
    return next(b for b in inside.findChildren(QPushButton) if name in (b.accessibleName(), b.text()))
