"""What the window keeps: over restarts, over damage, and on a disk that takes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from idlepool.engine.events import Trouble
from idlepool.ui.banner import Banners
from idlepool.ui.preferences import BROKEN, FILE, MOST_TOLD, Preferences
from idlepool.ui.told import first_time


def test_what_was_chosen_is_there_at_the_next_start(tmp_path: Path):
    preferences = Preferences(tmp_path / "new")
    preferences.chosen.theme = "dark"
    preferences.chosen.first_run_done = True
    preferences.save()
    again = Preferences(tmp_path / "new")
    assert again.chosen == preferences.chosen
    assert not again.problem


@pytest.mark.parametrize("text", ["", "{", "[]", '{"theme": "pink"}', '{"told": 7}', "\xff", "[" * 100_000])
def test_a_damaged_file_is_put_aside_and_defaults_hold(tmp_path: Path, text: str):
    (tmp_path / FILE).write_text(text, "latin-1")
    preferences = Preferences(tmp_path)
    assert preferences.chosen.theme == "system"
    assert BROKEN in preferences.problem
    assert (tmp_path / BROKEN).read_text("latin-1") == text
    preferences.save()
    assert not Preferences(tmp_path).problem


def test_a_newer_version_s_field_costs_nothing(tmp_path: Path):
    (tmp_path / FILE).write_text('{"theme": "dark", "shape": "round"}')
    preferences = Preferences(tmp_path)
    assert preferences.chosen.theme == "dark"
    assert not preferences.problem


def test_a_file_that_cannot_be_read_is_left_where_it_is(tmp_path: Path):
    (tmp_path / FILE).mkdir()
    preferences = Preferences(tmp_path)
    assert "cannot be read (Is a directory)" in preferences.problem or "Permission denied" in preferences.problem
    preferences.chosen.theme = "dark"
    preferences.save()
    assert (tmp_path / FILE).is_dir()


def test_a_notice_is_told_once_and_only_its_digest_is_kept(tmp_path: Path):
    preferences = Preferences(tmp_path)
    assert first_time(preferences, "The key lies in a file.")
    assert not first_time(preferences, "The key lies in a file.")
    assert not first_time(Preferences(tmp_path), "The key lies in a file.")
    assert "key" not in (tmp_path / FILE).read_text()


def test_the_oldest_notices_are_forgotten_first(tmp_path: Path):
    preferences = Preferences(tmp_path)
    for number in range(MOST_TOLD + 1):
        first_time(preferences, f"Notice {number}")
    assert not first_time(preferences, f"Notice {MOST_TOLD}")
    assert first_time(preferences, "Notice 0")


def test_a_trouble_is_told_each_time_a_notice_once(qtbot):
    banners = Banners(Preferences(None))
    qtbot.addWidget(banners)
    for trouble in (Trouble("The disk is full."), Trouble("The key lies in a file.", once=True)):
        for _ in range(2):
            banners.tell(trouble)
            assert banners.shown or trouble.once
            for banner in list(banners.shown):
                banners.remove(banner)
    assert not banners.shown
    banners.tell(Trouble("The disk is full.", "Free some space."))
    assert banners.shown[0].accessibleName() == "The disk is full. Free some space."
