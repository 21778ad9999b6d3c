"""Binary frames: tokens, hidden states, chosen ids and model bytes, as they cross a link or the pipe to a stage.

Sans-I/O: bytes in, a Frame out, and back. A frame is a fixed header, its segments (msgpack), zeros up to a multiple of
16 bytes, then the payload. What a header announces is checked against FrameLimits before anything is allocated for it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from idlepool.engine.errors import FrameError
from idlepool.engine.net.segments import Segment, SegmentLimits, check_segments, decode_segments, encode_segments
from idlepool.engine.sampling_rules import MAX_LOGPROBS
from idlepool.engine.types import ElementType, SessionId

__all__ = [
    "HEADER_BYTES",
    "Frame",
    "FrameKind",
    "FrameLimits",
    "Header",
    "Segment",
    "decode_frame",
    "decode_header",
    "encode_frame",
    "expect",
    "frame_start",
]

_MAGIC = b"IDLP"
_VERSION = 1
# magic, version, kind, element type, reserved, session, step, then meta bytes, rows, width, payload bytes
_LAYOUT = struct.Struct("<4s4B2Q4I")
HEADER_BYTES = _LAYOUT.size
# Arrays are viewed in place, and vector units want them aligned.
_ALIGNMENT = 16
_PADDING = bytes(_ALIGNMENT)

_CODES = (ElementType.F32, ElementType.F16, ElementType.BF16, ElementType.I32, ElementType.U8)


class FrameKind(IntEnum):
    """What a frame carries: rows of token positions, or plain bytes (then width 1, u8, no segments)."""

    TOKENS = 1
    """Ids, i32 `[rows, 1]`."""
    HIDDEN = 2
    """The tensor between two stages, f32, f16 or bf16 `[rows, hidden]`."""
    CHOSEN = 3
    """Ids that the tail picked, and log-probabilities where asked for, i32 `[rows, width]`; see decode/chosen.py."""
    FAULT = 4
    """A stage's refusal of a step; the payload is msgpack, by the sender."""
    MESSAGE = 5
    """A control message, where there is no text frame for it: on the pipe to a stage."""
    WEIGHTS = 6
    """Bytes of a model."""

    @property
    def has_segments(self) -> bool:
        """Whether the rows are token positions."""
        return self <= FrameKind.CHOSEN


_KINDS = frozenset(FrameKind)
_BYTES_ONLY = frozenset({ElementType.U8})
_DTYPES = {
    FrameKind.TOKENS: frozenset({ElementType.I32}),
    FrameKind.HIDDEN: frozenset({ElementType.F32, ElementType.F16, ElementType.BF16}),
    FrameKind.CHOSEN: frozenset({ElementType.I32}),
    FrameKind.FAULT: _BYTES_ONLY,
    FrameKind.MESSAGE: _BYTES_ONLY,
    FrameKind.WEIGHTS: _BYTES_ONLY,
}


@dataclass(frozen=True, slots=True)
class FrameLimits(SegmentLimits):
    """The most a peer may announce. `max_rows` is for token positions; plain bytes have only `max_payload_bytes`."""

    max_payload_bytes: int = 64 * 2**20
    max_meta_bytes: int = 256 * 2**10
    max_rows: int = 16_384
    max_width: int = 65_536

    @property
    def max_frame_bytes(self) -> int:
        """The longest whole frame."""
        return _padded(HEADER_BYTES + self.max_meta_bytes) + self.max_payload_bytes


@dataclass(frozen=True, slots=True)
class Header:
    """The first HEADER_BYTES of a frame, checked."""

    kind: FrameKind
    dtype: ElementType
    session: SessionId
    step: int
    meta_bytes: int
    rows: int
    width: int
    payload_bytes: int

    @property
    def payload_offset(self) -> int:
        """Where the payload starts in the frame."""
        return _padded(HEADER_BYTES + self.meta_bytes)

    @property
    def body_bytes(self) -> int:
        """What follows the header."""
        return self.payload_offset - HEADER_BYTES + self.payload_bytes


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of a session: `payload` is `[rows, width]` of `dtype`, little endian, row after row.

    The rows of the segments follow one another in the payload, in the order of `segments`.
    """

    kind: FrameKind
    session: SessionId
    step: int
    segments: tuple[Segment, ...]
    dtype: ElementType
    rows: int
    width: int
    payload: bytes | memoryview

    def __str__(self) -> str:
        shape = f"{self.dtype}[{self.rows}, {self.width}]"
        parts = ", ".join(map(str, self.segments))
        return f"{self.kind.name} session={self.session:x} step={self.step} {shape} {parts}".rstrip()


def decode_header(data: bytes | memoryview, limits: FrameLimits) -> Header:
    """The header at the start of `data`, which may go on after it.

    Raises:
        FrameError: too short, no frame of this version, or it announces more than `limits` or what contradicts itself.
    """
    if len(data) < HEADER_BYTES:
        raise FrameError(f"A frame ended after {len(data)} bytes; its header alone has {HEADER_BYTES}.")
    magic, version, kind, code, reserved, session, step, meta, rows, width, payload = _LAYOUT.unpack_from(data)
    if magic != _MAGIC:
        raise FrameError("A binary message does not start like a frame.")
    if version != _VERSION:
        raise FrameError(f"A frame has version {version}; this PC speaks version {_VERSION}.")
    if kind not in _KINDS:
        raise FrameError(f"A frame has the unknown kind {kind}.")
    if code >= len(_CODES) or reserved:
        raise FrameError(f"A frame has the unknown element type {code}.{reserved}.")
    header = Header(FrameKind(kind), _CODES[code], SessionId(session), step, meta, rows, width, payload)
    _check_header(header, limits)
    return header


def decode_frame(data: bytes | memoryview, *, limits: FrameLimits | None = None) -> Frame:
    """The frame that `data` is, from its first byte to its last; the payload is a view of `data`, not a copy.

    Raises:
        FrameError: as for decode_header, or the length or the segments are wrong.
    """
    limits = limits or FrameLimits()
    header = decode_header(data, limits)
    if len(data) != HEADER_BYTES + header.body_bytes:
        raise FrameError(f"A frame has {len(data):,} bytes; its header says {HEADER_BYTES + header.body_bytes:,}.")
    view = memoryview(data)
    meta_end = HEADER_BYTES + header.meta_bytes
    if any(view[meta_end : header.payload_offset]):
        raise FrameError("A frame has something other than zeros before its payload.")
    segments = decode_segments(view[HEADER_BYTES:meta_end], limits=limits)
    _check_rows(header.kind, header.rows, segments)
    return Frame(
        header.kind,
        header.session,
        header.step,
        segments,
        header.dtype,
        header.rows,
        header.width,
        view[header.payload_offset :],
    )


def encode_frame(frame: Frame, *, limits: FrameLimits | None = None) -> bytes:
    """The frame as one message.

    Raises:
        FrameError: it is not what decode_frame would accept under `limits`.
    """
    return b"".join((frame_start(frame, limits=limits), frame.payload))


def frame_start(frame: Frame, *, limits: FrameLimits | None = None) -> bytes:
    """What comes before the payload in the message that a frame is. Raises as encode_frame does."""
    limits = limits or FrameLimits()
    check_segments(frame.segments, limits)
    _check_rows(frame.kind, frame.rows, frame.segments)
    meta = encode_segments(frame.segments)
    size = memoryview(frame.payload).nbytes
    header = Header(frame.kind, frame.dtype, frame.session, frame.step, len(meta), frame.rows, frame.width, size)
    _check_header(header, limits)
    codes = (_VERSION, header.kind, _CODES.index(header.dtype), 0)
    numbers = (header.session, header.step, header.meta_bytes, header.rows, header.width, header.payload_bytes)
    padding = _PADDING[: header.payload_offset - HEADER_BYTES - header.meta_bytes]
    return b"".join((_LAYOUT.pack(_MAGIC, *codes, *numbers), meta, padding))


def expect(
    frame: Frame, *, session: SessionId, kind: FrameKind, width: int | None = None, dtype: ElementType | None = None
) -> None:
    """Check a frame against what was agreed for its session.

    Raises:
        FrameError: it is another kind, of another session, width or element type.
    """
    if frame.session != session:
        raise FrameError(f"A frame for another session came: {frame.session:x} instead of {session:x}.")
    if frame.kind != kind:
        raise FrameError(f"A {frame.kind.name} frame came where a {kind.name} frame was due.")
    if width is not None and frame.width != width:
        raise FrameError(f"A {kind.name} frame is {frame.width} wide; {width} was agreed.")
    if dtype is not None and frame.dtype != dtype:
        raise FrameError(f"A {kind.name} frame holds {frame.dtype}; {dtype} was agreed.")


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _check_header(header: Header, limits: FrameLimits) -> None:
    name = header.kind.name
    if header.dtype not in _DTYPES[header.kind]:
        raise FrameError(f"A {name} frame cannot hold {header.dtype}.")
    max_rows = limits.max_rows if header.kind.has_segments else limits.max_payload_bytes
    for what, value, limit in (
        ("bytes of segments", header.meta_bytes, limits.max_meta_bytes),
        ("rows", header.rows, max_rows),
        ("values a row", header.width, limits.max_width),
        ("bytes of payload", header.payload_bytes, limits.max_payload_bytes),
    ):
        if value > limit:
            raise FrameError(f"A {name} frame announces {value:,} {what}; at most {limit:,} are allowed.")
    if not _fits_width(header.kind, header.width):
        raise FrameError(f"A {name} frame cannot be {header.width} wide.")
    if header.payload_bytes != header.rows * header.width * header.dtype.size:
        shape = f"{header.dtype}[{header.rows}, {header.width}]"
        raise FrameError(f"A {name} frame announces {header.payload_bytes:,} bytes for {shape}.")


def _fits_width(kind: FrameKind, width: int) -> bool:
    if kind is FrameKind.HIDDEN:
        return width >= 1
    # An id, its log-probability, and pairs of the same for the best tokens.
    return width == 1 or (kind is FrameKind.CHOSEN and width % 2 == 0 and 2 <= width <= 2 + 2 * MAX_LOGPROBS)


def _check_rows(kind: FrameKind, rows: int, segments: tuple[Segment, ...]) -> None:
    if not kind.has_segments:
        if segments:
            raise FrameError(f"A {kind.name} frame has segments; it may have none.")
        return
    total = sum(segment.count for segment in segments)
    if total != rows:
        raise FrameError(f"The segments of a {kind.name} frame have {total:,} rows; it has {rows:,}.")
