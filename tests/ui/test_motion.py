"""Nothing moves by itself where the system was told that it must not."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from idlepool.ui.chat.thinking_dots import ThinkingDots
from idlepool.ui.motion import motion_wanted


@pytest.mark.parametrize("duration_ms", [0, 200])
def test_the_dots_take_turns_only_where_motion_is_wanted(qtbot: QtBot, duration_ms: int) -> None:
    dots = ThinkingDots("Thinking")
    qtbot.addWidget(dots)
    dots.setStyleSheet(f"* {{ widget-animation-duration: {duration_ms}; }}")  # as Qt says it for the system
    assert motion_wanted(dots) is (duration_ms > 0)
    dots.show()
    qtbot.waitExposed(dots)
    before = dots.grab().toImage()
    if duration_ms:
        qtbot.waitUntil(lambda: dots.grab().toImage() != before)
    else:
        qtbot.wait(2 * ThinkingDots.PHASE_MS)
        assert dots.grab().toImage() == before
