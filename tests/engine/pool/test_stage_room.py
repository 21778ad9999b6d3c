"""All stages together hold what the one with the least holds."""

from __future__ import annotations

from idlepool.engine.decode.admission import Room
from idlepool.engine.events import StageInfo
from idlepool.engine.pool.stage_room import room_of


def test_the_room_is_that_of_the_stage_with_the_least():
    stages = [
        StageInfo("a", "north", 0, 2, "ready", cache_tokens=4096, block_tokens=16),
        StageInfo("b", "south", 2, 4, "ready", max_sequences=8),
    ]
    assert room_of(stages) == Room(sequences=8, tokens=4096, block_tokens=16)
