"""What strangers say first: whatever it is, it ends in a Hello, a sentence or a MessageError, and can be shown."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.errors import MessageError
from idlepool.engine.net.handshake import answer_hello, read_answer
from idlepool.engine.net.messages import PROTOCOL_VERSION, Hello, Refused, Welcome, encode_message
from idlepool.engine.net.shown import shown
from idlepool.engine.types import NodeId

WELCOME = Welcome("a" * 64, "north", 4001, pool="attic", build="2.1")
SOUTH = NodeId("b" * 64)
HELLO = Hello("control", SOUTH, "south", 4711, pool="attic", epoch=3, build="2.0")

hellos = st.builds(
    Hello,
    role=st.sampled_from(["control", "activation", "model"]),
    node=st.sampled_from(["a" * 64, "b" * 64]) | st.text(),
    name=st.text(),
    port=st.integers(),
    pool=st.sampled_from(["attic", ""]),
    version=st.sampled_from([1, PROTOCOL_VERSION]),
    epoch=st.integers(),
    build=st.text(),
)


@given(hellos.map(encode_message) | st.text() | st.binary())
def test_any_opening_is_accepted_refused_or_no_hello(opening: str | bytes) -> None:
    try:
        answer = answer_hello(opening, WELCOME, guest=SOUTH)
    except MessageError:
        return
    if isinstance(answer, Hello):
        assert (answer.version, answer.pool, answer.node) == (PROTOCOL_VERSION, "attic", SOUTH)
        assert answer.epoch >= 0
        assert (answer.name + answer.build).isprintable()
    else:
        assert answer.sentence.isprintable()


@given(
    st.text()
    | st.binary()
    | st.builds(lambda sentence, hint: encode_message(Refused(sentence, hint=hint)), st.text(), st.text())
)
def test_any_answer_is_understood_or_refused(answer: str | bytes) -> None:
    try:
        read = read_answer(answer)
    except MessageError:
        return
    assert isinstance(read, Refused)
    assert read.sentence
    assert not read.hint or read.hint.isprintable()


def test_a_proper_hello_passes_unchanged() -> None:
    assert answer_hello(encode_message(HELLO), WELCOME, guest=SOUTH) == HELLO
    assert read_answer(encode_message(WELCOME)) == WELCOME


def test_a_newer_welcome_can_be_named() -> None:
    assert read_answer(encode_message(msgspec.structs.replace(WELCOME, version=9))).version == 9  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"version": 1},
            f"north (Idlepool 2.1) speaks protocol version {PROTOCOL_VERSION}, south (Idlepool 2.0) version 1: update",
        ),
        (
            {"version": 1, "node": "", "build": ""},
            f"speaks protocol version {PROTOCOL_VERSION}, south version 1: update the older one.",
        ),
        ({"node": "c" * 64}, "You show the certificate of one PC and the name of another."),
        ({"node": "a" * 64}, "You show the certificate of one PC and the name of another."),
        ({"pool": "cellar"}, "north belongs to another pool"),
    ],
)
def test_a_hello_is_refused_with_the_reason(changed: dict[str, object], said: str) -> None:
    answer = answer_hello(encode_message(msgspec.structs.replace(HELLO, **changed)), WELCOME, guest=SOUTH)
    assert isinstance(answer, Refused)
    assert said in answer.sentence


def test_a_pc_that_reaches_itself_is_told() -> None:
    own = msgspec.structs.replace(HELLO, node=WELCOME.node)
    assert answer_hello(encode_message(own), WELCOME, guest=NodeId(WELCOME.node)) == Refused("That is this PC itself.")


def test_another_message_is_no_answer() -> None:
    with pytest.raises(MessageError, match="something other than Welcome or a refusal"):
        read_answer(encode_message(HELLO))


def test_names_cannot_play_tricks_where_they_are_shown() -> None:
    assert shown("of\u202efice\x1b[31m\n" + "x" * 99, 20) == "office[31mxxxxxxx"
