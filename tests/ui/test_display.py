"""Whether a window can be opened is known before Qt is asked, which would end the process."""

from __future__ import annotations

import sys

import pytest

from idlepool.ui.display import display_available, display_problem

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Windows and macOS always have a display")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_no_display_is_named(bare: pytest.MonkeyPatch):
    assert "no display" in display_problem()
    assert not display_available()


def test_a_display_that_nobody_serves_is_found_out(bare: pytest.MonkeyPatch):
    bare.setenv("DISPLAY", ":2999")
    assert display_problem().startswith("The display cannot be opened")


def test_the_offscreen_platform_counts_as_a_display(bare: pytest.MonkeyPatch):
    bare.setenv("QT_QPA_PLATFORM", "offscreen")
    assert display_available()
