"""What the model is told of a conversation: its messages, and how the next words are to be chosen."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from idlepool.engine.events import Ask, ChatMessage, Sampling, chat_sampling
from idlepool.ui.history.values import ChatSettings, Message

SAMPLING_FIELDS = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty", "seed")
"""Of ChatSettings, by the names that Sampling has for them."""

DEFAULT_MAX_TOKENS = Ask(0, "", "", ()).max_tokens


def messages_for(path: Iterable[Message], settings: ChatSettings) -> tuple[ChatMessage, ...]:
    """What the model is told, ending with the question that has no answer yet, or the answer that is to go on.

    Questions that got no word of an answer are joined with the next one: many chat templates refuse two messages
    of the same role in a row.
    """
    messages: list[ChatMessage] = []
    waiting: list[str] = []
    for message in path:
        if message.role == "user":
            waiting.append(message.text)
        elif message.text:
            messages += (ChatMessage("user", "\n\n".join(waiting)), ChatMessage("assistant", message.text))
            waiting.clear()
    if waiting:
        messages.append(ChatMessage("user", "\n\n".join(waiting)))
    if settings.system_prompt.strip():
        messages.insert(0, ChatMessage("system", settings.system_prompt.strip()))
    return tuple(messages)


def sampling_for(settings: ChatSettings) -> Sampling:
    """What the user set, and the chat's defaults for the rest; a seed that nobody set is a new one each time."""
    given = {name: value for name in SAMPLING_FIELDS if (value := getattr(settings, name)) is not None}
    return msgspec.structs.replace(chat_sampling(), **given)


def repeatable(settings: ChatSettings) -> bool:
    """Whether the user counts on getting the same answer again."""
    return settings.seed is not None or settings.temperature == 0
