"""Values as rows of the tables, and back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec

from idlepool.ui.history.values import ChatSettings, Conversation, Entry, Figures, Message

ENTRY: Final = "id, title, pinned, changed_ms, model"
CONVERSATION: Final = f"{ENTRY}, settings, draft"
MESSAGE: Final = "id, conversation, parent, role, text, state, detail, figures, model, created_ms"
"""Columns in the order of the fields."""

TITLE_CHARACTERS: Final = 60

T = TypeVar("T")


def now_ms() -> int:
    """Since 1970."""
    return time.time_ns() // 1_000_000


def entry(row: Sequence[Any]) -> Entry:
    """Of a row of ENTRY."""
    number, title, pinned, changed_ms, model = row
    return Entry(number, title, bool(pinned), min(changed_ms, now_ms()), model)


def conversation(row: Sequence[Any]) -> Conversation:
    """Of a row of CONVERSATION."""
    listed = entry(row[:5])
    settings = _decoded(row[5], ChatSettings) or ChatSettings()
    return Conversation(listed.id, listed.title, listed.pinned, listed.changed_ms, listed.model, settings, row[6])


def message(row: Sequence[Any]) -> Message:
    """Of a row of MESSAGE."""
    number, conversation, parent, role, text, state, detail, figures, model, created_ms = row
    told = _decoded(figures, Figures)
    return Message(number, conversation, parent, role, text, state, detail, told, model, created_ms)


def encoded(value: ChatSettings | Figures | None) -> str | None:
    """As it stands in a column."""
    return None if value is None else msgspec.json.encode(value).decode()


def settings(column: str) -> ChatSettings:
    """Of a column; what is none reads as the defaults."""
    return _decoded(column, ChatSettings) or ChatSettings()


def clean(text: str) -> str:
    """`text` as UTF-8 can have it: halves of characters, which Qt may hand over, become question marks."""
    return text.encode("utf-8", "replace").decode()


def title_of(question: str) -> str:
    """The first words of a question."""
    words = clean(" ".join(question[: 10 * TITLE_CHARACTERS].split()))
    if len(words) <= TITLE_CHARACTERS:
        return words
    cut = words[:TITLE_CHARACTERS].rpartition(" ")[0]
    return f"{cut or words[: TITLE_CHARACTERS - 1]}…"


def _decoded(column: str | None, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(column, type=kind) if column else None
    except ValueError:  # of msgspec: written by another version, or by hand
        return None
