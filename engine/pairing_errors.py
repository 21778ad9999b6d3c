"""Errors of pairing; a part of the tree in errors.py.

IdlepoolError
└── PairingError              two PCs did not become a pair
    ├── PairingBroken         the other side broke off, or sent what pairing does not allow
    ├── WrongCode             the code typed is not the one shown
    ├── CodeOver              the code was used, ran out, or was guessed at too often
    ├── CodeNotFound          no PC in reach shows that code
    └── AlreadyPooled         this PC shares a pool with others
"""

from __future__ import annotations

from idlepool.engine.errors import IdlepoolError


class PairingError(IdlepoolError):
    """Two PCs did not become a pair."""


class PairingBroken(PairingError):
    """The other side broke off, or sent what pairing does not allow; `reason` says what it did."""

    def __init__(self, reason: str, hint: str = "Show a new code and try again.") -> None:
        self.reason = reason
        super().__init__(f"Pairing with the other PC failed: {reason}.", hint)


class WrongCode(PairingError):
    """The code typed is not the one shown, or somebody stands in between; `left` more tries are allowed."""

    def __init__(self, left: int) -> None:
        self.left = left
        tries = "once more" if left == 1 else f"{left} times more"
        super().__init__("That is not the code that the other PC shows.", f"It can be tried {tries}.")


class CodeOver(PairingError):
    """The code was used, ran out, or was guessed at too often."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"That code is void: {reason}.", "Show a new one.")


class CodeNotFound(PairingError):
    """No PC in reach shows a code that begins like that one."""

    def __init__(self, beginning: str) -> None:
        super().__init__(
            f"No PC in this network shows a code that begins with {beginning}.",
            "Look again at the code. Where the network keeps PCs from finding each other, type the address as well.",
        )


class AlreadyPooled(PairingError):
    """This PC shares a pool with others, and can be in one only."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(
            f"This PC shares a pool with {', '.join(names)} already.",
            "Let it show the code and type that on the other PC, or leave the pool first: idlepool pair --leave",
        )
