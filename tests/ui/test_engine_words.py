"""Sentences of the engine in German: with their fields, numbers as Germans write them, and sentences in sentences."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from idlepool.engine.errors import (
    ModelIncomplete,
    PeerLost,
    PeerUnreachable,
    PortInUse,
    PromptTooLong,
    StageFailed,
    StorageError,
)
from idlepool.engine.events import (
    AnswerDone,
    AnswerText,
    LendingChanged,
    PeerInfo,
    PipelineChanged,
    PoolChanged,
    StageInfo,
    Trouble,
)
from idlepool.ui.engine_words import in_own_language, say
from idlepool.ui.language import speak


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """For the length of a test."""
    locale = QLocale()
    speak(qapp, "de")
    yield
    speak(qapp, "en")  # as all other tests of the window have it, see conftest.py
    QLocale.setDefault(locale)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("english", "own"),
    [
        ("", ""),
        (
            StorageError("/data/pool", "Permission denied").sentence,
            "/data/pool konnte nicht geschrieben werden: Zugriff verweigert.",
        ),
        (
            str(PeerUnreachable("10.0.0.9:7420", "Connection refused")),
            "Bei 10.0.0.9:7420 antwortet niemand: die Verbindung wurde abgelehnt. Läuft Idlepool dort?",
        ),
        (PortInUse(7419).sentence, "Port 7419 wird von einem anderen Programm benutzt."),
        (PeerLost("attic", 10, 20).sentence, "attic mit den Schichten 10 bis 19 ist nicht mehr da."),
        (
            PromptTooLong(12345, 8192).sentence + " Try again.",
            "Die Unterhaltung hat 12.345 Token, und das Modell fasst 8.192. Versuchen Sie es noch einmal.",
        ),
        (
            ModelIncomplete("big", 1_500_000, ("attic: it is gone", "no PC in reach has them")).sentence,
            "1,5 MB von „big“ fehlen hier: attic: er ist nicht mehr da; kein erreichbarer PC hat sie.",
        ),
        (
            str(StageFailed("attic", "its stage process did not start within 60 s")),
            "attic konnte seine Schichten nicht rechnen: sein Rechenprozess startete nicht binnen 60 s",
        ),
        (
            "This PC lends nothing: its battery is low.",
            "Dieser PC verleiht nichts, denn sein Akku ist schwach.",
        ),
        (
            "Waiting for attic (prepares its layers, 3 s), north (fetches its layers, 12 s).",
            "Wartet auf attic (bereitet seine Schichten vor, 3 s), north (lädt seine Schichten herunter, 12 s).",
        ),
    ],
)
def test_a_sentence_is_said_anew_with_its_fields(english: str, own: str) -> None:
    assert say(english) == own


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("sentence", ["It rains in Lyon.", "attic", "a: b; c (d), e.", "{braces} %1", "x" * 5000])
def test_what_is_not_known_is_shown_as_it_came(sentence: str) -> None:
    assert say(sentence) == sentence


@pytest.mark.usefixtures("german")
def test_events_bring_the_words_wherever_they_hold_some() -> None:
    stage = StageInfo("0" * 64, "attic", 0, 30, "lost", notice="it is gone")
    told = in_own_language(PipelineChanged("starter", "preparing", (stage,), "Waiting for attic."))
    assert isinstance(told, PipelineChanged)
    assert (told.stages[0].notice, told.detail) == ("er ist nicht mehr da", "Wartet auf attic.")
    peer = PeerInfo("0" * 64, "attic", False, False, reason="Nothing was heard of it for 4 s.")
    pool = in_own_language(PoolChanged((peer,)))
    assert isinstance(pool, PoolChanged)
    assert pool.peers[0].reason == "Seit 4 s war nichts von ihm zu hören."
    trouble = in_own_language(Trouble("The disk of a PC is full.", "Try again."))
    assert trouble == Trouble("The disk of a PC is full.", "Versuchen Sie es noch einmal.")


@pytest.mark.usefixtures("german")
def test_the_code_of_a_reason_stays_a_code() -> None:
    lending = LendingChanged("when_idle", False, "battery low", "This PC lends nothing: its battery is low.")
    told = in_own_language(lending)
    assert isinstance(told, LendingChanged)
    assert told.reason == "battery low"
    assert told.sentence == "Dieser PC verleiht nichts, denn sein Akku ist schwach."


@pytest.mark.usefixtures("german")
def test_what_the_model_says_is_left_alone() -> None:
    text = AnswerText(1, "Try again.", 2, 3.0)
    assert in_own_language(text) is text


def test_in_english_nothing_changes() -> None:
    done = AnswerDone(1, "failed", (), 0, 0.0, 0.0, "Try again.")
    assert in_own_language(done) is done
    assert say("Try again.") == "Try again."
