"""The licence of a model that is about to be fetched: whoever fetches it is told before the first byte comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Licence:
    """Under which `name` what people call `title` may be used; empty: its source does not say."""

    title: str
    name: str
    terms: str = ""
    """Where it can be read, where using the model means to agree."""

    def __str__(self) -> str:
        if not self.name:
            return f"{self.title}. Its source names no licence."
        agreed = f", to which you agree by using it: {self.terms}" if self.terms else "."
        return f"{self.title}. Licence: {self.name}{agreed}"


Announce = Callable[[Licence], None]
"""Hears the licence before anything is fetched."""


def unheard(licence: Licence) -> None:
    """The Announce of somebody who has told it already, or asks nobody."""
