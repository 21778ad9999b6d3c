"""What the scripted node plays beyond chat and pairing: a module for each page, which is told of start and commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from scripted_models import Models
from scripted_pool import Pool
from scripted_settings import Settings
from scripted_tray import LendingPart

from idlepool.engine.events import Command, Event

Say = Callable[[Event], None]


class Part(Protocol):
    def start(self, play: Sequence[str], say: Say) -> None:
        """The node is ready; `play` are the words after --play, of which a part takes its own."""

    def obey(self, command: Command, say: Say) -> None:
        """A command came, perhaps of another part."""


PARTS: Final[tuple[Part, ...]] = (Settings(), LendingPart(), Pool(), Models())
