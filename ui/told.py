"""What the user was told once and need not hear at each start; kept among the settings of this user."""

from __future__ import annotations

import hashlib
from typing import Final

from PySide6.QtCore import QSettings

KEY: Final = "told"

MOST: Final = 50
"""The oldest are forgotten first: at worst they are told again."""


def first_time(sentence: str) -> bool:
    """Whether this is told for the first time; from now on it is not. Only a digest of the sentence is kept."""
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Idlepool", "window")
    digest = hashlib.sha256(sentence.encode()).hexdigest()[:16]
    told = str(settings.value(KEY, "")).split()
    if digest in told:
        return False
    settings.setValue(KEY, " ".join([*told, digest][-MOST:]))
    return True
