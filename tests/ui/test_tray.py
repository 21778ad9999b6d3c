"""The tray icon and its menu, which the window has too."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from idlepool.engine.events import HostedStages, LentLayers
from idlepool.ui.app_icon import status_icon
from idlepool.ui.app_menu import AppMenu
from idlepool.ui.lending_words import tomorrow
from idlepool.ui.main_window import MainWindow
from idlepool.ui.pc_status import Kind
from idlepool.ui.tray import Tray


@pytest.fixture
def open_tray(open_window, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    trays: list[Tray] = []

    def open_it(*play: str) -> tuple[MainWindow, Tray]:
        window = open_window("--play", "tray", *play)
        trays.append(Tray("Idlepool", window.watch, window.requests))
        trays[-1].show()
        return window, trays[-1]

    yield open_it
    for tray in trays:
        tray.hide()


class Clock:
    """Stands at a moment."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


def guest(number: int) -> LentLayers:
    return LentLayers("llama", 0, 4, f"{number:064x}", f"PC-{number}", datetime.now().astimezone(), 10**9)


def shown(menu: AppMenu) -> dict[str, QAction]:
    everything = [*menu.actions(), *menu.snooze.actions()]
    return {action.text(): action for action in everything if action.isVisible() and not action.isSeparator()}


def test_each_state_has_its_own_picture(qtbot: QtBot):
    pictures = [status_icon(kind).pixmap(22, 22).toImage() for kind in Kind]
    assert not any(picture.isNull() for picture in pictures)
    silhouettes = []
    for picture in pictures:
        cells = [(x, y) for x in range(22) for y in range(22)]
        silhouettes.append(tuple(picture.pixelColor(*cell).lightness() // 86 for cell in cells))
    assert len(set(silhouettes)) == len(Kind), "without colours too"


def test_the_icon_follows_the_state(open_tray, qtbot: QtBot):
    window, tray = open_tray("ready")

    def shows(kind: Kind) -> bool:
        return tray.icon.icon().pixmap(22, 22).toImage() == status_icon(kind).pixmap(22, 22).toImage()

    for choice, kind in (("Always lend", Kind.READY), ("Never lend", Kind.PAUSED), ("Always lend", Kind.READY)):
        shown(tray.menu)[choice].trigger()
        qtbot.waitUntil(lambda kind=kind: window.watch.now.kind is kind)
        assert shows(kind)


def test_a_click_on_the_icon_or_on_its_notification_opens_the_window(open_tray, qtbot: QtBot):
    window, tray = open_tray()
    opened = window.requests.open_requested
    reasons = QSystemTrayIcon.ActivationReason
    with qtbot.waitSignal(opened):
        tray.icon.activated.emit(reasons.Trigger)
    with qtbot.waitSignal(opened):
        tray.icon.messageClicked.emit()
    with qtbot.assertNotEmitted(opened):
        tray.icon.activated.emit(reasons.Context)  # that opens the menu


def test_who_uses_what_is_in_the_menu_and_the_tooltip_stays(open_tray, qtbot: QtBot):
    window, tray = open_tray("lending")
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.LENDING)
    assert tray.menu.status.text() == "Lending to 2 PCs"
    lines = list(shown(tray.menu))
    assert lines[1].startswith("Layers 12–23 of llama-3.1-8b for PC-3 · 2.")
    assert lines[2].startswith("Layers 12–23 of qwen3-30b for attic")
    assert tray.icon.toolTip() == "Idlepool"
    shown(tray.menu)["Stop lending now"].trigger()
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.PAUSED)
    assert not tray.menu.stop.isEnabled()
    assert "min left" in tray.menu.end_snooze.text() or "h 0 min" in tray.menu.end_snooze.text()
    assert tray.icon.toolTip() == "Idlepool"


def test_the_rules_are_chosen_in_the_menu(open_tray, qtbot: QtBot):
    window, tray = open_tray("ready")
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)
    assert shown(tray.menu)["Lend when I am away"].isChecked()
    shown(tray.menu)["Never lend"].trigger()
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.PAUSED)
    assert tray.menu.status.text() == "Not lending: You chose to lend nothing"
    assert shown(tray.menu)["Never lend"].isChecked()
    assert not shown(tray.menu)["Lend when I am away"].isChecked()


def test_a_snooze_shows_the_time_left_and_can_be_ended(open_tray, qtbot: QtBot):
    window, tray = open_tray("ready")
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)
    assert not any(text.startswith("End snooze") for text in shown(tray.menu))
    shown(tray.menu)["For 30 minutes"].trigger()
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.PAUSED)
    assert tray.menu.status.text().startswith("Not lending: Snoozed until")
    shown(tray.menu)["End snooze (30 min left)"].trigger()
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)
    assert not any(text.startswith("End snooze") for text in shown(tray.menu))


def test_a_snooze_until_tomorrow_says_when_that_is(open_tray, qtbot: QtBot):
    window, tray = open_tray("ready")
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)
    (until,) = [text for text in shown(tray.menu) if "8:00" in text]
    shown(tray.menu)[until].trigger()
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.PAUSED)
    ends = window.state.lending.snoozed_until
    assert ends == tomorrow(datetime.now().astimezone())


def test_the_time_left_follows_the_clock_where_no_menu_is_told_that_it_opens(open_tray, qtbot: QtBot, monkeypatch):
    window, tray = open_tray("snoozed")
    qtbot.waitUntil(lambda: "28 min left" in tray.menu.end_snooze.text())
    late = datetime.now().astimezone() + timedelta(minutes=20)
    monkeypatch.setattr("idlepool.ui.app_menu.datetime", Clock(late))
    window.watch._timer.timeout.emit()
    assert "8 min left" in tray.menu.end_snooze.text()


def test_more_guests_than_the_menu_has_lines_for_are_counted(open_tray, qtbot: QtBot):
    window, tray = open_tray("ready")
    window.state.bridge.received.emit(HostedStages(tuple(guest(number) for number in range(6))))
    lines = list(shown(tray.menu))[1:5]
    assert ["PC-0" in lines[0], "PC-2" in lines[2], lines[3]] == [True, True, "… and 3 more"]


def test_a_node_without_rules_has_none_to_choose(open_tray, qtbot: QtBot):
    window, tray = open_tray("always")
    qtbot.waitUntil(lambda: window.watch.now.kind is Kind.READY)
    assert not any(action.isEnabled() for action in tray.menu.modes.values())
    assert not tray.menu.snooze.menuAction().isEnabled()


def test_the_menu_opens_and_quits(open_tray, qtbot: QtBot):
    window, tray = open_tray()
    with qtbot.waitSignal(window.requests.open_requested):
        shown(tray.menu)["Open chat"].trigger()
    with qtbot.waitSignal(window.requests.quit_requested):
        shown(tray.menu)["Quit Idlepool"].trigger()


def test_a_tray_that_comes_later_is_used(open_window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    here: list[bool] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: bool(here)))
    window = open_window()
    tray = Tray("Idlepool", window.watch, window.requests)
    tray.show()
    assert not tray.available
    here.append(True)
    with qtbot.waitSignal(tray.available_changed):
        tray.look()
    assert tray.icon.isVisible()
    tray.hide()
