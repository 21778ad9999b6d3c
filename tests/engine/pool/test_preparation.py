"""Who waits for a pipeline learns for which PC, what it does, and since when."""

from __future__ import annotations

from msgspec.structs import replace

from idlepool.engine.events import StageInfo
from idlepool.engine.pool.preparation import WORTH_SAYING_S, Preparation, waited_for

NORTH, SOUTH = StageInfo("a", "north", 0, 2, "waiting"), StageInfo("b", "south", 2, 4, "waiting")


def seconds(preparation: Preparation, now: float, *phases: str) -> list[int]:
    stages = [replace(stage, phase=phase) for stage, phase in zip((NORTH, SOUTH), phases, strict=True)]
    return [stage.phase_s for stage in preparation.timed(stages, now)]


def test_each_stage_is_timed_from_when_it_began_what_it_does():
    preparation = Preparation()
    assert seconds(preparation, 10.0, "waiting", "waiting") == [0, 0]
    assert seconds(preparation, 12.5, "loading", "waiting") == [0, 2]
    assert seconds(preparation, 99.9, "loading", "compiling") == [87, 0]
    assert seconds(preparation, 100.0, "ready", "compiling") == [0, 0]
    assert seconds(preparation, 160.0, "ready", "compiling") == [0, 60]
    assert seconds(preparation, 170.0, "ready", "ready") == [0, 0]


def test_it_is_said_who_is_waited_for_once_that_takes_a_while():
    ready = replace(NORTH, phase="ready")
    assert waited_for((ready, replace(SOUTH, phase="compiling", phase_s=WORTH_SAYING_S - 1))) == ""
    slow = replace(SOUTH, phase="compiling", phase_s=94)
    assert waited_for((ready, slow)) == "Waiting for south (prepares its layers, 94 s)."
    assert waited_for((replace(NORTH, phase_s=7), slow)) == (
        "Waiting for north (has not begun, 7 s), south (prepares its layers, 94 s)."
    )
