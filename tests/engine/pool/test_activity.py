"""A heartbeat tells what the PC does now, and not what it once began."""

from __future__ import annotations

from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.net.messages import StageLost, StageProgress, StageReady
from idlepool.engine.net.presence_messages import Heartbeat
from idlepool.engine.net.segments import Segment
from idlepool.engine.pool.activity import COMPUTES_S, PREFILL_ROWS, Activity
from idlepool.engine.types import ElementType, SessionId


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def frame(*counts: int) -> Frame:
    segments = tuple(Segment(number, 0, count, 1) for number, count in enumerate(counts, 1))
    rows = sum(counts)
    return Frame(FrameKind.TOKENS, SessionId(1), 1, segments, ElementType.I32, rows, 1, bytes(4 * rows))


def test_a_pc_computes_for_a_while_after_each_frame():
    activity = Activity(clock := Clock())
    assert activity.heartbeat() == Heartbeat("idle")
    activity.compute(frame(1, 4))
    assert activity.heartbeat().phase == "decoding"
    activity.compute(frame(1, PREFILL_ROWS))
    clock.now += COMPUTES_S / 2
    assert activity.heartbeat().phase == "prefill"
    clock.now += COMPUTES_S
    assert activity.heartbeat() == Heartbeat("idle")


def test_preparing_a_stage_is_told_until_it_ends():
    activity = Activity()
    for end in (StageReady(7, 1, "CPU", 0, 0, 0), StageLost(7, "no room")):
        activity.note(StageProgress(7, "fetching", 5, 10))
        activity.compute(frame(1))
        assert activity.heartbeat() == Heartbeat("fetching", 5, 10)
        activity.note(StageProgress(7, "loading"))
        assert activity.heartbeat() == Heartbeat("loading")
        activity.note(end)
        assert activity.heartbeat().phase == "decoding"


def test_a_stage_that_is_given_up_is_not_told_for_ever():
    activity = Activity()
    activity.note(StageProgress(7, "fetching", 5, 10))
    activity.over(SessionId(7))
    assert activity.heartbeat() == Heartbeat("idle")
