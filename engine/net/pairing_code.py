"""The one-time code that one PC shows and another is told: eight characters that nobody reads as others."""

from __future__ import annotations

import secrets
from typing import Final

from idlepool.engine.pairing_errors import PairingError

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0, 1, I, L and O, which look alike, and U, which sounds like V."""

LENGTH: Final = 8
PLATE: Final = 2
"""Its first characters are announced, so that nobody tries a code at a PC that shows another one. The six that stay
secret are one of 729 million: five guesses find them with a chance of one in 146 million."""


def make_code() -> str:
    """A new code, eight characters without the dash."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """The code in what somebody typed, with or without the dash, in any case.

    Raises:
        PairingError: it is no code.
    """
    code = "".join(character for character in typed.upper() if character not in "-–— \t\n")
    strange = "".join(sorted({character for character in code if character not in ALPHABET}))
    if strange and len(code) == LENGTH:
        raise PairingError(f"No code has a “{strange[0]}” in it.", "Look again at what the other PC shows.")
    if strange or len(code) != LENGTH:
        raise PairingError("That is no pairing code.", "A code has eight letters and digits, like K7MP-3XQ9.")
    return code


def shown_code(code: str) -> str:
    """A code as it is shown: `XXXX-XXXX`."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def plate_of(code: str) -> str:
    """The part of a code that is no secret."""
    return code[:PLATE]
