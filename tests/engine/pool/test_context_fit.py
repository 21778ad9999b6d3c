"""What the model sees of a conversation: never too much, never without the system message and the last question."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from idlepool.engine.errors import PromptTooLong
from idlepool.engine.events import ChatMessage
from idlepool.engine.pool.context_fit import Fitted, fit, turns_to_drop

AROUND = 4
"""Tokens that the template writes around each message."""


class Letters:
    """A tokenizer: each letter is a token, and the template writes some around each message and two at the end."""

    def encode(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]

    def encode_chat(self, messages: Sequence[ChatMessage]) -> list[int]:
        tokens = [token for message in messages for token in [0] * AROUND + self.encode(message.content)]
        return [*tokens, 1, 2]


def conversation(*lengths: int, system: int = 0) -> list[ChatMessage]:
    """Question, answer, question ... of so many letters, each message of letters of its own."""
    messages = [ChatMessage("system", "s" * system)] if system else []
    return messages + [
        ChatMessage("assistant" if place % 2 else "user", chr(1000 + place) * length)
        for place, length in enumerate(lengths)
    ]


def fitted(messages: list[ChatMessage], *, context: int, max_tokens: int = 40, overflow: str = "slide") -> Fitted:
    return fit(Letters(), messages, context=context, max_tokens=max_tokens, overflow=overflow)


def seen(result: Fitted) -> set[str]:
    return {chr(token) for token in result.prompt if token > 2}


def test_what_fits_is_seen_whole() -> None:
    messages = conversation(10, 20, 5, system=8)
    result = fitted(messages, context=200)
    assert result == Fitted(tuple(Letters().encode_chat(messages)), kept_messages=4)


def test_the_oldest_turns_go_first_and_the_numbers_say_so() -> None:
    messages = conversation(30, 30, 30, 30, 10, system=5)
    result = fitted(messages, context=160)
    assert seen(result) == {"s", *(chr(1000 + place) for place in (2, 3, 4))}
    assert (result.kept_messages, result.dropped_messages) == (4, 2)
    assert len(result.prompt) + result.dropped_tokens == len(Letters().encode_chat(messages))
    assert result.dropped_tokens == 60 + 2 * AROUND


def test_refused_with_both_numbers() -> None:
    with pytest.raises(PromptTooLong, match=r"has 118 tokens and the model holds 110\."):
        fitted(conversation(50, 50, 4), context=110, overflow="reject")


def test_where_it_just_fits_the_answer_is_short_instead() -> None:
    assert len(fitted(conversation(50, 50, 4), context=119, overflow="reject").prompt) == 118


@pytest.mark.parametrize("system", [0, 30])
def test_a_last_question_that_is_too_long_by_itself_is_refused(system: int) -> None:
    with pytest.raises(PromptTooLong):
        fitted(conversation(5, 5, 100, system=system), context=90)


def test_questions_without_an_answer_between_them_are_turns_too() -> None:
    messages = [ChatMessage("user", text) for text in ("a" * 100, "b" * 10, "c" * 10)]
    assert seen(fitted(messages, context=150)) == {"b", "c"}


def test_a_conversation_that_begins_with_an_answer() -> None:
    messages = [ChatMessage("assistant", "x" * 60), *conversation(30, 30, 10)]
    assert seen(fitted(messages, context=150)) == {chr(1000 + place) for place in range(3)}


sizes = st.integers(0, 60)


@settings(max_examples=200, deadline=None)
@given(
    turns=st.lists(st.tuples(sizes, sizes), max_size=12),
    question=sizes,
    system=sizes,
    context=st.integers(20, 400),
    max_tokens=st.integers(1, 200),
)
def test_what_slides_fits(
    turns: list[tuple[int, int]], question: int, system: int, context: int, max_tokens: int
) -> None:
    messages = conversation(*(size for turn in turns for size in turn), question, system=system)
    least = Letters().encode_chat([message for message in messages if message.role == "system"] + messages[-1:])
    assume(len(least) < context)
    result = fitted(messages, context=context, max_tokens=max_tokens)
    free = context - len(result.prompt)
    assert free >= min(max_tokens, context // 4) or list(result.prompt) == least
    assert result.kept_messages + result.dropped_messages == len(messages)
    assert result.dropped_messages % 2 == 0
    kept = [message for message in messages if message.role == "system"]
    kept += messages[len(kept) + result.dropped_messages :]
    assert list(result.prompt) == Letters().encode_chat(kept)


@settings(max_examples=200, deadline=None)
@given(turns=st.lists(st.tuples(sizes, sizes), min_size=1, max_size=40), room=st.integers(50, 300))
def test_the_beginning_moves_seldom(turns: list[tuple[int, int]], room: int) -> None:
    """Asked at each turn, the beginning never moves back, and when it moves a quarter of the room is free again."""
    target = room * 3 // 4
    before = 0
    for end in range(1, len(turns) + 1):
        asked = [*turns[: end - 1], (turns[end - 1][0], 0)]
        dropped = turns_to_drop(asked, room=room, target=target)
        held = sum(map(sum, asked[dropped:]))
        assert before <= dropped < end
        assert held <= room or dropped == end - 1
        assert dropped == before or held <= target or dropped == end - 1
        before = dropped
