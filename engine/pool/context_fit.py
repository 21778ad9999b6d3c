"""What of a conversation the model will see: all of it where that fits, else without its oldest turns, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from idlepool.engine.errors import PromptTooLong
from idlepool.engine.events import ChatMessage, Overflow

RESERVE_SHARE = 4
"""Room for the answer is kept free: as much as it may take, but at most one part in so many of the context."""

KEPT_AFTER_SLIDE = 0.75
"""Share of what fits that is kept when turns are left out. The next turns then fit as well and begin alike, so that
the stages need not compute the whole conversation anew for each of them."""


class ChatEncoder(Protocol):
    """The part of a Tokenizer that is needed here."""

    def encode_chat(self, messages: Sequence[ChatMessage]) -> list[int]:
        """Tokens of a conversation up to where the assistant speaks next."""

    def encode(self, text: str) -> list[int]:
        """Tokens of `text` alone."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The prompt, and what was left out for it."""

    prompt: tuple[int, ...]
    kept_messages: int
    dropped_messages: int = 0
    dropped_tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Turn:
    """The messages from one question up to the next, `asked` tokens of the user and `answered` ones of the model."""

    messages: tuple[ChatMessage, ...]
    asked: int
    answered: int


def fit(
    encoder: ChatEncoder, messages: Sequence[ChatMessage], *, context: int, max_tokens: int, overflow: Overflow
) -> Fitted:
    """Encode as much of a conversation as a model of `context` tokens can hold together with its answer.

    "slide" leaves out the oldest turns; the system messages and the last question always stay. Only where these alone
    are too long, or with "reject", the room for the answer gives way.

    Raises:
        PromptTooLong: not even one token of an answer would fit.
        RequestError: the model's template refuses the conversation.
    """
    prompt = encoder.encode_chat(messages)
    whole, kept = len(prompt), list(messages)
    room = context - min(max_tokens, context // RESERVE_SHARE)
    if overflow == "slide" and whole > room:
        prompt, kept = _slide(encoder, messages, whole=whole, room=room)
    if len(prompt) >= context:
        raise PromptTooLong(len(prompt), context)
    return Fitted(tuple(prompt), len(kept), len(messages) - len(kept), whole - len(prompt))


def turns_to_drop(turns: Sequence[tuple[int, int]], *, room: int, target: int) -> int:
    """How many of the oldest turns are left out; never the last one.

    `turns` are the tokens of each question and its answer. The conversation is gone through as it grew: when a
    question made it longer than `room`, turns were left out until `target` were kept. So the number depends on what
    was said and not on when it is asked for, and stays the same until the conversation is too long again.
    """
    dropped = held = 0
    for newest, (asked, answered) in enumerate(turns):
        held += asked
        if held > room:
            while dropped < newest and held > target:
                held -= sum(turns[dropped])
                dropped += 1
        held += answered
    return dropped


def _slide(
    encoder: ChatEncoder, messages: Sequence[ChatMessage], *, whole: int, room: int
) -> tuple[list[int], list[ChatMessage]]:
    """Prompt and messages that are left of a conversation of `whole` tokens."""
    first = next((place for place, message in enumerate(messages) if message.role != "system"), len(messages))
    system = list(messages[:first])
    turns = _turns(encoder, messages[first:])
    if len(turns) < 2:
        return encoder.encode_chat(messages), list(messages)
    # What a template writes around a turn shows where one is missing.
    without_first = encoder.encode_chat(_joined(system, turns[1:]))
    around = whole - len(without_first) - turns[0].asked - turns[0].answered
    sizes = [(turn.asked + around - around // 2, turn.answered + around // 2) for turn in turns]
    fixed = whole - sum(map(sum, sizes))
    free = room - fixed
    dropped = turns_to_drop(sizes, room=free, target=int(KEPT_AFTER_SLIDE * free))
    while True:
        kept = _joined(system, turns[dropped:])
        prompt = encoder.encode_chat(kept)
        if len(prompt) <= room or dropped == len(turns) - 1:
            return prompt, kept
        dropped += 1


def _turns(encoder: ChatEncoder, messages: Sequence[ChatMessage]) -> list[_Turn]:
    starts = [0] + [place for place, message in enumerate(messages) if message.role == "user" and place > 0]
    parts = [tuple(messages[start:end]) for start, end in zip(starts, [*starts[1:], len(messages)], strict=True)]
    return [_Turn(part, _weight(encoder, part, "user"), _weight(encoder, part, "assistant")) for part in parts if part]


def _weight(encoder: ChatEncoder, messages: Sequence[ChatMessage], role: str) -> int:
    return sum(len(encoder.encode(message.content)) for message in messages if message.role == role)


def _joined(system: Sequence[ChatMessage], turns: Sequence[_Turn]) -> list[ChatMessage]:
    return [*system, *(message for turn in turns for message in turn.messages)]
