"""The settings of the window itself: what is chosen is kept, and what the system refuses is told beside the switch."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from idlepool.engine.errors import IdlepoolError
from idlepool.ui.preferences import Preferences
from idlepool.ui.settings.window_section import WindowSection


def test_colours_and_notifications_are_kept(tmp_path: Path, qtbot: QtBot):
    section = WindowSection(Preferences(tmp_path), None)
    qtbot.addWidget(section)
    section.theme.setCurrentIndex(2)
    section.theme.activated.emit(2)
    section.notifications.click()
    again = Preferences(tmp_path).chosen
    assert (again.theme, again.notifications) == ("dark", False)
    section.theme.activated.emit(0)


class Refuses:
    def enabled(self) -> bool:
        return False

    def set_enabled(self, enabled: bool, /) -> None:
        raise IdlepoolError("The folder for autostart cannot be written.", "Look at its rights.")


def test_a_system_that_refuses_autostart_is_told_beside_the_switch(qtbot: QtBot):
    section = WindowSection(Preferences(None), Refuses())
    qtbot.addWidget(section)
    section.starts.click()
    assert not section.starts.isChecked()
    assert section.starts_row.problem.text() == "The folder for autostart cannot be written. Look at its rights."
