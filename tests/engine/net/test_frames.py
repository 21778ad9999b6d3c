"""What a peer may send and may not: frames survive the way, anything else is a FrameError that says why."""

from __future__ import annotations

import struct
import tracemalloc

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idlepool.engine.errors import FrameError
from idlepool.engine.net.frames import (
    HEADER_BYTES,
    Frame,
    FrameKind,
    FrameLimits,
    Segment,
    decode_frame,
    decode_header,
    encode_frame,
    expect,
)
from idlepool.engine.types import ElementType, Sampling, SessionId

samplings = st.builds(
    Sampling,
    temperature=st.floats(0, 5),
    top_k=st.integers(0, 1000),
    top_p=st.floats(0, 1, exclude_min=True),
    seed=st.integers(0, 2**63 - 1),
    min_p=st.floats(0, 1),
    repetition_penalty=st.floats(0.5, 2),
    presence_penalty=st.floats(-2, 2),
    frequency_penalty=st.floats(-2, 2),
    logit_bias=st.dictionaries(st.integers(0, 2**31 - 1), st.floats(-100, 100), max_size=3).map(
        lambda biases: tuple(biases.items())
    ),
    logprobs=st.integers(-1, 20),
)
IDS = st.integers(0, 2**31 - 1)


@st.composite
def segment_lists(draw: st.DrawFn) -> tuple[Segment, ...]:
    segments = []
    for count in draw(st.lists(st.integers(0, 9), max_size=6)):
        sampling = draw(st.none() | samplings)
        needed = sampling is not None and sampling.penalises
        segments.append(
            Segment(
                sequence=draw(st.integers(0, 2**63 - 1)),
                start=draw(st.integers(0, 2**31 - 11)),
                count=count,
                sample=draw(st.integers(0, count)),
                sampling=sampling,
                parent=draw(st.integers(0, 2**63 - 1)),
                tokens=tuple(draw(st.lists(IDS, min_size=count, max_size=count)))
                if needed or draw(st.booleans())
                else (),
            )
        )
    return tuple(segments)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    kind = draw(st.sampled_from(FrameKind))
    segments: tuple[Segment, ...] = ()
    width = 1
    if kind is FrameKind.HIDDEN:
        dtype = draw(st.sampled_from([ElementType.F32, ElementType.F16, ElementType.BF16]))
        width = draw(st.integers(1, 5))
    elif kind in (FrameKind.TOKENS, FrameKind.CHOSEN):
        dtype = ElementType.I32
        width = draw(st.sampled_from([1, 2, 4, 42])) if kind is FrameKind.CHOSEN else 1
    else:
        dtype = ElementType.U8
    if kind.has_segments:
        segments = draw(segment_lists())
        rows = sum(segment.count for segment in segments)
    else:
        rows = draw(st.integers(0, 50))
    size = rows * width * dtype.size
    payload = draw(st.binary(min_size=size, max_size=size))
    session, step = draw(st.integers(0, 2**63 - 1)), draw(st.integers(0, 2**64 - 1))
    return Frame(kind, SessionId(session), step, segments, dtype, rows, width, payload)


def tokens(count: int = 3, *, segments: tuple[Segment, ...] | None = None) -> Frame:
    segments = (Segment(1, 0, count),) if segments is None else segments
    return Frame(FrameKind.TOKENS, SessionId(7), 1, segments, ElementType.I32, count, 1, bytes(4 * count))


@given(frames())
def test_a_frame_arrives_as_it_was_sent(frame: Frame) -> None:
    data = encode_frame(frame)
    assert decode_frame(data) == frame
    assert decode_header(data, FrameLimits()).body_bytes == len(data) - HEADER_BYTES


@given(frames(), st.data())
def test_a_damaged_frame_is_refused_or_still_a_frame(frame: Frame, data: st.DataObject) -> None:
    damaged = bytearray(encode_frame(frame))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, min(len(damaged), HEADER_BYTES + 60) - 1))
        damaged[at] ^= data.draw(st.integers(1, 255))
    try:
        received = decode_frame(bytes(damaged))
    except FrameError as error:
        assert error.sentence.endswith(".")
    else:
        # What passes is a frame in every respect: it can be sent on.
        assert decode_frame(encode_frame(received)) == received


@given(frames(), st.data())
def test_a_frame_of_another_length_is_refused(frame: Frame, data: st.DataObject) -> None:
    whole = encode_frame(frame)
    with pytest.raises(FrameError):
        decode_frame(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(FrameError):
        decode_frame(whole + b"\0")


@given(st.binary(max_size=200), st.booleans())
def test_noise_is_refused(noise: bytes, starts_like_a_frame: bool) -> None:
    with pytest.raises(FrameError):
        decode_frame(b"IDLP\x01\x01\x03\x00" + noise if starts_like_a_frame else noise)


@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_noise_in_place_of_segments_is_refused_or_segments(noise: bytes) -> None:
    try:
        frame = decode_frame(_with_meta(noise))
    except FrameError:
        return
    assert sum(segment.count for segment in frame.segments) == 0


def _header(**changes: int | bytes) -> bytes:
    fields: dict[str, int | bytes] = {
        "magic": b"IDLP", "version": 1, "kind": 2, "dtype": 0, "reserved": 0, "session": 7, "step": 1,
        "meta": 1, "rows": 0, "width": 4, "payload": 0,
    }  # fmt: skip
    fields.update(changes)
    return struct.pack("<4s4B2Q4I", *fields.values())


def _with_meta(meta: bytes) -> bytes:
    head = _header(meta=len(meta))
    return head + meta + bytes(-(len(head) + len(meta)) % 16)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"magic": b"HTTP"}, "does not start like a frame"),
        ({"version": 2}, "version 2; this PC speaks version 1"),
        ({"kind": 0}, "unknown kind 0"),
        ({"kind": 9}, "unknown kind 9"),
        ({"dtype": 5}, "unknown element type 5"),
        ({"reserved": 1}, "unknown element type 0.1"),
        ({"kind": 1, "width": 1}, "TOKENS frame cannot hold f32"),
        ({"dtype": 3}, "HIDDEN frame cannot hold i32"),
        ({"meta": 2**18 + 1}, "262,145 bytes of segments; at most 262,144"),
        ({"rows": 16_385}, "16,385 rows; at most 16,384"),
        ({"width": 65_537}, "65,537 values a row; at most 65,536"),
        ({"payload": 2**26 + 1}, "67,108,865 bytes of payload; at most 67,108,864"),
        ({"width": 0}, "cannot be 0 wide"),
        ({"kind": 3, "dtype": 3, "width": 3}, "CHOSEN frame cannot be 3 wide"),
        ({"kind": 3, "dtype": 3, "width": 44}, "CHOSEN frame cannot be 44 wide"),
        ({"kind": 1, "dtype": 3, "width": 2}, "TOKENS frame cannot be 2 wide"),
        ({"rows": 2, "payload": 31}, "31 bytes for f32[2, 4]"),
    ],
)
def test_a_header_is_refused_with_the_reason(changes: dict[str, int | bytes], said: str) -> None:
    with pytest.raises(FrameError) as caught:
        decode_header(_header(**changes), FrameLimits())
    assert said in caught.value.sentence


@pytest.mark.parametrize(
    ("segment", "said"),
    [
        ([-1, 0, 0], "sequence -1"),
        ([2**63, 0, 0], "sequence 9223372036854775808"),
        ([1, -1, 0], "positions [-1, -1)"),
        ([1, 5, -1], "positions [5, 4)"),
        ([1, 2**31 - 1, 1], "positions [2147483647, 2147483648)"),
        ([1, 0, 0, 1], "0 rows asks for 1"),
        ([1, 0, 0, 0, {"temperature": float("nan")}], "temperature nan"),
        ([1, 0, 0, 0, {"temperature": -0.5}], "temperature -0.5"),
        ([1, 0, 0, 0, {"top_p": 1.5}], "top-p 1.5"),
        ([1, 0, 0, 0, {"top_k": -2}], "top-k -2"),
        ([1, 0, 0, 0, {"seed": -1}], "seed -1"),
        ([1, 0, 0, 0, {"min_p": 1.5}], "min-p 1.5"),
        ([1, 0, 0, 0, {"repetition_penalty": 0.0}], "repetition penalty 0.0"),
        ([1, 0, 0, 0, {"presence_penalty": float("inf")}], "presence penalty inf"),
        ([1, 0, 0, 0, {"frequency_penalty": -3.0}], "frequency penalty -3.0"),
        ([1, 0, 0, 0, {"logit_bias": [[3, float("nan")]]}], "logit bias ((3, nan),)"),
        ([1, 0, 0, 0, {"logit_bias": [[n, 1.0] for n in range(301)]}], "logit bias ((0, 1.0), (1, 1.0)"),
        ([1, 0, 0, 0, {"logit_bias": [[3, 1.0, 2]]}], "do not decode"),
        ([1, 0, 0, 0, {"logprobs": 21}], "number of log-probabilities 21"),
        ([1, 0, 0, 0, None, -3], "parent -3"),
        ([1, 0, 3, 0, None, 0, [1, 2]], "3 rows has 2 ids"),
        ([1, 0, 2, 0, None, 0, [1, -2]], "impossible ids -2 to 1"),
        ([1, 0, 1, 0, None, 0, [2**31]], "impossible ids 2147483648 to"),
        ([1, 0, 1, 1, {"presence_penalty": 1.0}], "penalties without the ids"),
        ([1, 0, 0, 0, None, 0, [], 3], "do not decode"),
        ([1, 0], "do not decode"),
        ([1, 0, 2], "have 2 rows; it has 0"),
    ],
)
def test_a_segment_is_refused_with_the_reason(segment: list[object], said: str) -> None:
    with pytest.raises(FrameError) as caught:
        decode_frame(_with_meta(msgspec.msgpack.encode([segment])))
    assert said in caught.value.sentence


def test_more_segments_than_allowed_are_refused() -> None:
    meta = msgspec.msgpack.encode([[1, 0, 0]] * 1025)
    with pytest.raises(FrameError, match=r"1,025 segments; at most 1,024"):
        decode_frame(_with_meta(meta))


def test_segments_nested_without_end_are_refused() -> None:
    meta = b"\x91\x95\x01\x00\x00\x00\x81\xa1x" + b"\x91" * 200_000
    with pytest.raises(FrameError, match="do not decode"):
        decode_frame(_with_meta(meta))


def test_a_lying_header_costs_no_memory() -> None:
    lies = [
        _header(rows=16_384, width=1024, payload=2**26, meta=2**18),
        _with_meta(b"\xdd\xff\xff\xff\xff" + b"\x93\x01\x00\x00" * 4),
        _with_meta(b"\x91\x95\x01\x00\x00\x00\xdf\xff\xff\xff\xff"),
    ]
    tracemalloc.start()
    try:
        for lie in lies:
            with pytest.raises(FrameError):
                decode_frame(lie)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_the_payload_is_not_copied() -> None:
    data = bytearray(encode_frame(tokens()))
    frame = decode_frame(memoryview(data))
    data[-1] = 42
    assert frame.payload[-1] == 42


def test_a_sender_cannot_make_what_a_receiver_refuses() -> None:
    with pytest.raises(FrameError, match="have 2 rows; it has 3"):
        encode_frame(tokens(3, segments=(Segment(1, 0, 2),)))
    with pytest.raises(FrameError, match="at most 2 are allowed"):
        encode_frame(tokens(3), limits=FrameLimits(max_rows=2))


def test_the_log_line_has_everything_but_the_content() -> None:
    payload = b"SECRET!!"
    frame = Frame(
        FrameKind.TOKENS, SessionId(255), 9, (Segment(1, 40, 2, sample=1),), ElementType.I32, 2, 1, memoryview(payload)
    )
    assert str(frame) == "TOKENS session=ff step=9 i32[2, 1] #1[40, 42) sample 1"


def test_what_was_not_agreed_is_refused() -> None:
    frame = tokens()
    expect(frame, session=SessionId(7), kind=FrameKind.TOKENS, width=1, dtype=ElementType.I32)
    with pytest.raises(FrameError, match="for another session came: 7 instead of 8"):
        expect(frame, session=SessionId(8), kind=FrameKind.TOKENS)
    with pytest.raises(FrameError, match="TOKENS frame came where a HIDDEN frame was due"):
        expect(frame, session=SessionId(7), kind=FrameKind.HIDDEN)
    with pytest.raises(FrameError, match="1 wide; 576 was agreed"):
        expect(frame, session=SessionId(7), kind=FrameKind.TOKENS, width=576)
    with pytest.raises(FrameError, match="holds i32; u8 was agreed"):
        expect(frame, session=SessionId(7), kind=FrameKind.TOKENS, dtype=ElementType.U8)
