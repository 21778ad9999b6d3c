"""Arrays cross a frame with every bit in place, and can be computed on where they arrive."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.errors import FrameError
from idlepool.engine.net.arrays import all_finite, frame_of, rows_of
from idlepool.engine.net.frames import FrameKind, Segment, decode_frame, encode_frame
from idlepool.engine.types import ElementType, Sampling, SessionId


@pytest.mark.parametrize(
    ("kind", "dtype", "element"),
    [
        (FrameKind.HIDDEN, np.float32, ElementType.F32),
        (FrameKind.HIDDEN, np.float16, ElementType.F16),
        (FrameKind.HIDDEN, np.uint16, ElementType.BF16),
    ],
)
@pytest.mark.parametrize("rows", [0, 1, 5])
def test_hidden_states_arrive_bit_for_bit(kind: FrameKind, dtype: type, element: ElementType, rows: int) -> None:
    sent = np.random.default_rng(3).integers(0, 2**16, (rows, 6), np.uint16).astype(dtype)
    segments = (Segment(1, 10, rows, sampling=Sampling(temperature=0.7)),)
    frame = decode_frame(encode_frame(frame_of(kind, sent, session=SessionId(1), step=2, segments=segments)))
    received = rows_of(frame)
    assert frame.dtype is element
    assert received.shape == (rows, 6)
    assert received.dtype == dtype
    assert received.tobytes() == sent.tobytes()


@pytest.mark.parametrize("sequences", range(1, 12))
def test_received_rows_are_aligned_whatever_the_segments(sequences: int) -> None:
    segments = tuple(Segment(number, number * 1000, 1) for number in range(sequences))
    sent = np.ones((sequences, 3), np.float32)
    frame = frame_of(FrameKind.HIDDEN, sent, session=SessionId(1), step=2, segments=segments)
    assert rows_of(decode_frame(encode_frame(frame))).flags.aligned


def test_a_view_with_gaps_is_sent_row_by_row() -> None:
    table = np.arange(12, dtype=np.int32).reshape(4, 3)
    frame = frame_of(FrameKind.TOKENS, table[:, 1], session=SessionId(1), step=0, segments=(Segment(1, 0, 4),))
    assert rows_of(decode_frame(encode_frame(frame))).tolist() == [[1], [4], [7], [10]]


def test_bytes_need_no_segments() -> None:
    frame = frame_of(FrameKind.WEIGHTS, np.frombuffer(b"weights", np.uint8), session=SessionId(0), step=0)
    assert decode_frame(encode_frame(frame)).payload == b"weights"


def test_an_array_that_no_frame_holds_is_refused() -> None:
    with pytest.raises(FrameError, match=r"No frame holds float64 of shape \[2, 2\]"):
        frame_of(FrameKind.HIDDEN, np.zeros((2, 2)), session=SessionId(1), step=0)
    with pytest.raises(FrameError, match=r"No frame holds float32 of shape \[2, 1, 3\]"):
        frame_of(FrameKind.HIDDEN, np.zeros((2, 1, 3), np.float32), session=SessionId(1), step=0)


@given(st.sampled_from([(np.uint16, 16), (np.float16, 0), (np.float32, 0)]), st.data())
def test_what_is_no_number_is_found_wherever_it_is(kind: tuple[type, int], data: st.DataObject) -> None:
    dtype, shift = kind
    size = 4 if dtype is np.float32 else 2
    words = data.draw(st.lists(st.integers(0, 2 ** (8 * size) - 1), min_size=1, max_size=40))
    array = np.array(words, f"<u{size}")
    numbers = (array.astype(np.uint32) << shift).view("<f4") if shift else array.view(dtype)
    rows = (array if dtype is np.uint16 else array.view(dtype)).reshape(1, -1)
    frame = frame_of(FrameKind.HIDDEN, rows, session=SessionId(1), step=1, segments=(Segment(1, 0, 1),))
    assert all_finite(frame) == bool(np.isfinite(numbers).all())
