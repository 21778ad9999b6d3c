"""Segments: which rows of a frame belong to which sequence, and from which position on. The meta part of a frame."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from idlepool.engine.errors import FrameError
from idlepool.engine.sampling_rules import broken_rule
from idlepool.engine.types import Sampling

_INT32_MAX = 2**31 - 1
_INT64_MAX = 2**63 - 1


class Segment(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Rows for positions `[start, start + count)` of a sequence.

    Whatever a stage holds of the sequence at or after `start` is void. In a CHOSEN frame the rows are ids: the one
    picked from the logits at position p stands in the row for p.
    """

    sequence: int
    start: int
    count: int
    sample: int = 0
    """How many of the trailing rows get an id picked by the tail."""
    sampling: Sampling | None = None
    parent: int = 0
    """0: none. Where a stage holds less than `start` of the sequence, its first `start` positions are those of the
    sequence `parent`: they are forked, and their blocks shared."""
    tokens: tuple[int, ...] = ()
    """The ids of the rows, sent only where the tail's penalties need them: it keeps what it was given, by the same
    rule of `start`."""

    def __str__(self) -> str:
        sample = f" sample {self.sample}" if self.sample else ""
        return f"#{self.sequence}[{self.start}, {self.start + self.count}){sample}"


@dataclass(frozen=True, slots=True)
class SegmentLimits:
    """The most that a frame's segments may say."""

    max_segments: int = 1024
    max_start: int = 2**31 - 1


_decoder = msgspec.msgpack.Decoder(tuple[Segment, ...])
_encoder = msgspec.msgpack.Encoder()


def encode_segments(segments: tuple[Segment, ...]) -> bytes:
    """The meta part of a frame."""
    return _encoder.encode(segments)


def decode_segments(meta: bytes | memoryview, *, limits: SegmentLimits) -> tuple[Segment, ...]:
    """Read the meta part of a frame.

    Raises:
        FrameError: it does not decode, or a segment is impossible.
    """
    try:
        segments = _decoder.decode(meta)
    except (msgspec.DecodeError, RecursionError) as error:
        raise FrameError(f"The segments of a frame do not decode: {error}.") from error
    check_segments(segments, limits)
    return segments


def check_segments(segments: tuple[Segment, ...], limits: SegmentLimits) -> None:
    """Raise FrameError for more segments than allowed, or one that is impossible."""
    if len(segments) > limits.max_segments:
        raise FrameError(f"A frame has {len(segments):,} segments; at most {limits.max_segments:,} are allowed.")
    for segment in segments:
        _check_segment(segment, limits)


def _check_segment(segment: Segment, limits: SegmentLimits) -> None:
    if not 0 <= segment.sequence <= _INT64_MAX:
        raise FrameError(f"A segment names the impossible sequence {segment.sequence}.")
    if segment.start < 0 or segment.count < 0 or segment.start + segment.count > limits.max_start:
        end = segment.start + segment.count
        raise FrameError(
            f"A segment covers the positions [{segment.start}, {end}); 0 to {limits.max_start} is allowed."
        )
    if not 0 <= segment.sample <= segment.count:
        raise FrameError(f"A segment of {segment.count} rows asks for {segment.sample} picked ids.")
    if not 0 <= segment.parent <= _INT64_MAX:
        raise FrameError(f"A segment names the impossible parent {segment.parent}.")
    _check_tokens(segment)
    if segment.sampling is not None:
        _check_sampling(segment.sampling)


def _check_tokens(segment: Segment) -> None:
    tokens, sampling = segment.tokens, segment.sampling
    if tokens and len(tokens) != segment.count:
        raise FrameError(f"A segment of {segment.count} rows has {len(tokens)} ids.")
    if tokens and (min(tokens) < 0 or max(tokens) > _INT32_MAX):
        raise FrameError(f"A segment has the impossible ids {min(tokens)} to {max(tokens)}.")
    if segment.sample and sampling is not None and sampling.penalises and not tokens:
        raise FrameError("A segment asks for penalties without the ids of its rows.")


def _check_sampling(sampling: Sampling) -> None:
    rule = broken_rule(sampling)
    if rule is not None:
        raise FrameError(f"A segment asks for the impossible {rule.name} {rule.shown(sampling)}.")
