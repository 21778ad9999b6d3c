"""How text is cut into words for the search, so that languages without spaces are found too."""

from __future__ import annotations

import re
from typing import Final

from idlepool.ui.history.values import Piece

SEAM: Final = "\u200b"
"""A zero-width space between characters that are words of their own; the index splits there, nobody sees it."""

MARK: Final = "\x02"
MARK_END: Final = "\x03"
"""Around a word that was found; no text has them (`searchable` takes them out)."""

_UNSPACED: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Japanese syllables
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters
    "\uac00-\ud7af"  # Korean, where particles stick to words
)
_SEAMS: Final = re.compile(rf"(?<=[{_UNSPACED}])(?=\w)|(?<=\w)(?=[{_UNSPACED}])")
_UNWANTED: Final = re.compile(f"[{SEAM}{MARK}{MARK_END}\0]")
_SPLIT: Final = re.compile(f"({MARK}[^{MARK_END}]*{MARK_END})")


def searchable(text: str) -> str:
    """`text` as it goes into the index."""
    return _SEAMS.sub(SEAM, _UNWANTED.sub("", text))


def match_expression(words: str) -> str:
    """What FTS5 is asked: each of the words, as the beginning of one in the text; empty: there is none."""
    asked = (searchable(word).replace('"', "") for word in words.split())
    return " ".join(f'"{word}"*' for word in asked if any(letter.isalnum() for letter in word))


def pieces(marked: str) -> tuple[Piece, ...]:
    """A snippet of the index, with its marks, as pieces on one line."""
    shown = " ".join(marked.replace(SEAM, "").split())
    joined = re.sub(f"{MARK_END}{MARK}", "", shown)  # characters side by side are one find
    parts = (part for part in _SPLIT.split(joined) if part)
    return tuple(Piece(part.strip(MARK + MARK_END), part.startswith(MARK)) for part in parts)
