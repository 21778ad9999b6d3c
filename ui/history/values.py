"""What the history hands out: values that no later change alters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["user", "assistant"]

MessageState = Literal["done", "partial", "stopped", "failed", "length"]
"""`partial`: it is being written, or the window ended while it was."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What is shown of an answer on demand; zero: it was not told."""

    tokens_per_second: float = 0.0
    time_to_first_token_ms: float = 0.0
    tokens: int = 0
    prompt_tokens: int = 0
    context: int = 0
    """Tokens that the model can hold."""
    drafted: int = 0
    accepted: int = 0
    answered_by: str = ""
    """The PC whose pipeline answered; empty: this one."""


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How a conversation is answered; None: as the model's default is."""

    system_prompt: str = ""
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    seed: int | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A question or an answer. Those with the same parent are alternatives to each other."""

    id: int
    conversation: int
    parent: int | None
    role: Role
    text: str
    state: MessageState
    detail: str
    figures: Figures | None
    model: str
    created_ms: int
    """Since 1970, by the clock of this PC, which may have been wrong."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A conversation in the list."""

    id: int
    title: str
    """Empty: nothing was asked yet."""
    pinned: bool
    changed_ms: int
    """Since 1970, never in the future."""
    model: str


@dataclass(frozen=True, slots=True)
class Conversation(Entry):
    """A conversation that is opened."""

    settings: ChatSettings = field(default_factory=ChatSettings)
    draft: str = ""
    """What was typed and not sent."""


@dataclass(frozen=True, slots=True)
class Tree:
    """All of a conversation, as it is exported and imported."""

    title: str
    messages: tuple[Message, ...]
    """Each after its parent. The numbers count only among themselves."""
    leaf: int | None = None
    """The last one that is shown; None: the last one."""
    named: bool = False
    pinned: bool = False
    model: str = ""
    settings: ChatSettings = field(default_factory=ChatSettings)
    draft: str = ""
    changed_ms: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a snippet; `found`: it is one of the words that were searched for."""

    text: str
    found: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A conversation that has the words."""

    entry: Entry
    message: int | None
    """The newest message that has them; None: its title has."""
    snippet: tuple[Piece, ...]
