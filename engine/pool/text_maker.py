"""Text of the answers that grow on this PC, made for all of them at once: one call costs as much as one answer's.

The detokenizer takes 0.04 ms for a call, and 0.3 on a core that also computes layers. An answer by itself would call it
for each of its tokens, sixteen of them for as long as a stage takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

SHOW_EVERY_S = 0.06
"""Text is made so often: more often nobody can read."""

DecodeAll = Callable[[Sequence[Sequence[int]]], list[str]]
"""Texts of several sequences of tokens."""


class Growing(Protocol):
    """What text is made for."""

    @property
    def decode_all(self) -> DecodeAll:
        """Its model's; see Tokenizer.decode_all()."""

    def to_decode(self) -> Sequence[int]:
        """The tokens that text is wanted of; none where it was made in another way since it was asked for."""

    def decoded(self, text: str) -> None:
        """Take the text of to_decode()."""


class TextMaker:
    """Collects whoever has new tokens, and makes their texts SHOW_EVERY_S after the first of them came."""

    def __init__(self) -> None:
        self._waiting: dict[Growing, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def want(self, growing: Growing) -> None:
        """It has new tokens."""
        self._waiting[growing] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SHOW_EVERY_S, self._make)

    def _make(self) -> None:
        self._timer = None
        together: dict[DecodeAll, list[tuple[Growing, Sequence[int]]]] = {}
        for growing in self._waiting:
            if tokens := growing.to_decode():
                together.setdefault(growing.decode_all, []).append((growing, tokens))
        self._waiting.clear()
        for decode_all, asked in together.items():
            texts = decode_all([tokens for _, tokens in asked])
            for (growing, _), text in zip(asked, texts, strict=True):
                growing.decoded(text)
