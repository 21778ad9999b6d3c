"""Sizes and times are written as people write them, and never as more than is known."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale

from idlepool.engine.plan_events import PlannedStage, PlanTold
from idlepool.ui.models.amounts import left_words, share_words, size_words, speed_words
from idlepool.ui.models.fit_words import fit_of, fit_of_size
from idlepool.ui.models.model_row import breakable

GB = 1_000_000_000


@pytest.fixture(autouse=True)
def _in_english():
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (4_100_000_000, "4.1 GB"), (41 * GB, "41 GB"), (141_000_000, "141 MB")],
)
def test_sizes_have_the_unit_that_leaves_few_digits(count: int, words: str):
    assert size_words(count) == words


def test_a_share_names_its_unit_once_where_it_can():
    assert share_words(1_240_000_000, 4_680_000_000) == "1.2 of 4.7 GB"
    assert share_words(410_000_000, 4_680_000_000) == "410 MB of 4.7 GB"
    assert speed_words(23_400_000) == "23 MB/s"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a minute left"),
        (61, "about 2 min left"),
        (3_600, "about 1 h 0 min left"),
        (5_000, "about 1 h 24 min left"),
    ],
)
def test_the_time_left_is_rough(seconds: int, words: str):
    assert left_words(seconds) == words


def test_what_a_model_lacks_is_counted():
    told = PlanTold("large", False, "It does not fit.", "", 0.0, 41 * GB, 12 * GB)
    fit = fit_of(told, lenders=4)
    assert fit.words.startswith("Needs 41 GB: your 4 PCs lend 12 GB, 29 GB too little.")
    assert fit.tone == "bad"
    alone = fit_of(told, lenders=1)
    assert "this PC lends 12 GB" in alone.words


def test_a_reason_that_is_no_lack_of_memory_is_told_as_it_is():
    told = PlanTold("x", False, "No PC lends anything.", "Wait for one.", 0.0, 0, 0)
    assert fit_of(told, lenders=1).words == "No PC lends anything. Wait for one."


def test_a_guess_is_told_from_a_measurement():
    stage = PlannedStage("0" * 64, "pc", 0, 30, "CPU", GB, 12.0, GB)
    told = PlanTold("x", True, "", "", 7.31, GB, 12 * GB, (stage,), (("attic", "it does not lend"),), measured=False)
    fit = fit_of(told, lenders=2)
    assert fit.words == "Fits on one PC · needs 1.0 GB of 12 GB lent · about 7.3 tokens/s"
    assert fit.more == "attic: it does not lend"


def test_of_a_model_that_is_not_here_only_what_can_be_known_is_said():
    assert fit_of_size(0, 12 * GB, lenders=2).words == ""
    assert fit_of_size(4 * GB, 0, lenders=2).words == ""
    assert "3.0 GB too little" in fit_of_size(12 * GB, 12 * GB, lenders=2).words


def test_nothing_of_a_share_is_no_unit_of_its_own():
    assert share_words(0, 98_000_000) == "0 of 98 MB"


def test_a_name_is_wrapped_between_its_parts_and_in_no_number():
    assert breakable("OpenVINO/Qwen2.5-Coder-7B-ov").split("\u200b") == ["OpenVINO/", "Qwen2.5-", "Coder-7B-", "ov"]
    assert breakable("licence: Apache-2.0") == "licence: Apache-2.0"
