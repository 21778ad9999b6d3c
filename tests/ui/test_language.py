"""The language: which one is taken, and that all of a window speaks it, Qt's own texts and numbers too."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import QLocale

from idlepool.ui.language import LANGUAGES, language_of

SPEAKING = """
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from idlepool.ui.bridge import Bridge
from idlepool.ui.language import speak
from idlepool.ui.main_window import MainWindow
import sys
sys.stdout.reconfigure(encoding="utf-8")
application = QApplication([])
speak(application, sys.argv[1])
window = MainWindow(Bridge(["true"]))
print([button.text().strip() for button in window.sidebar.buttons.buttons()])
box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
print(box.buttons()[0].text())
print(QLocale().toString(1234.5, "f", 1))
print(QCoreApplication.translate("ConversationList", "%Ln conversation(s) imported.", "", 1))
"""


@pytest.mark.parametrize(
    ("chosen", "system", "language"),
    [("", "de_AT", "de"), ("", "fr_FR", "en"), ("en", "de_DE", "en"), ("de", "en_US", "de"), ("xx", "de_DE", "de")],
)
def test_the_chosen_language_comes_before_the_systems(chosen: str, system: str, language: str) -> None:
    assert language_of(chosen, QLocale(system)) == language


@pytest.mark.parametrize(
    ("language", "pages", "cancel", "number", "one"),
    [
        ("de", ["Chat", "Pool", "Modelle", "Einstellungen"], "Abbrechen", "1.234,5", "1 Unterhaltung importiert."),
        ("en", ["Chat", "Pool", "Models", "Settings"], "Cancel", "1,234.5", "1 conversation imported."),
    ],
)
def test_all_of_a_window_speaks_it(language: str, pages: list[str], cancel: str, number: str, one: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SPEAKING, language],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    told = done.stdout.splitlines()
    assert told[0] == str(pages)
    assert told[1].replace("&", "") == cancel
    assert told[2:] == [number, one]


def test_each_language_is_called_as_its_speakers_call_it() -> None:
    assert LANGUAGES == {"en": "English", "de": "Deutsch"}
