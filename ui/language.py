"""The language of the window: chosen before the first widget is made, with Qt's own texts, numbers and dates in it."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, Qt, QTranslator

log = logging.getLogger("idlepool.window")

LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""Each as those call it who speak it."""

FOLDER: Final = Path(__file__).parent / "translations"
_SOURCE: Final = "en"
"""The language of the sources; its file has only the plurals."""


def language_of(chosen: str, system: QLocale | None = None) -> str:
    """The language that is used: the chosen one, else the first of the user's languages that there is."""
    wanted = [chosen, *(name[:2] for name in (system or QLocale.system()).uiLanguages())]
    return next((name for name in wanted if name in LANGUAGES), _SOURCE)


def speak(application: QCoreApplication, chosen: str) -> str:
    """Speak the chosen language ("" or one that there is not: the system's) from now on; returns which one it is.

    What is shown already stays in the language before.
    """
    for before in application.findChildren(QTranslator, options=Qt.FindChildOption.FindDirectChildrenOnly):
        application.removeTranslator(before)
        before.deleteLater()
    language = language_of(chosen)
    system = QLocale.system()
    QLocale.setDefault(system if system.name().startswith(language) else QLocale(language))
    for name, folder in (
        (f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        (f"idlepool_{language}", str(FOLDER)),
    ):
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)
        else:
            log.warning("the texts %s are not there", name)
    return language
