"""How many conversations the stages of a pipeline can hold together."""

from __future__ import annotations

from collections.abc import Sequence

from idlepool.engine.decode.admission import Room
from idlepool.engine.events import StageInfo

MAX_SEQUENCES = 64
"""Sequences that are answered and kept at once where the stages themselves know no limit."""


def room_of(stages: Sequence[StageInfo]) -> Room:
    """What all stages together can hold: as much as the one that holds least."""
    tokens = [stage.cache_tokens for stage in stages if stage.cache_tokens]
    return Room(
        sequences=min(stage.max_sequences or MAX_SEQUENCES for stage in stages),
        tokens=min(tokens, default=0),
        block_tokens=max(stage.block_tokens for stage in stages),
    )
