"""Text of peers, made fit to be shown and logged."""

from __future__ import annotations

MAX_NAME = 64
"""Characters of a PC's name."""


def shown(text: str, limit: int) -> str:
    """Printable characters only, at most `limit` of them."""
    return "".join(character for character in text[:limit] if character.isprintable())
