"""Whatever comes on a link for model bytes, and in whatever parts: the same is taken of it, or an error for users."""

from __future__ import annotations

from typing import Any

import pytest
from fuzzing import Parser, attack_briefly, attack_for_long
from hypothesis import strategies as st
from peer_input import hostile

from idlepool.engine.errors import IdlepoolError
from idlepool.engine.net.bulk import BulkReader
from idlepool.engine.net.frames import Frame, FrameKind, encode_frame
from idlepool.engine.net.link_limits import intake_of
from idlepool.engine.net.messages import Message, Refused, encode_message
from idlepool.engine.net.model_messages import PIECE_BYTES
from idlepool.engine.types import ElementType, SessionId

ROOM = memoryview(bytearray(PIECE_BYTES))
BYTES = encode_frame(Frame(FrameKind.WEIGHTS, SessionId(0), 0, (), ElementType.U8, 40, 1, bytes(range(40))))
TEXT = encode_message(Refused("no")).encode()
STREAM = (
    b"".join((bytes((0x82, len(BYTES))), BYTES)),
    b"".join((b"\x82\x7e", len(BYTES).to_bytes(2, "big"), BYTES)),
    b"".join((b"\x82\x7f", len(BYTES).to_bytes(8, "big"), BYTES)),
    b"".join((bytes((0x81, len(TEXT))), TEXT)),
    b"\x89\x04ping",
    b"\x88\x02\x03\xe8",
)


class Taken:
    """All that a reader gives away, as one text; it is the sink, and the rest of the connection."""

    def __init__(self, data: bytes, *, parts: int) -> None:
        self.said = ""
        self.error: IdlepoolError | None = None
        connection: Any = self
        reader = BulkReader(connection, self, intake=intake_of("model", dialled=True), on_fault=self.fail)
        at = 0
        while at < len(data):
            buffer = reader.get_buffer(-1)[:parts]
            part = data[at : at + len(buffer)]
            buffer[: len(part)] = part
            reader.buffer_updated(len(part))
            at += len(part)

    def fail(self, error: IdlepoolError) -> None:
        self.error = error

    def room_for(self, size: int) -> memoryview:
        self._room = ROOM[:size]
        return self._room

    def filled(self) -> None:
        self.said += f"[{bytes(self._room[:60]).hex()} of {len(self._room)}]"

    def take(self, message: Message) -> None:
        self.said += str(message)

    def heard(self) -> None:
        assert self.error is None

    def data_received(self, data: bytes) -> None:
        assert len(data) < 128
        self.said += data.hex()


def parse_stream(data: bytes) -> None:
    at_once, one_by_one = Taken(data, parts=4096), Taken(data, parts=1)
    assert at_once.said == one_by_one.said
    assert str(at_once.error) == str(one_by_one.error)
    if at_once.error is not None:
        raise at_once.error


several = st.lists(hostile(*STREAM) | st.sampled_from(STREAM), max_size=4).map(b"".join)
BULK = Parser("bulk", several, parse_stream)


def test_whatever_comes_is_taken_the_same_way() -> None:
    attack_briefly(BULK)


@pytest.mark.long
@pytest.mark.timeout(0)
def test_whatever_comes_is_taken_the_same_way_for_long() -> None:
    attack_for_long(BULK)
