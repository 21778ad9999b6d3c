"""From tokens as they come to text as it may be shown: only what no later token can change, at a steady cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_WINDOW = 32
"""Tokens after which the window moves on."""

_UNSETTLED = re.compile("(?:\ufffd+| (?:'[rv]?|n'?)?)\\Z")
"""An end that more tokens may change: U+FFFD for a character whose bytes are not all there yet; a blank that many
detokenizers drop before a full stop or a contraction (" ." " 's" " 're" " n't")."""


class TextStream:
    """Text of a growing sequence of tokens, piece by piece; the pieces add up to `decode` of all tokens.

    `decode` turns tokens into text. Decoding all of them for each new one would cost more the longer the answer, so
    only a window is decoded: it begins with tokens whose text was given before, because a token's text may depend on
    the one before it (a leading blank, a contraction), and moves on at places where nothing was held back. While a
    model writes nothing but broken bytes there are no such places, and the window grows.

    `before` are tokens whose text was given already, which the text goes on from.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str], *, before: Sequence[int] = ()) -> None:
        self._decode = decode
        self._window = list(before[-_WINDOW:])
        self._given = len(decode(self._window)) if before else 0
        """Characters of the window's text that were given."""
        self._settled = len(self._window)
        """Tokens of the window up to the last place where nothing was held back."""

    def push(self, tokens: Sequence[int]) -> str:
        """Take more tokens; return the text that is certain now, often that of the tokens before."""
        return self.decoded(self._decode(self.to_decode(tokens)))

    def to_decode(self, tokens: Sequence[int]) -> Sequence[int]:
        """The first half of push(), where somebody else decodes: take more tokens; return those whose text is wanted.

        decoded() must follow before anything else.
        """
        self._window += tokens
        return self._window

    def decoded(self, text: str) -> str:
        """The second half of push(): take the text of to_decode(); return what is certain now."""
        certain = _UNSETTLED.sub("", text)
        piece = certain[self._given :]
        self._given += len(piece)
        if piece and certain == text:
            self._move_on()
        return piece

    def flush(self) -> str:
        """The text that was held back, to be shown when no more tokens come."""
        return self._decode(self._window)[self._given :]

    def _move_on(self) -> None:
        """Called where all text was given: begin the window at the last such place once it has grown long."""
        if self._settled and len(self._window) > _WINDOW:
            kept = self._window[self._settled :]
            text = self._decode(kept)
            if text:  # else what comes next would be decoded as if it began the answer
                self._window, self._given = kept, len(text)
        self._settled = len(self._window)
