"""The tray icon's menu."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from idlepool.ui.app_icon import app_icon
from idlepool.ui.tray import Tray


@pytest.fixture
def tray(qtbot: QtBot) -> Tray:
    return Tray("Idlepool")


def test_the_state_is_in_the_menu_and_the_tooltip_stays(tray: Tray):
    tray.set_state("Ready · 3 PCs", True)
    assert tray.state.text() == "Ready · 3 PCs"
    assert not tray.state.isEnabled()
    assert tray.icon.toolTip() == "Idlepool"


def test_the_menu_opens_and_quits(tray: Tray, qtbot: QtBot):
    actions = {action.text(): action for action in tray.menu.actions()}
    with qtbot.waitSignal(tray.open_requested):
        actions["Open chat"].trigger()
    with qtbot.waitSignal(tray.quit_requested):
        actions["Quit"].trigger()


def test_the_icon_shows_two_states(qtbot: QtBot):
    pictures = [app_icon(ready=ready).pixmap(32, 32).toImage() for ready in (True, False)]
    assert not pictures[0].isNull()
    assert pictures[0].pixelColor(16, 3).alpha() == 255
    assert pictures[0] != pictures[1]
