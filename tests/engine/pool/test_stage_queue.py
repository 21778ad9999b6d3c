"""What a stage skips of the frames that wait: nothing that anybody still needs, and all that is void."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.net.arrays import frame_of, rows_of
from idlepool.engine.net.frames import Frame, FrameKind, Segment, decode_frame, encode_frame
from idlepool.engine.net.messages import EmptyShard, EndSequence, ReleaseStage
from idlepool.engine.pool.stage_queue import StageQueue
from idlepool.engine.types import SessionId

P, Q, R = 1, 2, 3


def frame(step: int, *segments: tuple[int, int, int] | tuple[int, int, int, int]) -> Frame:
    """Segments of (sequence, start, count) or (sequence, start, count, parent); each row says step, sequence, place."""
    made = tuple(Segment(s[0], s[1], s[2], parent=s[3] if len(s) == 4 else 0) for s in segments)
    rows = [[step, s.sequence, position] for s in made for position in range(s.start, s.start + s.count)]
    values = np.array(rows, np.float32)
    return frame_of(FrameKind.HIDDEN, values, session=SessionId(1), step=step, segments=made)


def taken(*items) -> list:
    """What is taken of items that all wait: the frames' segments as (sequence, start, count), and the messages."""
    queue = StageQueue()
    for item in items:
        queue.put(item)
    found = [queue.take() for _ in range(len(queue))]
    return [
        [(s.sequence, s.start, s.count) for s in item.segments] if isinstance(item, Frame) else item for item in found
    ]


@pytest.mark.parametrize(
    ("later", "kept"), [((P, 10, 1), False), ((P, 9, 4), False), ((P, 11, 1), True), ((Q, 0, 9), True)], ids=str
)
def test_a_segment_waits_in_vain_where_a_later_one_begins_no_later(later, kept):
    assert taken(frame(1, (P, 10, 4)), frame(2, later)) == [[(P, 10, 4)] if kept else [], [later]]


def test_the_other_rows_of_a_frame_go_on_unchanged():
    queue = StageQueue()
    queue.put(frame(1, (P, 5, 2), (Q, 7, 3), (R, 0, 1)))
    queue.put(frame(2, (Q, 6, 1)))
    first = queue.take()
    assert rows_of(first).tolist() == [[1, P, 5], [1, P, 6], [1, R, 0]]
    assert decode_frame(encode_frame(first)) == first  # it crosses the pipe


def test_of_a_frame_that_nobody_needs_its_number_is_left():
    queue = StageQueue()
    queue.put(frame(7, (P, 5, 2)))
    queue.put(frame(8, (P, 5, 2)))
    empty = queue.take()
    assert (empty.step, empty.segments, empty.rows, len(empty.payload)) == (7, (), 0, 0)


def test_an_end_comes_first_and_takes_its_segments_along():
    end, other = EndSequence(0, P), ReleaseStage(1)
    assert taken(frame(1, (P, 0, 4), (Q, 0, 4)), other, frame(2, (P, 4, 1)), end) == [end, [(Q, 0, 4)], other, []]


def test_a_late_frame_does_not_bring_an_ended_sequence_back():
    queue = StageQueue(max_ended=2)
    for sequence in (P, Q, R):
        queue.put(EndSequence(0, sequence))
        queue.take()
    queue.put(frame(1, (P, 0, 1), (Q, 0, 1), (R, 0, 1)))
    assert [segment.sequence for segment in queue.take().segments] == [P]  # that long ago nothing is on its way


def test_with_its_session_all_that_waits_is_over_and_numbers_begin_anew():
    assert taken(frame(1, (P, 0, 4)), EndSequence(0, P), EmptyShard(), frame(2, (P, 0, 4))) == [
        EmptyShard(),
        [(P, 0, 4)],
    ]


@pytest.mark.parametrize(("start", "needed"), [(9, True), (10, False), (11, False)])
def test_where_the_end_of_a_sequence_is_cut_off_nothing_of_it_is_computed(start, needed):
    cut, segment = EndSequence(0, P, keep=10), (P, start, 4)
    found = taken(frame(1, segment), cut, frame(2, (P, 10, 1)))
    assert found == [[segment] if needed else [], cut, [(P, 10, 1)]]


def test_what_a_fork_takes_over_is_computed():
    start, again, fork = (P, 10, 10), (P, 0, 5), (Q, 20, 1, P)
    assert taken(frame(1, start), frame(2, fork), frame(3, again)) == [[start], [fork[:3]], [again]]
    assert taken(frame(1, start), frame(2, again), frame(3, fork)) == [[], [again], [fork[:3]]]


def test_a_fork_that_a_later_segment_may_count_on_is_made():
    fork = (Q, 20, 1, P)
    assert taken(frame(1, fork), frame(2, (Q, 20, 2))) == [[fork[:3]], [(Q, 20, 2)]]
    assert taken(frame(1, fork), frame(2, (Q, 0, 2))) == [[], [(Q, 0, 2)]]


@dataclass
class HashedCaches:
    """A shard in which each position's value is the hash of its row and all that lies before it."""

    held: dict[int, list[str]] = field(default_factory=dict)

    def run(self, step: Frame) -> dict[int, str]:
        """The last value of each segment's sequence."""
        rows, first = rows_of(step).tolist(), 0
        for segment in step.segments:
            if segment.parent and len(self.held.get(segment.sequence, [])) < segment.start:
                self.held[segment.sequence] = self.held[segment.parent][: segment.start]
        for segment in step.segments:
            values = self.held.setdefault(segment.sequence, [])
            assert len(values) >= segment.start, "a stage would ask for a replay"
            del values[segment.start :]
            for row in rows[first : first + segment.count]:
                values.append(hashlib.sha256(f"{values[-1:]} {row}".encode()).hexdigest())
            first += segment.count
        return {segment.sequence: self.held[segment.sequence][-1] for segment in step.segments}

    def end(self, item: EndSequence) -> None:
        if item.keep:
            del self.held[item.sequence][item.keep :]
        else:
            self.held.pop(item.sequence, None)  # all of it was skipped, perhaps


@st.composite
def traffic(draw: st.DrawFn) -> list[Frame | EndSequence]:
    """What a head may send: segments of what is held, forks, ends of sequences that nobody forks from any more."""
    lengths: dict[int, int] = {}
    sequences = iter(range(1, 100))
    items: list[Frame | EndSequence] = []
    for step in range(draw(st.integers(1, 14))):
        segments = []
        for sequence, length in draw(st.sets(st.sampled_from(sorted(lengths.items())))) if lengths else ():
            segments.append((sequence, draw(st.integers(0, length)), draw(st.integers(1, 4))))
        parents = [(s, length) for s, length in lengths.items() if s not in {segment[0] for segment in segments}]
        if parents and draw(st.booleans()):
            parent, length = draw(st.sampled_from(parents))
            segments.append((next(sequences), draw(st.integers(0, length)), draw(st.integers(1, 4)), parent))
        if not segments:
            segments.append((next(sequences), 0, draw(st.integers(1, 4))))
        lengths |= {segment[0]: segment[1] + segment[2] for segment in segments}
        items.append(frame(step, *draw(st.permutations(segments))))
    ended = draw(st.sets(st.sampled_from(sorted(lengths))))
    parents = {segment.parent for item in items for segment in item.segments}
    for sequence in ended - parents:
        last = max(n for n, item in enumerate(items) if isinstance(item, EndSequence) or _has(item, sequence))
        items.insert(draw(st.integers(last + 1, len(items))), EndSequence(0, sequence))
    for sequence in draw(st.sets(st.sampled_from(sorted(lengths)))) - ended:
        last = max(n for n, item in enumerate(items) if isinstance(item, Frame) and _has(item, sequence))
        keep = draw(st.integers(1, lengths[sequence]))
        forks = [n for n, item in enumerate(items) if isinstance(item, Frame) and _forks(item, sequence, beyond=keep)]
        items.insert(draw(st.integers(max([last, *forks]) + 1, len(items))), EndSequence(0, sequence, keep))
    return items


def _forks(item: Frame, sequence: int, *, beyond: int) -> bool:
    return any(segment.parent == sequence and segment.start > beyond for segment in item.segments)


def _has(item: Frame, sequence: int) -> bool:
    return any(segment.sequence == sequence for segment in item.segments)


@given(items=traffic(), data=st.data())
def test_skipping_leaves_the_caches_as_running_all(items, data) -> None:
    everything, skipping, queue = HashedCaches(), HashedCaches(), StageQueue()
    values: dict[int, dict[int, str]] = {}
    for item in items:
        if isinstance(item, Frame):
            values[item.step] = everything.run(item)
        else:
            everything.end(item)

    def take() -> None:
        item = queue.take()
        if isinstance(item, Frame):
            found = skipping.run(item)
            assert found == {sequence: values[item.step][sequence] for sequence in found}
        else:
            skipping.end(item)

    for item in items:
        queue.put(item)
        for _ in range(data.draw(st.integers(0, min(2, len(queue))))):
            take()
    while len(queue):
        take()
    assert skipping.held == everything.held
