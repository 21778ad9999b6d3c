"""What the user was told once and need not hear at each start."""

from __future__ import annotations

import hashlib

from idlepool.ui.preferences import MOST_TOLD, Preferences


def first_time(preferences: Preferences, sentence: str) -> bool:
    """Whether this is told for the first time; from now on it is not. Only a digest of the sentence is kept."""
    told = preferences.chosen.told
    digest = hashlib.sha256(sentence.encode()).hexdigest()[:16]
    if digest in told:
        return False
    preferences.chosen.told = [*told, digest][-MOST_TOLD:]
    preferences.save()
    return True
