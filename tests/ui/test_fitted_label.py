"""A label in a bubble that becomes narrower and wider again."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from idlepool.ui.fitted_label import FittedLabel


def test_all_lines_are_seen_whatever_the_width_was_before(qtbot: QtBot):
    label = FittedLabel()
    qtbot.addWidget(label)
    label.fit(800)
    label.show_text("The answer broke off when the PC that was asked went away.")
    in_one_line = label.size()
    label.fit(160)
    assert label.width() == 160
    assert label.height() >= 2 * label.fontMetrics().height()
    label.fit(800)
    assert label.size() == in_one_line
