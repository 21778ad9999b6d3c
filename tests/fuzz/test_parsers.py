"""Whatever a peer sends, each parser gives a value or an error for users; see fuzzing.py for the two lengths."""

from __future__ import annotations

import numpy as np
import pytest
from fuzzing import Parser, attack_briefly, attack_for_long
from hypothesis import strategies as st
from peer_input import TEXTS, hostile

from idlepool.engine.decode.chosen import Chosen, decode_chosen, encode_chosen, sampled
from idlepool.engine.events import AnswerDone, AnswerStarted, AnswerText, Ask, ChatMessage, encode_line
from idlepool.engine.models.chunk_set import pack_chunks, unpack_chunks
from idlepool.engine.models.manifest import SMALL_FILES, Chunk, FileEntry, Manifest, decode_manifest
from idlepool.engine.net.addresses import parse_address
from idlepool.engine.net.arrays import all_finite, frame_of, rows_of
from idlepool.engine.net.discovery import read_hint
from idlepool.engine.net.faults import Fault, fault_frame, fault_of
from idlepool.engine.net.frames import Frame, FrameKind, FrameLimits, Segment, decode_frame, encode_frame
from idlepool.engine.net.messages import (
    DeviceInfo,
    EndSequence,
    NodeStatus,
    Place,
    PrepareStage,
    Refused,
    StageMemory,
    StageProgress,
    StageReady,
    StepTimes,
    WantChunk,
    WantFile,
    decode_message,
    encode_message,
)
from idlepool.engine.net.presence_messages import LinkTime
from idlepool.engine.net.question_messages import PeerAnswer, PeerAsk, PeerStop, RunningModel
from idlepool.engine.net.segments import decode_segments, encode_segments
from idlepool.engine.net.standby_messages import HeldSpan, StageAhead
from idlepool.engine.pool.guests import checked
from idlepool.engine.types import ElementType, ModelId, NodeId, Sampling, SequenceId, SessionId, Span

NODE = NodeId("a" * 64)
SESSION = SessionId(0x1234_5678_9ABC)
LIMITS = FrameLimits()
SAMPLING = Sampling(0.7, 5, 0.9, 3, repetition_penalty=1.1, logit_bias=((3, 1.0),), logprobs=2)
ASKED = (Segment(1, 4, 2, 2, SAMPLING, tokens=(7, 8)), Segment(2, 0, 1, 1))


# --- frames -----------------------------------------------------------------------------------------------------------


def _frame(kind: FrameKind, array: np.ndarray, *segments: Segment) -> Frame:
    return frame_of(kind, array, session=SESSION, step=9, segments=segments)


CHOSEN = _frame(
    FrameKind.CHOSEN,
    encode_chosen([Chosen((5, 6), (-0.5, -1.0), (((5, -0.5), (1, -2.0)),) * 2), Chosen((4,))]),
    *map(sampled, ASKED),
)
FAULT = fault_frame(CHOSEN, Fault(1, -1, "no memory"))
HIDDEN = [_frame(FrameKind.HIDDEN, np.ones((3, 4), dtype), *ASKED) for dtype in (np.float32, np.float16, np.uint16)]
TOKENS = _frame(FrameKind.TOKENS, np.array([7, 8, 9], np.int32), *ASKED)
WEIGHTS = _frame(FrameKind.WEIGHTS, np.arange(99, dtype=np.uint8))
MESSAGE = _frame(FrameKind.MESSAGE, np.frombuffer(encode_message(EndSequence(1, 2)).encode(), np.uint8))


def parse_frame(data: bytes) -> None:
    """As a link and then a stage, a head or the pipe to a stage take it."""
    frame = decode_frame(data, limits=LIMITS)
    str(frame)
    rows = rows_of(frame)
    assert rows.nbytes <= len(data)
    encode_frame(frame)
    match frame.kind:
        case FrameKind.HIDDEN:
            numbers = rows if frame.dtype is not ElementType.BF16 else (rows.astype(np.uint32) << 16).view("<f4")
            assert all_finite(frame) == bool(np.isfinite(numbers).all())
        case FrameKind.CHOSEN:
            decode_chosen(frame.segments, rows, ASKED)
        case FrameKind.FAULT:
            fault_of(frame)
        case FrameKind.MESSAGE:
            decode_message(frame.payload)


def parse_fault(payload: bytes) -> None:
    fault = fault_of(Frame(FrameKind.FAULT, SESSION, 1, (), ElementType.U8, len(payload), 1, payload))
    assert isinstance(fault.held, int)


def parse_chosen(data: tuple[bytes, bytes]) -> None:
    """`data`: the segments of the answer, and its rows of four values."""
    segments = decode_segments(data[0], limits=LIMITS)
    rows = np.frombuffer(data[1][: len(data[1]) // 24 * 24], "<i4").reshape(-1, 6)
    if sum(segment.count for segment in segments) == len(rows):  # a frame with others does not decode
        for one in decode_chosen(segments, rows, ASKED).values():
            assert all(0 <= token < 2**31 for token in one.ids)


# --- messages ---------------------------------------------------------------------------------------------------------

ASK = Ask(3, "chat", "f" * 64, (ChatMessage("system", "Be brief."), ChatMessage("user", "Why?")), SAMPLING, 9, ("\n",))
MESSAGES = (
    NodeStatus((DeviceInfo("CPU", ElementType.BF16, 10**10),), (RunningModel("f" * 64, "starter"),)),
    NodeStatus((), (), (StepTimes(0, 12, (1.5, 2.0, 4.0), "f" * 64, "CPU", "paged"),)),
    NodeStatus((), memory=(StageMemory(2**40, 10**9),)),
    NodeStatus((), held=(HeldSpan("f" * 64, 0, 12),), disk_bytes=10**10, links=(LinkTime(NODE, 0.5, 9e7),)),
    StageAhead("f" * 64, 0, 12, Place(NODE, "h", 1)),
    PrepareStage(SESSION, "f" * 64, 0, 4, "CPU", ElementType.BF16, Place(NODE, "h", 1), None, Place(NODE, "h", 1)),
    StageProgress(SESSION, "fetching", 1, 2),
    StageReady(SESSION, 99, "CPU", 1, 2, 3, step_ms=1.5),
    EndSequence(SESSION, SequenceId(4), 5),
    PeerAsk(ASK),
    PeerAnswer(AnswerStarted(3, 20, 2048, 9, 2)),
    PeerAnswer(AnswerText(3, "Because", 1, 9.5)),
    PeerAnswer(AnswerDone(3, "stop", (5, 6), 20, 9.5, 100.0, "", 1, 1, (-0.5,), (((5, -0.5),),))),
    PeerStop(3),
    Refused("No."),
    WantFile(ModelId("f" * 64), "config.json"),
    WantChunk(ModelId("f" * 64), 7),
)


def parse_message(data: bytes) -> None:
    """What is read can be passed on: to a stage's process, to the window."""
    message = decode_message(data)
    encode_message(message)
    match message:
        case PeerAsk(ask=ask):
            assert checked(ask).max_tokens <= ask.max_tokens
        case PeerAnswer(event=event):
            encode_line(event)


# --- models -----------------------------------------------------------------------------------------------------------

MANIFEST = Manifest(
    2,
    64,
    300,
    512,
    tuple(FileEntry(name, 10, "e" * 64) for name in SMALL_FILES),
    300,
    (Chunk(0, 100, "d" * 64), Chunk(100, 100, "d" * 64), Chunk(250, 50, "d" * 64)),
    ((0, 1), (1, 2)),
    (100, 90),
)


def parse_manifest(data: bytes) -> None:
    """Nothing but the names known here is ever a file's."""
    manifest = decode_manifest(data)
    assert manifest.model
    assert manifest.bytes_of(manifest.chunks_of(Span(0, manifest.layers))) <= manifest.weights_bytes
    assert {file.name for file in manifest.files} <= set(SMALL_FILES)


CHUNKS = st.tuples(hostile(pack_chunks([0, 7, 8, 20], 21), bytes(100)), st.just(21) | st.integers(0, 5000))


def parse_chunks(data: tuple[bytes, int]) -> None:
    """Which chunks a PC says it has, of a model with so many."""
    bits, count = data
    held = unpack_chunks(bits, count)
    assert all(0 <= index < count for index in held)
    assert pack_chunks(held, count) == bits


# --- discovery --------------------------------------------------------------------------------------------------------

RECORDS = st.tuples(
    st.dictionaries(
        st.sampled_from([b"id", b"port", b"version"]) | st.binary(max_size=8),
        st.none()
        | st.binary(max_size=40)
        | st.sampled_from([b"0123456789abcdef", b"24753", b"0", b"99999", b"65536", "١٢٣".encode(), b"+1", b"1_0"]),
    ),
    st.lists(TEXTS | st.sampled_from(["10.0.0.1", "fe80::1%eth0", "224.0.0.1", "0.0.0.0", "::1"]), max_size=12),
)


def parse_record(record: tuple[dict[bytes, bytes | None], list[str]]) -> None:
    hint = read_hint(*record)
    if hint is not None:
        assert len(hint.short_id) == 16
        assert all(0 < address.port < 2**16 for address in hint.addresses)


PARSERS = (
    Parser("frame", hostile(*map(encode_frame, (*HIDDEN, TOKENS, CHOSEN, FAULT, WEIGHTS, MESSAGE))), parse_frame),
    Parser(
        "segments",
        hostile(encode_segments(ASKED), form="msgpack"),
        lambda data: decode_segments(data, limits=LIMITS),
    ),
    Parser("fault", hostile(bytes(FAULT.payload), form="msgpack"), parse_fault),
    Parser(
        "chosen",
        st.tuples(hostile(encode_segments(CHOSEN.segments), form="msgpack"), hostile(bytes(CHOSEN.payload))),
        parse_chosen,
    ),
    Parser("message", hostile(*(encode_message(message).encode() for message in MESSAGES), form="json"), parse_message),
    Parser("manifest", hostile(MANIFEST.encode(), form="json"), parse_manifest),
    Parser("chunks", CHUNKS, parse_chunks),
    Parser("record", RECORDS, parse_record),
    Parser("address", TEXTS | hostile(b"[fe80::1%3]:80").map(lambda data: data.decode("latin-1")), parse_address),
)

every_parser = pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)


@every_parser
def test_a_peer_can_send_anything(parser: Parser) -> None:
    attack_briefly(parser)


@pytest.mark.long
@pytest.mark.timeout(0)
@every_parser
def test_a_peer_can_send_anything_for_long(parser: Parser) -> None:
    attack_for_long(parser)
