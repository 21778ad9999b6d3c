"""Which drafter a pipeline gets: what the owner of the head's PC chose, or prompt look-up where that does not fit.

A draft model is asked only where the text does not repeat itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from idlepool.engine.decode.drafter import Drafter
from idlepool.engine.decode.lookup import LookupDrafter
from idlepool.engine.decode.repeat_or_draft import RepeatOrDraft
from idlepool.engine.errors import IdlepoolError
from idlepool.engine.events import Trouble
from idlepool.engine.models.manifest import WEIGHTS_FILE

log = logging.getLogger("idlepool.draft")

OFF = "off"
LOOKUP = "lookup"


async def make_drafter(
    choice: str, target: Path, *, threads: int, trouble: Callable[[Trouble], None]
) -> Drafter | None:
    """The drafter for the model in folder `target`: `choice` is OFF, LOOKUP or the folder of a draft model.

    One that does not fit is told, and prompt look-up takes its place: guesses only decide how fast an answer comes.
    """
    if choice == OFF:
        return None
    if choice != LOOKUP:
        from idlepool.engine.decode.draft_model import load_draft  # imports OpenVINO, which nodes do without

        try:
            return RepeatOrDraft(await asyncio.to_thread(load_draft, Path(choice), target, threads=threads))
        except IdlepoolError as error:
            trouble(Trouble(error.sentence, error.hint))
    return LookupDrafter()


def draft_bytes(choice: str) -> int:
    """Weights of the draft model that `choice` names; 0 where it names none."""
    if choice in (OFF, LOOKUP):
        return 0
    try:
        return Path(choice, WEIGHTS_FILE).stat().st_size
    except OSError:  # what is wrong with it is told when it is loaded
        return 0
