"""What strangers say first: whatever it is, it ends in a Hello, a sentence or a MessageError, and can be shown."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idlepool.engine.errors import MessageError
from idlepool.engine.net.handshake import answer_hello, read_answer, shown
from idlepool.engine.net.messages import Hello, Refused, Welcome, encode_message

WELCOME = Welcome("a" * 64, "north", 4001)
HELLO = Hello("control", "b" * 64, "south", 4711, pool="attic")

hellos = st.builds(
    Hello,
    role=st.sampled_from(["control", "activation", "model"]),
    node=st.sampled_from(["a" * 64, "b" * 64]) | st.text(),
    name=st.text(),
    port=st.integers(),
    pool=st.sampled_from(["attic", ""]),
    version=st.sampled_from([1, 2]),
)


@given(hellos.map(encode_message) | st.text() | st.binary())
def test_any_opening_is_accepted_refused_or_no_hello(opening: str | bytes) -> None:
    try:
        answer = answer_hello(opening, WELCOME, pool="attic")
    except MessageError:
        return
    if isinstance(answer, Hello):
        assert (answer.version, answer.pool, len(answer.node)) == (1, "attic", 64)
        assert answer.node != WELCOME.node
        assert answer.name.isprintable()
    else:
        assert answer.sentence.isprintable()


@given(st.text() | st.binary() | st.text().map(lambda sentence: encode_message(Refused(sentence))))
def test_any_answer_is_understood_or_refused(answer: str | bytes) -> None:
    try:
        read = read_answer(answer)
    except MessageError:
        return
    assert isinstance(read, Refused)
    assert read.sentence


def test_a_proper_hello_passes_unchanged() -> None:
    assert answer_hello(encode_message(HELLO), WELCOME, pool="attic") == HELLO
    assert read_answer(encode_message(WELCOME)) == WELCOME


def test_a_newer_welcome_can_be_named() -> None:
    assert read_answer(encode_message(msgspec.structs.replace(WELCOME, version=2))).version == 2  # type: ignore[union-attr]


def test_another_message_is_no_answer() -> None:
    with pytest.raises(MessageError, match="something other than Welcome or Refused"):
        read_answer(encode_message(HELLO))


def test_names_cannot_play_tricks_where_they_are_shown() -> None:
    assert shown("of\u202efice\x1b[31m\n" + "x" * 99, 20) == "office[31mxxxxxxx"
