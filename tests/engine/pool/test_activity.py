"""A heartbeat tells what the PC does now, and not what it once began."""

from __future__ import annotations

from played_pool import answer, until

from idlepool.engine.events import PoolChanged
from idlepool.engine.net.frames import Frame, FrameKind
from idlepool.engine.net.messages import StageLost, StageProgress, StageReady
from idlepool.engine.net.presence_messages import Heartbeat
from idlepool.engine.net.segments import Segment
from idlepool.engine.pool.activity import COMPUTES_S, PREFILL_ROWS, Activity
from idlepool.engine.types import ElementType, Sampling, SessionId


async def test_the_pool_hears_what_a_pc_does(pool, model):
    head = await pool.start("pc-1", model=model)
    await pool.start("pc-2")
    pipeline = await pool.open(head, stages=2)
    pool.forget_events("pc-1")
    await answer(pipeline, "chat", [1, 2, 3], count=4, sampling=Sampling())
    await until(lambda: "decoding" in told_of(pool, "pc-2"))
    await until(lambda: told_of(pool, "pc-2")[-1] == "idle")


def told_of(pool, name):
    """What pc-1 says that a PC did, one after another."""
    return [peer.phase for event in pool.seen("pc-1", PoolChanged) for peer in event.peers if peer.name == name]


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


def test_how_far_a_prompt_is_read_is_told_where_it_is_known():
    activity = Activity(Clock())
    activity.compute(frame(PREFILL_ROWS))
    assert activity.heartbeat((256, 1000)) == Heartbeat("prefill", 256, 1000)
    assert activity.heartbeat() == Heartbeat("prefill")
    activity.compute(frame(1))
    assert activity.heartbeat((256, 1000)) == Heartbeat("decoding")


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
