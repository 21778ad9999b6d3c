"""What a head makes of the answers and the news of its stages, and of those that are nobody's business."""

from __future__ import annotations

import asyncio

import msgspec
import numpy as np
import pytest
import pytest_asyncio

from idlepool.engine.backends.base import NeedsReplay
from idlepool.engine.decode.decoding import Decoding, Flight
from idlepool.engine.decode.scheduler import MicroBatch
from idlepool.engine.errors import FrameError, LinkError, PeerLost, PoolError, StageFailed
from idlepool.engine.events import StageInfo
from idlepool.engine.net.arrays import frame_of
from idlepool.engine.net.faults import Fault, fault_frame
from idlepool.engine.net.frames import Frame, FrameKind, Segment
from idlepool.engine.net.messages import StageLost, StageProgress, StageReady
from idlepool.engine.pool.pipeline import MAX_SENTENCE, Pipeline
from idlepool.engine.types import ModelId, NodeId, Sampling, SequenceId, SessionId

SESSION = SessionId(7)
HEAD, TAIL, STRANGER = NodeId("a"), NodeId("b"), NodeId("c")
SEGMENT = Segment(1, 4, 2, 1)


def batch(segment: Segment = SEGMENT) -> MicroBatch:
    decoding = Decoding(SequenceId(segment.sequence), [8, 9], Sampling())
    return MicroBatch(((decoding, Flight(segment, (8, 9)[: segment.count], 0, guesses=0)),))


class Head:
    """A pipeline of two stages that notes what it sends and reports."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[Frame] = asyncio.Queue()
        self.changes = []
        self.refusal: Exception | None = None
        stages = (StageInfo(HEAD, "north", 0, 2, "waiting"), StageInfo(TAIL, "south", 2, 4, "waiting"))
        self.pipeline = Pipeline(
            SESSION, ModelId("m"), name="tiny", stages=stages, send=self._send, on_change=self.changes.append
        )

    async def _send(self, frame: Frame) -> None:
        if self.refusal:
            raise self.refusal
        self.sent.put_nowait(frame)


@pytest_asyncio.fixture
async def head():
    head = Head()
    yield head
    head.pipeline.close()


def chosen(step: int, *ids: int) -> Frame:
    rows = np.array(ids, np.int32)
    return frame_of(FrameKind.CHOSEN, rows, session=SESSION, step=step, segments=(Segment(1, 5, len(ids), len(ids)),))


def ready() -> StageReady:
    return StageReady(SESSION, 1, "CPU", 10, 9, 20)


async def test_a_step_goes_out_and_its_ids_come_back(head):
    future = head.pipeline.submit(batch())
    frame = await head.sent.get()
    assert (frame.kind, frame.session, frame.segments) == (FrameKind.TOKENS, SESSION, (SEGMENT,))
    head.pipeline.deliver(TAIL, chosen(frame.step, 11))
    assert (await future)[1].ids == (11,)


async def test_steps_go_out_in_order(head):
    for start in range(5):
        head.pipeline.submit(batch(Segment(1, start, 1)))
    assert [(await head.sent.get()).segments[0].start for _ in range(5)] == [0, 1, 2, 3, 4]


async def test_answers_nobody_waits_for_are_dropped(head):
    gone, waiting = head.pipeline.submit(batch()), head.pipeline.submit(batch())
    steps = [(await head.sent.get()).step for _ in range(2)]
    gone.cancel()
    head.pipeline.deliver(TAIL, chosen(steps[0], 11))
    head.pipeline.deliver(TAIL, chosen(999, 11))
    head.pipeline.deliver(STRANGER, chosen(steps[1], 11))
    assert not waiting.done()
    head.pipeline.deliver(TAIL, chosen(steps[1], 12))
    head.pipeline.deliver(TAIL, chosen(steps[1], 13))
    assert (await waiting)[1].ids == (12,)


@pytest.mark.parametrize("ids", [(1, 2), (-1,)])
async def test_ids_that_were_not_asked_for_are_refused(head, ids):
    head.pipeline.submit(batch())
    step = (await head.sent.get()).step
    with pytest.raises(FrameError):
        head.pipeline.deliver(TAIL, chosen(step, *ids))


async def test_a_fault_says_what_is_missing_or_what_went_wrong(head):
    futures = [head.pipeline.submit(batch()) for _ in range(2)]
    frames = [await head.sent.get() for _ in range(2)]
    head.pipeline.deliver(HEAD, fault_frame(frames[0], Fault(1, 3)))
    head.pipeline.deliver(TAIL, fault_frame(frames[1], Fault(0, -1, "out of memory")))
    with pytest.raises(NeedsReplay) as need:
        await futures[0]
    assert (need.value.sequence, need.value.held) == (1, 3)
    with pytest.raises(StageFailed, match="south could not run its layers: out of memory"):
        await futures[1]


async def test_it_is_ready_when_every_stage_is(head):
    head.pipeline.on_stage(HEAD, StageProgress(SESSION, "fetching", 1, 3))
    head.pipeline.on_stage(TAIL, StageProgress(SESSION, "fetching", 0, 0))
    assert [(stage.phase, stage.bytes_on_disk, stage.bytes_needed) for stage in head.pipeline.stages] == [
        ("fetching", 1, 3),
        ("fetching", 0, 0),
    ]
    head.pipeline.on_stage(HEAD, StageProgress(SESSION, "loading"))
    head.pipeline.on_stage(TAIL, ready())
    head.pipeline.on_stage(STRANGER, ready())
    assert [stage.phase for stage in head.changes[-1].stages] == ["loading", "ready"]
    assert head.pipeline.state == "preparing"
    head.pipeline.on_stage(HEAD, ready())
    await head.pipeline.wait_ready()
    assert head.changes[-1].state == "ready"
    assert (head.pipeline.stages[0].bytes_needed, head.pipeline.stages[0].bytes_of_model) == (9, 20)


async def test_only_the_last_stage_picks_ids(head):
    head.pipeline.submit(batch())
    await head.sent.get()
    with pytest.raises(FrameError, match="does not run the last layers"):
        head.pipeline.deliver(HEAD, chosen(1, 5))


async def test_what_a_stage_says_of_itself_is_shown_once_and_as_one_line(head):
    notice = "GPU failed.\n\u202e" + "x" * 10_000
    assert head.pipeline.on_stage(TAIL, msgspec.structs.replace(ready(), notice=notice))
    assert head.pipeline.stages[1].notice.startswith("GPU failed.x")
    assert len(head.pipeline.stages[1].notice) <= MAX_SENTENCE
    assert not head.pipeline.on_stage(TAIL, msgspec.structs.replace(ready(), notice="and again"))
    assert not head.pipeline.on_stage(STRANGER, ready())
    assert len(head.changes) == 1


@pytest.mark.parametrize(
    ("happens", "error", "sentence"),
    [
        (lambda p: p.lose(TAIL), PeerLost, "south, which held layers 2 to 3, is gone."),
        (
            lambda p: p.on_stage(HEAD, StageLost(SESSION, "its disk is full")),
            StageFailed,
            "north could not run its layers: its disk is full",
        ),
        (lambda p: p.close(), PoolError, "The pipeline was closed."),
    ],
)
async def test_when_it_breaks_everybody_hears_the_reason(head, happens, error, sentence):
    futures = [head.pipeline.submit(batch()) for _ in range(3)]
    happens(head.pipeline)
    head.pipeline.lose(HEAD)  # later news change nothing
    for future in (*futures, head.pipeline.submit(batch()), asyncio.ensure_future(head.pipeline.wait_ready())):
        with pytest.raises(error) as broken:
            await future
        assert broken.value.sentence == sentence
    assert (head.changes[-1].state, head.pipeline.state) == ("broken", "broken")
    assert sentence in head.changes[-1].detail


async def test_a_first_stage_that_takes_nothing_breaks_it(head):
    head.refusal = LinkError("The link is closed.")
    with pytest.raises(StageFailed, match=r"north could not run its layers: The link is closed\."):
        await head.pipeline.submit(batch())


async def test_a_lost_stage_is_marked(head):
    head.pipeline.on_stage(HEAD, ready())
    head.pipeline.lose(TAIL)
    assert [stage.phase for stage in head.changes[-1].stages] == ["ready", "lost"]


async def test_what_a_stage_skipped_is_missing_in_the_answer(head):
    future = head.pipeline.submit(batch())
    step = (await head.sent.get()).step
    nothing = np.zeros((0, 1), np.int32)
    head.pipeline.deliver(HEAD, frame_of(FrameKind.CHOSEN, nothing, session=SESSION, step=step, segments=()))
    assert await future == {}
